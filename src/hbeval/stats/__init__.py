"""Numbers in, numbers out: intervals, distributions, and what the instruments need of them."""

from hbeval.stats.beta import incomplete_beta, log_beta
from hbeval.stats.holm import holm
from hbeval.stats.interval import Interval
from hbeval.stats.mean import mean_interval, spread_interval
from hbeval.stats.mover import ratio_difference, ratio_difference_interval
from hbeval.stats.newcombe import difference_interval, newcombe
from hbeval.stats.noninferiority import (
    Decision,
    Ruling,
    against_floor,
    noninferiority,
    p_below_floor,
    p_within_margin,
    p_worse,
    runs_to_clear_floor,
    runs_to_decide,
)
from hbeval.stats.normal import normal_cdf, normal_quantile
from hbeval.stats.paired import Pair, pair_sums, paired_interval
from hbeval.stats.pairs import PairSums
from hbeval.stats.ratio import RatioSums, ratio_interval
from hbeval.stats.rounding import significant
from hbeval.stats.slope import slope
from hbeval.stats.spread import sample_variance
from hbeval.stats.student import student_cdf, student_quantile
from hbeval.stats.wilson import wilson

__all__ = [
    "Decision",
    "Interval",
    "Pair",
    "PairSums",
    "RatioSums",
    "Ruling",
    "against_floor",
    "difference_interval",
    "holm",
    "incomplete_beta",
    "log_beta",
    "mean_interval",
    "newcombe",
    "noninferiority",
    "normal_cdf",
    "normal_quantile",
    "p_below_floor",
    "p_within_margin",
    "p_worse",
    "pair_sums",
    "paired_interval",
    "ratio_difference",
    "ratio_difference_interval",
    "ratio_interval",
    "runs_to_clear_floor",
    "runs_to_decide",
    "sample_variance",
    "significant",
    "slope",
    "spread_interval",
    "student_cdf",
    "student_quantile",
    "wilson",
]
