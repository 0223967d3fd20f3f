"""A rule set in plain sentences, one for each choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from referee.rules.presets import PRESETS
from referee.rules.ruleset import (
    BackgammonIf,
    ClockMode,
    ClockRules,
    DiceSets,
    DieOnChecker,
    DropPays,
    EarliestDouble,
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
    TurnEnd,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One choice in words. ``asked``: the table is asked at set-up; ``option``: open to agreement."""

    choice: str
    text: str
    asked: bool
    option: bool


_WORDS: Mapping[str, Mapping[object, str]] = MappingProxyType(
    {
        "die_on_checker": {
            DieOnChecker.INVALID: "A die that comes to rest on a checker does not count.",
            DieOnChecker.VALID: "A die that comes to rest flat on a checker counts.",
        },
        "edge_touch": {
            EdgeTouch.OK: "A die that lies flat counts even when it touches the bar or the frame.",
            EdgeTouch.INVALID: "A die that touches the bar or the frame does not count.",
        },
        "reroll": {
            Reroll.BOTH: "After a bad throw both dice are thrown again.",
            Reroll.FAULTY: "After a bad throw only the faulty die is thrown again.",
        },
        "premature_roll": {
            PrematureRoll.STANDS: "A throw before the other turn is over stands, and the other player may finish knowing it.",
            PrematureRoll.REROLL: "A throw before the other turn is over is thrown again.",
            PrematureRoll.ASK: "A throw before the other turn is over is forbidden; a person decides what becomes of it.",
        },
        "early_roll": {
            EarlyRoll.NEVER: "Nobody may throw early, not even in a race.",
            EarlyRoll.RACE_OR_FORCED: "Throwing early is no offence once the sides have passed each other or when the play is forced.",
        },
        "illegal_moves": {
            IllegalMoves.LEGAL_MOVES: "An illegal play must be put right.",
            IllegalMoves.RESPONSIBLE: "The opponent decides whether an illegal play is put right or stands.",
            IllegalMoves.EITHER_MAY: "Either player may have an illegal play put right.",
        },
        "illegal_window": {
            IllegalWindow.THROW: "It can be put right until the opponent throws.",
            IllegalWindow.VALID_ROLL: "It can be put right until the opponent has thrown a roll that counts.",
            IllegalWindow.VALID_ROLL_OR_DOUBLE: "It can be put right until the opponent has thrown a roll that counts or has doubled.",
        },
        "turn_end": {
            TurnEnd.DICE_LIFT: "A turn ends when its player lifts his dice.",
            TurnEnd.CLOCK: "A turn ends when its player presses the clock.",
            TurnEnd.LIFT_BY_ANYONE: "A turn ends when either player lifts the dice.",
        },
        "higher_number": {
            True: "When only one of two numbers can be played, it must be the higher if that can be played.",
            False: "When only one of two numbers can be played, it may be either.",
        },
        "hit_bearing_off": {
            HitBearingOff.REST_FREE: "A player hit while bearing off may move his other checkers once the hit one has entered.",
            HitBearingOff.REST_FROZEN: "A player hit while bearing off moves no other checker until the hit one is home again.",
        },
        "gammon_if": {
            GammonIf.NONE_OFF: "A gammon: the loser has borne off no checker.",
            GammonIf.NONE_OFF_OR_OUTSIDE: "A gammon: the loser has borne off no checker, or has one outside his home board.",
        },
        "backgammon_if": {
            BackgammonIf.NONE_OFF_AND_HOME: "A backgammon: he has borne off none and has a checker in the winner’s home board.",
            BackgammonIf.NONE_OFF_AND_HOME_OR_BAR: (
                "A backgammon: he has borne off none and has a checker in the winner’s home board or on the bar."
            ),
            BackgammonIf.HOME_OR_BAR: "A backgammon: he has a checker in the winner’s home board or on the bar, whatever he has borne off.",
        },
        "backgammon_pays": {
            3: "A gammon counts twice and a backgammon three times the cube.",
            2: "A gammon counts twice the cube, and a backgammon no more than that.",
        },
        "first_throw_refusal": {
            True: "In money play a player may refuse the first throw by doubling, and cast it again.",
            False: "The first throw cannot be refused.",
        },
        "jacoby": {
            True: "In money play gammons and backgammons count only when a double was offered and taken (Jacoby rule).",
            False: "Gammons and backgammons count whether or not anybody doubled.",
        },
        "crawford": {
            True: "In a match nobody may double in the first game after one player comes within a point of it (Crawford rule).",
            False: "There is no Crawford rule.",
        },
        "raccoons": {True: "After a beaver the doubler may at once turn the cube again (raccoon).", False: "There are no raccoons."},
        "earliest_double": {
            EarliestDouble.FIRST_TURN: "A player may double on any turn of his own before rolling.",
            EarliestDouble.AFTER_OPENING: "Doubling begins with the second player’s first turn, always before rolling.",
        },
        "mix_dice": {
            True: "Before a game either player may have the dice mixed and picked in turn.",
            False: "The dice are not mixed on demand.",
        },
        "dice_sets": {DiceSets.SHARED: "Both players use one pair of dice.", DiceSets.OWN: "Each player has a pair of dice."},
        "setup_error_until": {
            SetupUntil.FIRST_MOVE: "A wrong starting position is put right only before the first checker is moved.",
            SetupUntil.SECOND_TURN: "A wrong starting position is put right until the starter begins his second turn.",
        },
        "chouette_drop_pays": {
            DropPays.BOX: "In a chouette a partner who drops pays the box.",
            DropPays.CAPTAIN: "In a chouette a partner who drops while others take pays the captain, who takes over his share.",
        },
        "team_decides": {
            TeamDecides.EACH: "In a chouette each partner answers a double for himself.",
            TeamDecides.CAPTAIN: "In a chouette the captain decides for the team.",
        },
        "referee_speaks": {
            RefereeSpeaks.ALWAYS: "The referee announces illegal plays, dice and cube.",
            RefereeSpeaks.DICE_AND_CUBE_ONLY: "The referee announces dice and cube; an illegal play is marked for the director only.",
            RefereeSpeaks.LOG_ONLY: "The referee announces nothing; everything is logged for the director.",
        },
        "aids": {
            True: "Pip counts, legal plays and equity may be shown to the players.",
            False: "Pip counts, legal plays and equity are not shown to the players.",
        },
    }
)


def _times(number: int, one: str, many: str) -> str:
    return one if number == 1 else many.format(number)


def _auto_doubles(number: int | None) -> str:
    if number is None:
        return "In money play every tie on the opening throw turns the cube again, without limit."
    if number == 0:
        return "A tie on the opening throw does not turn the cube."
    limit = _times(number, "once a game", "up to {} times a game")
    return f"In money play a tie on the opening throw turns the cube, {limit}."


def _beavers(number: int) -> str:
    if number == 0:
        return "There are no beavers."
    return f"In money play the taker may at once turn the cube again and keep it (beaver), {_times(number, 'once', 'up to {} times')}."


def _clock(clock: ClockRules) -> str:
    if clock.mode is ClockMode.NONE:
        return "There is no clock."
    kind = {
        ClockMode.SIMPLE_DELAY: f"{clock.delay_s:g} s of simple delay a turn",
        ClockMode.BRONSTEIN: f"up to {clock.delay_s:g} s given back after each turn (Bronstein)",
        ClockMode.FISCHER: f"{clock.delay_s:g} s added for each turn (Fischer)",
    }[clock.mode]
    text = f"Clock: {clock.bank_s_per_point:g} s for each point of the match and {kind}"
    if clock.minus_per_point_scored:
        text += f", {clock.minus_per_point_scored:g} s less for each point already scored"
    if clock.overtime_s:
        text += f", and once {clock.overtime_s:g} s of overtime"
    return text + "."


_BY_VALUE: Mapping[str, Callable[..., str]] = MappingProxyType({"auto_doubles": _auto_doubles, "beavers": _beavers, "clock": _clock})


def describe(rules: RuleSet) -> tuple[Line, ...]:
    """Every choice of ``rules`` in a sentence, in the order of its fields."""
    known = PRESETS.get(rules.name)
    lines = []
    for field in fields(rules):
        if field.name == "name":
            continue
        asked, option = (field.name in known.asked, field.name in known.options) if known else (False, False)
        lines.append(Line(field.name, sentence_of(field.name, getattr(rules, field.name)), asked, option))
    return tuple(lines)


_ELSEWHERE = frozenset({"chouette_drop_pays", "team_decides", "aids"})
"""Of no weight at a table of two, or asked by the form that starts a match."""


def settled(rules: RuleSet) -> tuple[str, ...]:
    """What two players who begin under ``rules`` need not agree on any more, in sentences."""
    return tuple(line.text for line in describe(rules) if not (line.asked or line.option or line.choice in _ELSEWHERE))


def sentence_of(choice: str, value: object) -> str:
    """What ``value`` of the field ``choice`` means, as a sentence."""
    if choice in _BY_VALUE:
        return _BY_VALUE[choice](value)
    if choice == "setup_error_until" and isinstance(value, int):
        return f"A wrong starting position is put right until {_times(value, 'one roll has', '{} rolls have')} been thrown."
    return _WORDS[choice][value]
