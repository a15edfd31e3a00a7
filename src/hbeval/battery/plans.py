"""Which faults each scenario of a battery gets."""

from __future__ import annotations

from hbeval.battery.batteries import Battery
from hbeval.battery.scenario import Scenario, derived_seed
from hbeval.faults import FaultPlan, fitting_variants, plan_for
from hbeval.model import FaultType

__all__ = ["Plans"]


class Plans:
    """The fault plans of one run of a battery.

    Which variant of the fault type is planned goes through the fitting ones from task to task; it is the same for every
    repeat and does not depend on which other scenarios there are.
    """

    def __init__(self, battery: Battery, seed: int) -> None:
        self._specification, self._tasks = battery.specification, battery.tasks
        self._places = {name: place for place, name in enumerate(self._tasks)}
        self._first = {kind: derived_seed(seed, "variant", kind.value) for kind in FaultType}
        self._fitting: dict[tuple[str, FaultType], list[str]] = {}
        self._made: dict[tuple[str, FaultType, str], FaultPlan] = {}

    def plan(self, scenario: Scenario) -> FaultPlan | None:
        """The faults of a scenario under its own seed, None if it is nominal."""
        kind, task = scenario.condition, scenario.task
        if kind is None:
            return None
        if (task, kind) not in self._fitting:
            self._fitting[task, kind] = self._variants(scenario, kind)
        variants = self._fitting[task, kind]
        variant = variants[(self._first[kind] + self._places[task] + scenario.variant) % len(variants)]
        plan = self._made.get((task, kind, variant))
        if plan is None:
            plan = self._made[task, kind, variant] = self._planned(scenario, kind, variant)
        return plan.with_seed(scenario.seed)

    def _variants(self, scenario: Scenario, kind: FaultType) -> list[str]:
        targets = self._tasks[scenario.task][1].targets(kind)
        assert targets is not None
        return [each.id for each in fitting_variants(self._specification, kind, targets)]

    def _planned(self, scenario: Scenario, kind: FaultType, variant: str) -> FaultPlan:
        targets = self._tasks[scenario.task][1].targets(kind)
        assert targets is not None
        return plan_for(
            kind,
            targets,
            seed=scenario.seed,
            task=scenario.task,
            id=f"{kind.value}.{variant}",
            specification=self._specification,
            variant=variant,
        )
