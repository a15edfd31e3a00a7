"""Write the JSON Schemas of the published documents to docs/schemas/, generated from the record types.

python tools/schemas.py            writes them
python tools/schemas.py --check    exits 1 and names those that are stale
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hbeval.gate.document import gate_schema
from hbeval.model import JudgedTrace, Trace, json_schema
from hbeval.report.document import document_schema

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"


def schemas() -> dict[str, dict[str, Any]]:
    """File name to schema."""
    return {
        "trace.json": json_schema(Trace),
        "judged-trace.json": json_schema(JudgedTrace),
        "report.json": document_schema(),
        "gate.json": gate_schema(),
    }


def main() -> int:
    """Write, or compare with what is there."""
    stale = []
    FOLDER.mkdir(exist_ok=True)
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        path = FOLDER / name
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        print("stale, run `python tools/schemas.py`:", ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
