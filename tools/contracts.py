"""An import contract of our own: the core imports the standard library only, directly and through any chain."""

from __future__ import annotations

import sys
from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class StandardLibraryOnly(Contract):
    """No module reachable from `rooms` imports anything beside the root package and the standard library."""

    rooms = fields.ListField(subfield=fields.StringField())

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Walk the graph from each room and collect imports of foreign modules."""
        root = self.session_options["root_packages"][0]
        allowed = {root, *sys.stdlib_module_names}
        foreign = set()
        for room in self.rooms:
            start = f"{root}.{room}"
            if start not in graph.modules:
                raise ValueError(f"the contract names {start}, which does not exist")
            for module in reachable(graph, start):
                for imported in graph.find_modules_directly_imported_by(module):
                    if imported.partition(".")[0] not in allowed:
                        foreign.add((module, imported))
        return ContractCheck(kept=not foreign, metadata={"foreign": sorted(foreign)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each import that has to go."""
        for module, imported in check.metadata["foreign"]:
            output.print_error(f"{module} imports {imported}, which is not in the standard library")


def reachable(graph: Any, start: str) -> set[str]:
    """The modules of the root package that `start` and what lies in it reach through any chain of imports."""
    root = start.partition(".")[0]
    waiting = [start, *graph.find_descendants(start)]
    seen = set()
    while waiting:
        module = waiting.pop()
        if module not in seen and module.partition(".")[0] == root:
            seen.add(module)
            waiting += graph.find_modules_directly_imported_by(module)
    return seen
