"""Rulings on random games read by eyes that misread: legal plays called illegal, illegal ones missed, questions asked.

Games are played at random to their end, one play in twenty illegal; the readings are drawn from the model that
`web.cli._confusion.Confusion` states, with its rates. A person answers each question truly: by one of its answers where the truth
is among them, else by setting position and turn by hand. What the camera saw goes through the same table service as live play.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

import click

from referee.match import arbiter
from referee.match import commands as c
from referee.match import events as e
from referee.match.journal import MemoryJournal
from referee.match.memory import Memory
from referee.match.state import Phase
from referee.match.table import TableService
from referee.rules.presets import preset
from web.cli._confusion import Confusion, Scene, TrueTurn, pictures, random_game

ILLEGAL = 0.05
ENDS = (e.Played, e.PlayCorrected, e.IllegalPlayStood, e.NoRoll)


@dataclass
class Tally:
    """What came out. ``caught``: illegal plays called at once, ``by_question``: called by the answer to a question. ``unannounced``:
    illegal plays of a roll the eyes had not made out when the play was shown, which nobody can judge. ``silent``: turns that
    ended in a position that is not the true one with nobody asked."""

    turns: int = 0
    legal: int = 0
    illegal: int = 0
    alarms: int = 0
    caught: int = 0
    by_question: int = 0
    unannounced: int = 0
    silent: int = 0
    questions: int = 0
    by_hand: int = 0
    voids: int = 0
    true_voids: int = 0
    readings: int = 0
    about: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class _Referee:
    """One game at a table, with a person who knows the truth."""

    def __init__(self, turns: list[TrueTurn], tally: Tally, stills: bool) -> None:
        self.turns, self.tally = turns, tally
        self.table = TableService(MemoryJournal(), preset("bray"), arbiter.consider, Memory(stills=stills))
        self.table.command(c.StartMatch(seen_seq=0, names=("", ""), games=1))
        self.offset = 0  # the true turn is the counted one plus this
        self.judged: set[int] = set()
        self.asked: set[int] = set()
        self.shown: set[int] = set()
        self.phase_before, self.turn_before = Phase.SETTING_UP, 0

    @property
    def turn(self) -> int:
        return self.table.state.turns + self.offset

    def see(self, scene: Scene, logged: tuple[e.Logged, ...]) -> None:
        """Counts what was ruled, answers what was asked, puts right what went wrong unnoticed."""
        if scene.what == "illegal" and scene.turn not in self.shown:
            self.shown.add(scene.turn)
            rolled = any(isinstance(one.event, e.Rolled | e.OpeningRolled) for one in logged) or self.phase_before is not Phase.TO_ROLL
            self.tally.unannounced += not (rolled and self.turn_before == scene.turn)
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
            if isinstance(event, e.IllegalPlay | e.IllegalPlayStood) and turn not in self.judged:
                self.judged.add(turn)
                true = self.turns[turn] if turn < len(self.turns) else None
                if true is None or true.illegal is None:
                    self.tally.alarms += 1
                    self.tally.faults.append(f"turn {turn} of seed: legal play called illegal ({event.reason.code})")
                elif turn in self.asked:
                    self.tally.by_question += 1
                else:
                    self.tally.caught += 1
            elif isinstance(event, e.PlayCorrected) and turn not in self.judged:
                self.judged.add(turn)
                if turn < len(self.turns) and self.turns[turn].illegal is not None:
                    self.tally.caught += 1
                else:
                    self.tally.alarms += 1
                    self.tally.faults.append(f"turn {turn}: legal play called corrected")
            elif isinstance(event, e.RollVoid):
                self.tally.voids += 1
            turns_before += isinstance(event, ENDS)

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
                case e.RollVoid():
                    return scene.turn == turn and scene.what == "bad throw"
                case _:
                    return False
        return True

    def _by_hand(self, scene: Scene) -> None:
        """Sets position and turn as they are now; a play that is still being put right is taken as put right."""
        self.tally.by_hand += 1
        true = self.turns[scene.turn]
        if scene.what in ("played", "illegal"):
            position, seat, dice, turn = true.final, true.seat.other, None, scene.turn + 1
        else:
            thrown = scene.what == "throw"
            position, seat, dice, turn = true.before, true.seat, true.roll if thrown else None, scene.turn
        table = self.table
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
            self.tally.silent += 1
            self.tally.faults.append(f"turn {turn}: position wrong and nothing asked")
            self._by_hand(scene)


def play(turns: int, seed: int, confusion: Confusion, stills: bool) -> Tally:
    """Referees random games until ``turns`` turns have been played."""
    tally = Tally()
    game = 0
    while tally.turns < turns:
        dice = random.Random(f"{seed} {game}")
        true, scenes = random_game(dice, ILLEGAL)
        one = Tally()
        referee = _Referee(true, one, stills)
        for scene, reading in pictures(scenes, dice, confusion, 1 if stills else 3):
            one.readings += 1
            referee.see(scene, referee.table.observe(reading))
            if referee.table.state.phase is Phase.MATCH_OVER:
                break
        one.turns = len(true)
        one.illegal = sum(turn.illegal is not None for turn in true)
        one.legal = one.turns - one.illegal
        one.true_voids = sum(scene.what == "bad throw" for scene in scenes)
        _add(tally, one, game)
        game += 1
    return tally


def _add(total: Tally, one: Tally, game: int) -> None:
    for name, value in vars(one).items():
        if isinstance(value, int):
            setattr(total, name, getattr(total, name) + value)
    total.about += one.about
    total.faults += [f"game {game}, {fault}" for fault in one.faults]


def run(json_out: bool, turns: int = 10_000, seed: int = 1, mode: str = "both", show: int = 0, perfect: int = 0) -> int:
    """Measures and prints. ``mode``: stills (one picture a moment), stream (three readings a moment) or both. ``show`` so many faults.
    ``perfect`` 1: eyes without faults. Exit status 1 when a legal play is called illegal, fewer than 99 % of the illegal ones whose
    roll was made out are called, or more than 2 questions in 100 turns are asked."""
    if mode not in ("both", "stills", "stream"):
        raise click.UsageError("--mode is stills, stream or both")
    rates = Confusion()
    confusion = replace(rates, **dict.fromkeys(asdict(rates), 0.0)) if perfect else rates
    worst = 0
    for stills in (True, False) if mode == "both" else (mode == "stills",):
        started = time.perf_counter()
        tally = play(turns, seed, confusion, stills)
        took = time.perf_counter() - started
        report = {
            "part": "arbiter", "mode": "stills" if stills else "stream", "seed": seed, "turns": tally.turns, "readings": tally.readings,
            "legal": tally.legal, "legal_called_illegal": tally.alarms, "illegal": tally.illegal, "illegal_called": tally.caught,
            "illegal_called_after_a_question": tally.by_question,
            "illegal_of_a_roll_not_made_out": tally.unannounced, "wrong_and_not_asked": tally.silent, "questions": tally.questions,
            "questions_in_100_turns": round(100 * tally.questions / tally.turns, 2), "put_right_by_hand": tally.by_hand,
            "bad_throws": tally.true_voids, "voided": tally.voids, "asked_about": dict(tally.about.most_common()),
            "seconds": round(took, 1), "ms_a_reading": round(1000 * took / max(1, tally.readings), 2), "model": asdict(confusion),
        }
        click.echo(json.dumps(report) if json_out else _sentence(report))
        for fault in tally.faults[:show]:
            click.echo(f"  {fault}", err=True)
        called = tally.caught + tally.by_question >= 0.99 * (tally.illegal - tally.unannounced)
        good = tally.alarms == 0 and called and tally.questions <= 0.02 * tally.turns
        worst = max(worst, 0 if good else 1)
    return worst


def _sentence(report: Mapping[str, object]) -> str:
    return (
        f"{report['mode']}: {report['turns']} turns, {report['readings']} readings in {report['seconds']} s: "
        f"{report['legal_called_illegal']} of {report['legal']} legal plays called illegal, "
        f"{report['illegal_called']} of {report['illegal']} illegal plays called at once and "
        f"{report['illegal_called_after_a_question']} after a question ({report['illegal_of_a_roll_not_made_out']} of a roll not seen), "
        f"{report['questions']} questions ({report['questions_in_100_turns']} in 100 turns: {report['asked_about']}), "
        f"{report['wrong_and_not_asked']} positions wrong with nothing asked"
    )
