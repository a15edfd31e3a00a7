"""The coverage of difference intervals, on a smaller grid."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def study(load_study: Callable[[str], ModuleType]) -> ModuleType:
    return load_study("difference_coverage")


def test_both_intervals_keep_the_bar_and_pairs_narrow_where_they_share(study: ModuleType) -> None:
    """At 200 replicates a coverage of .93 may be seen as .88."""
    seen = list(study.cells(200, 3, sizes=("3–10 trials",), numbers=(5, 20), shares=((0.5, 0.5), (0.95, 0.6))))
    assert len(seen) == 12
    assert not [cell for cell in seen for way in study.WAYS if cell.missed(way)]
    shared = [cell for cell in seen if cell.number == 20 and cell.shared == 0.95]
    assert all(cell.width["paired"] < cell.width["unpaired"] for cell in shared)


def test_draws_have_the_shares_and_what_they_share(study: ModuleType) -> None:
    """Otherwise the table would speak of other agents than it says."""
    for shared, correlated in ((0.0, False), (0.95, True)):
        draw = study.pair_sampler((10, 10), 0.8, 0.6, shared)
        rng = random.Random(5)
        pairs = [draw(rng) for _ in range(4000)]
        a, b = (sum(each) / 40_000 for each in zip(*((p.xa, p.xb) for p in pairs), strict=True))
        assert (a, b) == pytest.approx((0.8, 0.6), abs=0.02)
        product = sum((p.xa / 10 - a) * (p.xb / 10 - b) for p in pairs) / 4000
        assert (product > 0.02) is correlated


def test_the_exit_code_says_whether_the_bar_was_kept(
    study: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 with the promise, 1 without; a miss is marked."""
    few = list(study.cells(100, 1, sizes=("one trial",), numbers=(5,), shares=((0.5, 0.5),)))
    monkeypatch.setattr(study, "cells", lambda replicates, seed: iter(few))
    assert study.main(["--replicates", "100"]) == 0
    low = [replace(few[0], coverage={"unpaired": 0.5, "paired": 0.95})]
    monkeypatch.setattr(study, "cells", lambda replicates, seed: iter(low))
    assert study.main(["--replicates", "100", "--seed", "4"]) == 1
    text = capsys.readouterr().out
    assert "seed 4" in text
    assert "unpaired 0.500!" in text
    with pytest.raises(SystemExit):
        study.main(["--replicates", "5"])
