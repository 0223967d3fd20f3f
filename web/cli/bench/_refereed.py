"""A table with eyes that misread and a person who knows the truth: what the benchmarks of rulings count."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import click

from referee.board.plays import LegalPlays
from referee.match import commands as c
from referee.match import events as e
from referee.match.arbiter.underway import hit_beside
from referee.match.journal import MemoryJournal
from referee.match.state import Phase
from referee.match.table import open_table
from referee.observations import Reading
from referee.rules.scoring import game_over
from web.cli.bench._confusion import Scene, TrueTurn, random_game

ENDS = (e.Played, e.PlayCorrected, e.IllegalPlayStood, e.NoRoll)


@dataclass
class Tally:
    """What came out. ``alarms``: legal plays called illegal. ``caught``: illegal plays called at once, ``by_question``: called by the
    answer to a question. ``unannounced``: illegal plays of a roll not made out when the play was shown, which nobody can judge.
    ``in_time``: those that were waited for and finished before a word was said. ``missed``: the others that were left so, of which
    nothing was said. ``silent``: turns that ended in a position that is not the true one with nobody asked. ``wrong_rolls``: accepted
    rolls that are not the true ones; ``wrong_voids``: throws called void in a turn in which all were good."""

    turns: int = 0
    legal: int = 0
    illegal: int = 0
    alarms: int = 0
    caught: int = 0
    by_question: int = 0
    unannounced: int = 0
    in_time: int = 0
    missed: int = 0
    silent: int = 0
    questions: int = 0
    by_hand: int = 0
    wrong_rolls: int = 0
    wrong_voids: int = 0
    voids: int = 0
    true_voids: int = 0
    readings: int = 0
    about: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def truth_of(turns: list[TrueTurn], scenes: list[Scene]) -> Tally:
    """What is true of a game, before anything of it is ruled."""
    illegal = sum(turn.illegal is not None for turn in turns)
    bad = sum(scene.what == "bad throw" for scene in scenes)
    return Tally(turns=len(turns), legal=len(turns) - illegal, illegal=illegal, true_voids=bad)


class Refereed:
    """One game at a table, with a person who knows the truth."""

    def __init__(self, turns: list[TrueTurn], tally: Tally, stills: bool) -> None:
        self.turns, self.tally = turns, tally
        self.table = open_table(MemoryJournal(), stills=stills)
        self.table.command(c.StartMatch(seen_seq=0, names=("", ""), games=1))
        self.offset = 0  # the true turn is the counted one plus this
        self.judged: set[int] = set()
        self.asked: set[int] = set()
        self.shown: set[int] = set()
        self.bad_throws: set[int] = set()
        self.not_made_out: set[int] = set()
        self.phase_before, self.turn_before = Phase.SETTING_UP, 0

    @property
    def turn(self) -> int:
        return self.table.state.turns + self.offset

    def watch(self, readings: Iterable[tuple[Scene, Reading]]) -> None:
        """Sees what is read of each scene, until the match is over."""
        for scene, reading in readings:
            self.tally.readings += 1
            self.see(scene, self.table.observe(reading))
            if self.table.state.phase is Phase.MATCH_OVER:
                return

    def see(self, scene: Scene, logged: tuple[e.Logged, ...]) -> None:
        """Counts what was ruled, answers what was asked, puts right what went wrong unnoticed."""
        if scene.what == "bad throw":
            self.bad_throws.add(scene.turn)
        if scene.what == "illegal" and scene.turn not in self.shown:
            self.shown.add(scene.turn)
            rolled = any(isinstance(one.event, e.Rolled | e.OpeningRolled) for one in logged) or self.phase_before is not Phase.TO_ROLL
            if not (rolled and self.turn_before == scene.turn):
                self.not_made_out.add(scene.turn)
                self.tally.unannounced += 1
        self._count(logged)
        for _ in range(4):
            if self.table.state.doubt is None:
                break
            self._answer(scene)
        self._check(scene)
        self.phase_before, self.turn_before = self.table.state.phase, self.turn

    def _count(self, logged: tuple[e.Logged, ...]) -> None:
        turns_before = self.table.state.turns - sum(isinstance(one.event, ENDS) for one in logged)
        for one in logged:
            event, turn = one.event, turns_before + self.offset
            if isinstance(event, e.IllegalPlay | e.IllegalPlayStood | e.PlayCorrected) and turn not in self.judged:
                self.judged.add(turn)
                if turn >= len(self.turns) or self.turns[turn].illegal is None:
                    what = "corrected" if isinstance(event, e.PlayCorrected) else f"illegal ({event.reason.code})"
                    self._wrong("alarms", f"turn {turn}: legal play called {what}")
                elif turn in self.asked:
                    self.tally.by_question += 1
                else:
                    self.tally.caught += 1
            elif isinstance(event, e.RollVoid):
                self.tally.voids += 1
                if turn not in self.bad_throws:
                    self._wrong("wrong_voids", f"turn {turn}: good throw called void ({event.reason.code})")
            elif isinstance(event, e.Rolled | e.OpeningRolled) and turn < len(self.turns):
                roll = self.turns[turn].roll
                if roll is None or sorted(event.dice) != sorted(roll):
                    self._wrong("wrong_rolls", f"turn {turn}: {event.dice} accepted, {roll} thrown")
            turns_before += isinstance(event, ENDS)

    def missed(self) -> None:
        """At the end: counts illegal plays of which nothing was said: those that were left so, and those that were waited for."""
        for number, turn in enumerate(self.turns[: self.turn]):
            if turn.illegal is None or number in self.judged | self.asked | self.not_made_out:
                continue
            if not turn.legal:
                self._wrong("missed", f"turn {number}: illegal play let pass")
            elif _waited_for(turn):
                self.tally.in_time += 1

    def _wrong(self, what: str, fault: str) -> None:
        setattr(self.tally, what, getattr(self.tally, what) + 1)
        self.tally.faults.append(fault)

    def _answer(self, scene: Scene) -> None:
        state = self.table.state
        assert state.doubt is not None
        doubt = state.doubt.doubt
        self.tally.questions += 1
        self.tally.about[f"{doubt.about}:{doubt.reason.code}"] += 1
        self.asked.add(self.turn)
        fitting = [i for i, answer in enumerate(doubt.answers) if answer.events and self._true(answer.events, scene)]
        turn, true = self.turn, self.turns[min(self.turn, len(self.turns) - 1)]
        said = self.table.command(c.AnswerDoubt(seen_seq=state.seq, doubt_seq=state.doubt.seq, answer=fitting[0] if fitting else None))
        if isinstance(said, c.Accepted) and any(isinstance(one.event, e.IllegalPlay | e.IllegalPlayStood) for one in said.events):
            if turn not in self.judged and true.illegal is not None:
                self.tally.by_question += 1
            self.judged.add(turn)
        if not fitting and doubt.about != "cube":
            self._by_hand(scene)

    def _true(self, events: tuple[e.Event, ...], scene: Scene) -> bool:
        """Whether this is what has happened."""
        turn = self.turn
        for event in events:
            if turn >= len(self.turns):
                return False
            true = self.turns[turn]
            match event:
                case e.Rolled() | e.OpeningRolled():
                    if true.roll is None or event.seat is not true.seat or sorted(event.dice) != sorted(true.roll):
                        return False
                    if scene.turn == turn and scene.what == "bad throw":
                        return False
                case e.Played() | e.PlayCorrected():
                    if event.position != true.final or not true.legal or (scene.turn, scene.what) == (turn, "illegal"):
                        return False
                    turn += 1
                case e.IllegalPlay():
                    if event.position != true.illegal:
                        return False
                case e.OpeningTied():
                    return scene.what == "tie" and sorted(event.dice) == sorted(die.value or 0 for die in scene.dice)
                case e.RollVoid():
                    return scene.turn == turn and scene.what == "bad throw"
                case _:
                    return False
        return True

    def _by_hand(self, scene: Scene) -> None:
        """Sets position and turn as they are; a play that is still being put right is taken as put right; a game that is over is ended."""
        self.tally.by_hand += 1
        true = self.turns[scene.turn]
        if scene.what in ("played", "illegal"):
            position, seat, dice, turn = true.final, true.seat.other, None, scene.turn + 1
        else:
            thrown = scene.what == "throw"
            position, seat, dice, turn = true.before, true.seat, true.roll if thrown else None, scene.turn
        table = self.table
        over = game_over(position)
        if over is not None:  # no position that can be played on: the loser says that it is over
            table.command(c.Resign(seen_seq=table.state.seq, seat=over.other))
            table.command(c.AcceptResignation(seen_seq=table.state.seq))
            return
        table.command(c.SetPosition(seen_seq=table.state.seq, position=position))
        table.command(c.SetTurn(seen_seq=table.state.seq, seat=seat, dice=dice))
        table.command(c.SetCube(seen_seq=table.state.seq, value=scene.cube.value, owner=scene.cube.owner))
        self.offset = turn - table.state.turns

    def _check(self, scene: Scene) -> None:
        state = self.table.state
        last = state.last_turn
        if state.reconcile or state.phase is not Phase.TO_ROLL or last is None or scene.what in ("throw", "bad throw"):
            return
        turn = self.turn - 1
        if 0 <= turn < len(self.turns) and state.position not in (self.turns[turn].final, self.turns[turn].illegal):
            self._wrong("silent", f"turn {turn}: position wrong and nothing asked")
            self._by_hand(scene)


Eyes = Callable[[list[TrueTurn], list[Scene], random.Random], Iterable[tuple[Scene, Reading]]]
"""What is read of a game, given its turns and scenes and what decides by chance."""


def refereed(turns: int, seed: int, illegal: float, stills: bool, eyes: Eyes) -> Tally:
    """What comes of random games, a share ``illegal`` of whose plays is that, until ``turns`` turns have been played. Raises
    `click.UsageError` for less than one."""
    if turns < 1:
        raise click.UsageError("--turns is 1 or more")
    tally, game = Tally(), 0
    while tally.turns < turns:
        rng = random.Random(f"{seed} {game}")
        true, scenes = random_game(rng, illegal)
        one = truth_of(true, scenes)
        referee = Refereed(true, one, stills)
        referee.watch(eyes(true, scenes, rng))
        referee.missed()
        _add(tally, one, game)
        game += 1
    return tally


def _waited_for(turn: TrueTurn) -> bool:
    """Whether the play that was put right is one that may have been going on: nothing was moved, or a checker that was hit lay beside the
    bar."""
    assert turn.illegal is not None
    assert turn.roll is not None
    results = LegalPlays(turn.before, turn.seat, turn.roll).results
    return turn.illegal == turn.before or hit_beside(turn.before, turn.illegal, turn.seat, results) is not None


def _add(total: Tally, one: Tally, game: int) -> None:
    """Adds what came out of one ``game``."""
    for name, value in vars(one).items():
        if isinstance(value, int):
            setattr(total, name, getattr(total, name) + value)
    total.about += one.about
    total.faults += [f"game {game}, {fault}" for fault in one.faults]


def tell(report: Mapping[str, object], sentence: str | None, faults: list[str]) -> None:
    """Prints the ``sentence``, or the ``report`` as JSON where there is none, and the ``faults`` on standard error."""
    click.echo(json.dumps(report) if sentence is None else sentence)
    for fault in faults:
        click.echo(f"  {fault}", err=True)
