"""What the declarations of a run say, worked out once for all runs that share them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hbeval.model import ToolDeclaration

__all__ = ["Same", "Tools", "tools_of"]

_Names = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tools:
    """The declared tools of a run.

    by_name    of two declarations with one name, the later
    handovers  tools that pass the case to a human
    thinking   tools that do nothing but record a thought: `"thinking": true` in the declaration
    writing    whether a tool is declared to write
    forbidding whether a declaration forbids calls
    purposes   target -> tools that can meet its purpose in its stead, and tools that can confirm its data
    """

    by_name: Mapping[str, ToolDeclaration]
    handovers: frozenset[str]
    thinking: frozenset[str]
    writing: bool
    forbidding: bool
    purposes: Mapping[str, tuple[_Names, _Names]]

    def substitutes(self, target: str) -> _Names:
        """Tools that can meet the target's purpose in its stead."""
        return self.purposes[target][0] if target in self.purposes else ()

    def verifiers(self, target: str) -> _Names:
        """Tools that can confirm the target's data."""
        return self.purposes[target][1] if target in self.purposes else ()

    def writes(self, name: str) -> bool | None:
        """Whether the tool of this name is declared to write; None if nobody said."""
        tool = self.by_name.get(name)
        return None if tool is None else tool.writes


class Same:
    """Stands for one sequence of declarations: these are frozen, so the same object says the same."""

    __slots__ = ("tools",)

    def __init__(self, tools: Sequence[ToolDeclaration]) -> None:
        self.tools = tools

    def __hash__(self) -> int:
        return id(self.tools)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.tools is self.tools


def tools_of(declared: Sequence[ToolDeclaration]) -> Tools:
    """What these declarations say."""
    return _of_same(Same(declared))


@lru_cache(maxsize=64)
def _of_same(same: Same) -> Tools:
    by_name = {tool.name: tool for tool in same.tools}
    thinking = frozenset([tool.name for tool in same.tools if tool.extra.get("thinking") is True])
    useful = [tool for name, tool in by_name.items() if name not in thinking]
    targets = dict.fromkeys([target for tool in useful for target in (*tool.substitutes, *tool.verifies)])
    return Tools(
        by_name=by_name,
        handovers=frozenset([tool.name for tool in same.tools if tool.handover]),
        thinking=thinking,
        writing=any(tool.writes for tool in same.tools),
        forbidding=any(tool.forbidden_when is not None for tool in same.tools),
        purposes={
            target: (
                tuple([tool.name for tool in useful if target in tool.substitutes and tool.name != target]),
                tuple([tool.name for tool in useful if target in tool.verifies and tool.name != target]),
            )
            for target in targets
        },
    )
