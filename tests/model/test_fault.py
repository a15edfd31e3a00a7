"""What became of a fault follows from its three tenses."""

from __future__ import annotations

from hbeval.model import Delivery, Fault, FaultType, Handling, Injection, IntendedFault, Observation

INTENDED = IntendedFault(effect="timeout")
INJECTED = (Injection(call=0, step=1, effect="timeout"),)
OBSERVED = (Observation(step=1, what="raised TimeoutError"),)


def _fault(**fields):
    return Fault(id="f", type=FaultType.TOOL_FAILURE, target="x", **fields)


def test_met_needs_injection_and_observation():
    """A fault counts only if it was applied and the runtime saw its effect."""
    assert _fault(intended=INTENDED, injected=INJECTED, observed=OBSERVED).delivery is Delivery.MET
    assert _fault(intended=INTENDED, injected=INJECTED).delivery is Delivery.FAILED


def test_a_tool_never_called_is_not_exposed():
    """A clean score without exposure is not a pass."""
    assert _fault(intended=INTENDED).delivery is Delivery.NOT_EXPOSED


def test_a_fault_that_could_not_be_applied_failed():
    """The harness owns this one, not the agent."""
    assert _fault(intended=INTENDED, failure="result has no field to drop").delivery is Delivery.FAILED


def test_a_fault_nobody_planned_is_natural():
    """Imported logs and the agent's own bad calls."""
    assert _fault(observed=OBSERVED).delivery is Delivery.NATURAL


def test_three_forms_of_handling_are_deliberate():
    """Reflex and not judged are not."""
    assert {form for form in Handling if form.deliberate} == {
        Handling.RECOVERY,
        Handling.RESISTANCE,
        Handling.ABSTENTION,
    }
