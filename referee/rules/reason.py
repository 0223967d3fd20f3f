"""Why something was ruled: a code, the values that go with it, and the rule it rests on. Never a sentence."""

from __future__ import annotations

from dataclasses import dataclass

Value = int | str


@dataclass(frozen=True, slots=True)
class Reason:
    """``code`` names the kind of reason (``higher_die``, ``cocked`` ...), ``values`` its named values in a fixed order,
    ``rule`` the rule id (``S2-12``; empty where no rule but plain fact speaks). `referee.match.shown.wording` makes the sentence."""

    code: str
    values: tuple[tuple[str, Value], ...] = ()
    rule: str = ""

    def get(self, name: str) -> Value | None:
        """The value called ``name``, None when there is none."""
        return next((value for key, value in self.values if key == name), None)


def because(code: str, rule: str = "", **values: Value) -> Reason:
    """Writes a `Reason` in one line: ``because("cocked", "S2-06", value=5)``."""
    return Reason(code, tuple(values.items()), rule)
