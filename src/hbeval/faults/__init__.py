"""Fault kinds, the battery specification and its fingerprint, plans and cascades: what may be injected, and when."""

from hbeval.faults.base import (
    REQUIRED,
    Alter,
    BoundaryError,
    Call,
    CannotApply,
    Effect,
    ErrorKind,
    Interrupt,
    Interruption,
    Parameter,
)
from hbeval.faults.catalogue import BUILTIN, find
from hbeval.faults.checks import check_call, check_effect
from hbeval.faults.draw import draw, fires
from hbeval.faults.exceptions import Raises, ServiceError, exception_for, resolve_raises
from hbeval.faults.plan import FaultPlan, PlannedFault
from hbeval.faults.planner import fitting_variants, plan_for
from hbeval.faults.preview import Meeting, preview
from hbeval.faults.published import PUBLISHED_FINGERPRINT, import_published
from hbeval.faults.schedule import Hit, Schedule
from hbeval.faults.specification import Specification, TypeSpecification, Variant, VariantFault
from hbeval.faults.targets import ROLES, Corruptible, FaultTargets, Role

__all__ = [
    "BUILTIN",
    "PUBLISHED_FINGERPRINT",
    "REQUIRED",
    "ROLES",
    "Alter",
    "BoundaryError",
    "Call",
    "CannotApply",
    "Corruptible",
    "Effect",
    "ErrorKind",
    "FaultPlan",
    "FaultTargets",
    "Hit",
    "Interrupt",
    "Interruption",
    "Meeting",
    "Parameter",
    "PlannedFault",
    "Raises",
    "Role",
    "Schedule",
    "ServiceError",
    "Specification",
    "TypeSpecification",
    "Variant",
    "VariantFault",
    "check_call",
    "check_effect",
    "draw",
    "exception_for",
    "find",
    "fires",
    "fitting_variants",
    "import_published",
    "plan_for",
    "preview",
    "resolve_raises",
]
