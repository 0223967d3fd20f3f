"""The rule sets that come with the referee, by name, with what a table is asked at set-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from referee.rules.ruleset import (
    BackgammonIf,
    ClockMode,
    ClockRules,
    DiceSets,
    DieOnChecker,
    DropPays,
    EarlyRoll,
    EdgeTouch,
    GammonIf,
    HitBearingOff,
    IllegalMoves,
    IllegalWindow,
    PrematureRoll,
    RefereeSpeaks,
    Reroll,
    RuleSet,
    SetupUntil,
    TeamDecides,
)


class RulesError(ValueError):
    """A rule set that cannot be had. Its message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Preset:
    """``asked``: fields the book leaves to the players or the organiser, to be asked at set-up; the value in ``rules``
    holds until somebody answers. ``options``: fields it names as open to agreement, not asked. ``values``: what a field may be where
    the book names fewer values than there are (None: without limit). ``source``: the book."""

    rules: RuleSet
    source: str
    asked: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    values: tuple[tuple[str, tuple[int | None, ...]], ...] = ()

    @property
    def title(self) -> str:
        """Its name and its book, for a list to choose from."""
        return f"{self.rules.name}: {self.source}"


_BRAY = RuleSet()
_USBGF_CLOCK = ClockRules(ClockMode.SIMPLE_DELAY, delay_s=12.0, bank_s_per_point=120.0, minus_per_point_scored=60.0, overtime_s=60.0)
_WBGF = replace(_BRAY, name="wbgf")

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "magriel": Preset(
            replace(
                _BRAY,
                name="magriel",
                premature_roll=PrematureRoll.ASK,
                early_roll=EarlyRoll.RACE_OR_FORCED,
                illegal_moves=IllegalMoves.EITHER_MAY,
                illegal_window=IllegalWindow.THROW,
                backgammon_if=BackgammonIf.NONE_OFF_AND_HOME,
                referee_speaks=RefereeSpeaks.DICE_AND_CUBE_ONLY,
            ),
            "Paul Magriel and Renee Magriel Roberts, Backgammon (1976)",
            options=("auto_doubles", "jacoby", "backgammon_pays"),
            values=(("auto_doubles", (0, 1)),),
        ),
        "strato": Preset(
            replace(
                _BRAY,
                name="strato",
                die_on_checker=DieOnChecker.VALID,
                gammon_if=GammonIf.NONE_OFF_OR_OUTSIDE,
                backgammon_if=BackgammonIf.HOME_OR_BAR,
            ),
            "Michael Strato, The Rules of Backgammon",
            options=("jacoby",),
        ),
        "bray": Preset(
            _BRAY,
            "Chris Bray, introductory booklet",
            options=("auto_doubles", "jacoby", "beavers", "raccoons"),
        ),
        "traditional": Preset(
            replace(
                _BRAY,
                name="traditional",
                premature_roll=PrematureRoll.REROLL,
                illegal_window=IllegalWindow.THROW,
                mix_dice=True,
            ),
            "traditional play in the United Kingdom",
            asked=("auto_doubles", "first_throw_refusal", "backgammon_pays"),
            values=(("auto_doubles", (0, None)),),
        ),
        "agca": Preset(
            replace(
                _BRAY,
                name="agca",
                edge_touch=EdgeTouch.INVALID,
                reroll=Reroll.FAULTY,
                illegal_window=IllegalWindow.THROW,
                higher_number=False,
                hit_bearing_off=HitBearingOff.REST_FROZEN,
                backgammon_pays=2,
                auto_doubles=None,
                dice_sets=DiceSets.SHARED,
                setup_error_until=SetupUntil.FIRST_MOVE,
                chouette_drop_pays=DropPays.CAPTAIN,
                team_decides=TeamDecides.CAPTAIN,
            ),
            "AGCA leaflet (chouette, score card)",
        ),
        "usbgf": Preset(
            replace(
                _BRAY,
                name="usbgf",
                die_on_checker=DieOnChecker.VALID,
                illegal_window=IllegalWindow.VALID_ROLL,
                clock=_USBGF_CLOCK,
                referee_speaks=RefereeSpeaks.LOG_ONLY,
            ),
            "tournament play in the United States",
            asked=("referee_speaks",),
        ),
        "wbgf": Preset(_WBGF, "WBGF tournament play, legal moves", asked=("die_on_checker",)),
        "wbgf-responsible": Preset(
            replace(
                _WBGF,
                name="wbgf-responsible",
                illegal_moves=IllegalMoves.RESPONSIBLE,
                referee_speaks=RefereeSpeaks.DICE_AND_CUBE_ONLY,
            ),
            "WBGF tournament play, responsible moves",
            asked=("die_on_checker",),
        ),
        "ukbgf": Preset(replace(_WBGF, name="ukbgf"), "tournament play in the United Kingdom", asked=("die_on_checker",)),
        "money": Preset(
            replace(_BRAY, name="money", jacoby=True, beavers=1, raccoons=True, crawford=False, aids=True),
            "money play",
            options=("auto_doubles", "beavers"),
        ),
    }
)
"""Every preset by name."""


def preset(name: str) -> RuleSet:
    """The rule set called ``name``. Raises `RulesError` when there is none."""
    found = PRESETS.get(name)
    if found is None:
        raise RulesError(f"there is no rule set ‘{name}’; the sets are {', '.join(PRESETS)}")
    return found.rules
