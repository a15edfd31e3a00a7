"""Numbers in, numbers out: intervals, distributions, and what the instruments need of them."""

from hbeval.stats.beta import incomplete_beta, log_beta
from hbeval.stats.interval import Interval
from hbeval.stats.mean import mean_interval, spread_interval
from hbeval.stats.newcombe import difference_interval, newcombe
from hbeval.stats.normal import normal_cdf, normal_quantile
from hbeval.stats.pairs import PairSums
from hbeval.stats.ratio import RatioSums, ratio_interval
from hbeval.stats.rounding import significant
from hbeval.stats.slope import slope
from hbeval.stats.spread import sample_variance
from hbeval.stats.student import student_cdf, student_quantile
from hbeval.stats.wilson import wilson

__all__ = [
    "Interval",
    "PairSums",
    "RatioSums",
    "difference_interval",
    "incomplete_beta",
    "log_beta",
    "mean_interval",
    "newcombe",
    "normal_cdf",
    "normal_quantile",
    "ratio_interval",
    "sample_variance",
    "significant",
    "slope",
    "spread_interval",
    "student_cdf",
    "student_quantile",
    "wilson",
]
