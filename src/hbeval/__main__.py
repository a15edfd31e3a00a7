"""`python3 -m hbeval` is the command `hbeval`."""

from __future__ import annotations

import sys

from hbeval.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
