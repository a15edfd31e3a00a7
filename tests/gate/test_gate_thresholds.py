"""Numbers that people write: taken where there is one way to read them, refused with the unit elsewhere."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hbeval.errors import InputError, UsageError
from hbeval.gate.metrics import gated, metric
from hbeval.gate.quantity import error_rate, share, share_of_scale
from hbeval.gate.requirement import Floor, NotWorse, parse_requirement


@pytest.mark.parametrize(
    ("written", "value"),
    [(0.8, 0.8), ("0.8", 0.8), (".8", 0.8), ("80%", 0.8), ("80 %", 0.8), ("0.8 of the scale", 0.8), (1, 1.0), (0, 0.0)],
)
def test_a_share_is_taken_where_the_scale_ends_at_one(written: Any, value: float) -> None:
    """A number on the scale, or per cent with their sign."""
    assert share_of_scale(metric("frr"), written, where="x") == value


@pytest.mark.parametrize(
    "written",
    [80, "80", 1.2, "1.2", -1, "-1", math.nan, "nan", "NaN", math.inf, "inf", "-inf", "0.8%", "101%", "-5%", "0,8", "",
     "80 percent", "1e-1", "1_0", "٠.٨", "0.8 of 5", "8 of the scale", True, None, [0.8], 10**400, "9" * 400],
)  # fmt: skip
def test_what_has_no_single_reading_names_the_scale(written: Any) -> None:
    """The message says where, the value, and how the unit is written."""
    with pytest.raises(InputError, match=r"^x: .*scale of frr, 0 to 1, such as 0\.8 or '80%'"):
        share_of_scale(metric("frr"), written, where="x")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("80%", 0.8),
        ("4 of 5", 0.8),
        (4, 0.8),
        ("3.5", 0.7),
        (1.2, 0.24),
        ("0.5 of 5", 0.1),
        ("0.05 of the scale", 0.05),
    ],
)
def test_a_scale_of_five_takes_numbers_above_one_and_named_units(written: Any, value: float) -> None:
    """TI runs from 0 to 5: per cent are of the scale, and only with their sign."""
    assert share_of_scale(metric("ti"), written, where="x") == pytest.approx(value)


@pytest.mark.parametrize("written", [0.8, "0.8", 1, 0.05, 80, "80", "4 of 10", "6 of 5", 5.1, math.nan])
def test_a_scale_of_five_refuses_what_could_be_a_share(written: Any) -> None:
    """0.8 may mean 0.8 of 5 or 80 %, so it is not guessed."""
    with pytest.raises(InputError, match=r"'4 of 5' or '80%'"):
        share_of_scale(metric("ti"), written, where="x")


@pytest.mark.parametrize("written", [5, "5", "95", math.nan, -0.1, "0.9%", "0.9 of 5", "x", None, True])
def test_a_minimum_coverage_is_a_share_of_one(written: Any) -> None:
    """Per cent need their sign here too."""
    with pytest.raises(InputError, match="0 to 1"):
        share(written, what="minimum coverage", where="x")
    assert share("95%", what="minimum coverage", where="x") == share(0.95, what="minimum coverage", where="x") == 0.95


@pytest.mark.parametrize("written", [0, 0.5, 0.95, 5, "nan", "95%"])
def test_an_error_rate_is_not_a_level(written: Any) -> None:
    """0.95 is the level of a test whose error rate is 0.05."""
    with pytest.raises(InputError, match=r"alpha, the error rate|error rate of each test"):
        error_rate(written, where="alpha")


def test_an_error_rate_is_taken_as_share_or_per_cent() -> None:
    """0.05 and 5% are one."""
    assert error_rate(0.05, where="alpha") == error_rate("5%", where="alpha") == 0.05


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("frr >= 0.70", Floor(metric="frr", least=0.7)),
        ("  FRR≥70% ", Floor(metric="frr", least=0.7)),
        ("ti >= 4 of 5 in every task", Floor(metric="ti", least=0.8, every_task=True)),
        ("irs not worse by 0.05", NotWorse(metric="irs", margin=0.05)),
        ("ti not worse by 0.05 of the scale", NotWorse(metric="ti", margin=0.05)),
        ("ti not worse by 0.25 of 5", NotWorse(metric="ti", margin=0.05)),
    ],
)
def test_a_requirement_is_read_and_written_the_same(text: str, found: Any) -> None:
    """What the grammar writes it takes back."""
    assert parse_requirement(text) == found
    assert parse_requirement(str(found)) == found


@pytest.mark.parametrize(
    "text",
    ["", "frr", "frr > 0.7", "frr = 0.7", "frr <= 0.7", "frr >= ", "frr not worse", "frr not better by 0.1",
     "frr >= 0.7, irs >= 0.7", "frr >= 0.7 in each task", ">= 0.7"],
)  # fmt: skip
def test_other_words_are_no_requirement(text: str) -> None:
    """Nothing is skipped over."""
    with pytest.raises(UsageError):
        parse_requirement(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("frr >= 0", "cannot fail"),
        ("frr >= 1", "cannot pass"),
        ("frr not worse by 0", "proof of being better"),
        ("frr not worse by 100%", "cannot fail"),
        ("ti not worse by 5", "cannot fail"),
    ],
)
def test_a_requirement_that_cannot_decide_is_refused(text: str, why: str) -> None:
    """A gate that always says the same is a mistake."""
    with pytest.raises(InputError, match=why):
        parse_requirement(text)


@pytest.mark.parametrize("name", ["csi", "pass_1", "pass_3", "reliability_gap"])
def test_a_metric_without_a_test_is_refused_with_the_reason(name: str) -> None:
    """CSI, pass^k and the gap are no ratios of counts pooled over runs."""
    with pytest.raises(UsageError, match="cannot be gated: it is no ratio of counts"):
        parse_requirement(f"{name} >= 0.5")


def test_a_misspelt_metric_names_those_there_are() -> None:
    """It would otherwise require nothing."""
    with pytest.raises(UsageError, match="unknown metric 'ffr'; a gate tests pei, frr, irs, ti, success_rate"):
        parse_requirement("ffr >= 0.5")


def test_and_beside_or_needs_the_file_form() -> None:
    """Which binds stronger is not guessed."""
    with pytest.raises(InputError, match="two ways"):
        parse_requirement("frr >= 0.7 or irs >= 0.6 and pei >= 0.5")


def test_current_versions_alone_can_be_tested() -> None:
    """IRS is irs@2.0; its historical version is another metric."""
    assert {each.name for each in gated().values()} == {"pei@1.0", "frr@1.0", "irs@2.0", "ti@1.0", "success_rate@1.0"}
