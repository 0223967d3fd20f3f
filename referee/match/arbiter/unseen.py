"""A position that no announced roll explains: a roll nobody saw, or a sweep. It is asked about, never guessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import prod

from referee.board.difference import ROLLS, difference
from referee.board.plays import BAR, Roll
from referee.board.position import CHECKERS, START, Position, Seat
from referee.match.arbiter.memory import Memory, Step, TurnMemory, ask
from referee.match.arbiter.throws import roll_of
from referee.match.events import (
    Answer,
    Doubt,
    Event,
    IllegalPlayStood,
    Kind,
    NoRoll,
    OpeningRolled,
    PlayCorrected,
    PositionSet,
    ResignationAccepted,
    Resigned,
    Ruled,
    TurnSet,
)
from referee.match.follow import won
from referee.match.judge import ANSWERS
from referee.match.mover import Mover, mover, results_now
from referee.match.said.cube import drops, offered
from referee.match.said.setup import setup_answer
from referee.match.state import PLAYING, MatchState, Phase
from referee.match.turn import answer_played, answer_turn, illegal_as_seen, played
from referee.rules.correction import impossible
from referee.rules.dice import right_half
from referee.rules.plays import closed_out
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet
from referee.rules.scoring import game_over

SWEEP = 6
"""More checkers than this leaving their points are no play."""
HIT, FEW = 18, 2
"""A checker that has come to a point above the first was hit; so often at most in a few turns."""
PIPS = 3
"""A whole turn is three pips or more: who has moved his checkers by less has shifted one of them."""


def _rank(*rolls: Roll, thrown: Iterable[Roll] = (), then: Iterable[Roll] = ()) -> tuple[bool, bool, int]:
    """What sorts the answers that these ``rolls`` were made: those first whose first was seen, if in doubt, to be ``thrown``, and whose
    last, of two, to be thrown ``then``; and the likelier ones."""
    first, last = ({tuple(sorted(roll)) for roll in seen} for seen in (thrown, then))
    likelier = -prod(1 if a == b else 2 for a, b in rolls)
    return tuple(sorted(rolls[0])) not in first, tuple(sorted(rolls[-1])) not in last, likelier


def _rolled_and_played(
    state: MatchState, seat: Seat, before: Position, after: Position, rules: RuleSet, thrown: Iterable[Roll] = ()
) -> list[Answer]:
    """The answers that ``seat`` has rolled, and played from ``before`` to ``after``, one for each of the likeliest rolls that explain it.
    ``thrown``: rolls that were seen in doubt."""
    his = mover(state, seat, rules, before)
    rolls = sorted(his.rolls_to(after), key=lambda roll: _rank(roll, thrown=thrown))
    return [answer_turn(*his.turn(roll, after)) for roll in rolls[:ANSWERS]]


def roll_doubt(
    state: MatchState, seen: Position, rules: RuleSet, thrown: tuple[Roll, ...] = (), then: tuple[Roll, ...] = ()
) -> Doubt:
    """The question about a settled position that differs from the last one with no roll announced.

    ``thrown``, ``then``: rolls of the seat on roll, and of the other, that were seen in doubt and are offered first. Answers: the rolls
    that explain the position, failing that the pairs of turns, and the last play made otherwise than it was logged; the likeliest three.
    """
    seat = state.on_roll
    assert seat is not None
    answers = _rolled_and_played(state, seat, state.position, seen, rules, thrown)
    turns = 1 if answers else 0
    if len(answers) < ANSWERS:
        answers.extend(_last_play_changed(state, seen, rules))
    if not answers:
        answers.extend(_two_turns(state, seat, seen, rules, thrown, then))
        turns = 2 if answers else 0
    if turns == 1 and seen.off[seat.index] == CHECKERS:  # with any roll, perhaps: then nobody throws for it
        kind = won(replace(state, position=seen), seat, rules).kind
        answers[ANSWERS - 1 :] = [_resigned(offered(state, seat.other, kind, rules))]
    code = ("roll_unseen" if turns else "play_changed") if answers else "position_differs"
    return Doubt("roll" if answers else "position", because(code, seat=seat.value, turns=turns), tuple(answers[:ANSWERS]))


def differs_doubt(state: MatchState, seen: Position, rules: RuleSet) -> Doubt:
    """The question about a board that nothing explains: it was set up wrongly, or play goes on from there."""
    set_up = setup_answer(state, seen, rules)
    seats = (state.on_roll.other, state.on_roll) if state.on_roll is not None else Seat
    answers = (*(() if set_up is None else (set_up,)), *goes_on(state, seen, seats))
    return Doubt("position", because("position_differs"), answers)


def goes_on(state: MatchState, seen: Position, seats: Iterable[Seat]) -> tuple[Answer, ...]:
    """The answers that turns went by which nobody saw, and play goes on from ``seen``, one for each of ``seats`` who may be to roll. Of
    what was played the log claims nothing. None where the board cannot be played on from, or a checker is neither on it nor off."""
    if impossible(seen) is not None or game_over(seen) is not None:
        return ()
    for who in Seat:
        gone = seen.off[who.index] - state.position.off[who.index]
        if gone < 0 or (gone > 0 and any(seen.on_point(who, point) for point in range(7, 25))):
            return ()
    return tuple(
        Answer(because("goes_on", "", seat=seat.value), (Ruled("position", because("gap")), PositionSet(seen), TurnSet(seat)))
        for seat in seats
    )


def _last_play_changed(state: MatchState, seen: Position, rules: RuleSet) -> list[Answer]:
    """The player who has just played changed his play after it was accepted."""
    turn = state.standing_turn
    if turn is None or turn.dice is None or state.phase is not Phase.TO_ROLL:
        return []
    theirs = mover(state, turn.seat, rules, turn.before)
    return [_otherwise(theirs, turn.dice, seen)] if seen in theirs.results(turn.dice) else []


def _otherwise(theirs: Mover, dice: tuple[int, int], after: Position, *then: Event) -> Answer:
    """The answer that who played last has played his ``dice`` otherwise, to the board ``after``, and what came ``then``."""
    seat, text = theirs.seat, theirs.notation(dice, after)
    return Answer(because("played_otherwise", seat=seat.value, play=text), (PlayCorrected(seat, dice, text, after), *then))


def changed_doubt(state: MatchState, seen: Position, rules: RuleSet) -> Doubt | None:
    """``seen`` is no legal result of the roll being played, and is one from another play of the last roll: its player has changed his play,
    or it was put right, after it was logged. None where no play of it explains that."""
    (seat, roll), last = state.rolled, state.standing_turn
    if last is None or last.dice is None or last.seat is seat:
        return None
    theirs, found = mover(state, last.seat, rules, last.before), list[Answer]()
    if not has_played(state.position, seen, last.seat) and state.position in theirs.outcomes(last.dice):
        return None  # where it was none, his checkers may stand well, and one of the other's has been put back since
    for middle in theirs.results(last.dice):
        mine = mover(state, seat, rules, middle)
        if middle != state.position and _can_follow(middle, seen, last.seat) and seen in mine.outcomes(roll):
            found.append(_otherwise(theirs, last.dice, middle, mine.played(roll, seen)))
    if not found:
        return None
    return Doubt("play", because("changed_since", seat=last.seat.value), (*found[: ANSWERS - 1], illegal_as_seen(state, seen, rules)))


def _two_turns(
    state: MatchState, seat: Seat, seen: Position, rules: RuleSet, thrown: tuple[Roll, ...], then: tuple[Roll, ...]
) -> list[Answer]:
    """Pairs of turns that lead to ``seen``, those first whose rolls were seen in doubt to be ``thrown`` and thrown ``then``.

    Only first turns that leave this seat's checkers where they are seen, or on the bar or its way there, are followed, which keeps the
    search short.
    """
    found: list[tuple[tuple[Roll, Roll], Answer]] = []
    mine = mover(state, seat, rules)
    for first in ROLLS:
        for middle in mine.outcomes(first):
            if not _can_follow(middle, seen, seat):
                continue
            theirs = mover(state, seat.other, rules, middle)
            for second in theirs.rolls_to(seen):
                if middle == seen == mine.before:
                    continue
                events = (*mine.turn(first, middle), *theirs.turn(second, seen))
                reason = because(
                    "two_turns", seat=seat.value, high=max(first), low=min(first), other_high=max(second), other_low=min(second)
                )
                found.append(((first, second), Answer(reason, events)))
    found.sort(key=lambda pair: _rank(*pair[0], thrown=thrown, then=then))
    return [answer for _, answer in found[:ANSWERS]]


def _can_follow(middle: Position, seen: Position, seat: Seat) -> bool:
    """The second player moves none of ``seat``'s checkers but by hitting them: they stand as seen, or were hit to the bar."""
    hit = seen.bar[seat.index] - middle.bar[seat.index]
    if hit < 0 or seen.off[seat.index] != middle.off[seat.index]:
        return False
    change = difference(middle, seen)[seat]
    return len(change.left) == hit and all(point == BAR for point in change.arrived)


def has_played(before: Position, seen: Position, seat: Seat) -> bool:
    """Whether checkers of ``seat`` have moved otherwise than by being hit."""
    return any(point != BAR for point in difference(before, seen)[seat].arrived) or seen.bar[seat.index] < before.bar[seat.index]


def moved_on(before: Position, seen: Position, seat: Seat) -> bool:
    """Whether the checkers of ``seat`` have moved on by a turn, or were borne off; none that could not be has left the board."""
    gone = seen.off[seat.index] - before.off[seat.index]
    home = not any(before.on_point(seat, point) for point in range(7, 26))
    return home if gone > 0 else gone == 0 and before.pips(seat) - seen.pips(seat) >= PIPS


def turn_doubt(state: MatchState, seen: Position, rules: RuleSet, thrown: tuple[Roll, ...] = ()) -> Doubt | None:
    """``seen`` is no legal result of the roll being played; it may be one from which the other has already played on. ``thrown``: what
    the other's dice showed, as far as they were seen. None when no legal play and roll explain it."""
    seat, roll = state.rolled
    mine = mover(state, seat, rules)
    found: list[tuple[Roll, Answer]] = []
    for middle in mine.outcomes(roll):
        if not _can_follow(middle, seen, seat):
            continue
        play, theirs = mine.played(roll, middle), mover(state, seat.other, rules, middle)
        for low, high in theirs.rolls_to(seen):
            events = (play, *theirs.turn((low, high), seen))
            found.append(((low, high), Answer(because("then_rolled", play=play.play, high=high, low=low), events)))
    if not found:
        return None
    found.sort(key=lambda pair: _rank(pair[0], thrown=thrown))
    answers = [answer for _, answer in found[: ANSWERS - 1]]
    return Doubt("play", because("turn_unseen"), (*answers, illegal_as_seen(state, seen, rules)))


def round_doubt(state: MatchState, seen: Position, rules: RuleSet) -> Doubt:
    """``seen`` is no legal result of the roll being played, and more turns have gone by than can be told."""
    seat, _ = state.rolled
    answers = goes_on(state, seen, (seat, seat.other))
    return Doubt("play", because("turns_unseen"), (*answers, illegal_as_seen(state, seen, rules)))


def twice_doubt(state: MatchState, seen: Position, rules: RuleSet) -> Doubt | None:
    """``seen`` is no legal result of the roll being played; where a legal play of it closes the other out, it may be what came of the same
    numbers thrown again. None when no two plays of them explain it."""
    seat, roll = state.rolled
    mine, answers = mover(state, seat, rules), []
    for middle in mine.results(roll):
        then = mover(state, seat, rules, middle)
        if closed_out(middle, seat.other) and seen in then.results(roll):
            play = mine.played(roll, middle)
            events = (play, NoRoll(seat.other), *then.turn(roll, seen))
            answers.append(Answer(because("then_rolled", play=play.play, high=max(roll), low=min(roll)), events))
    if not answers:
        return None
    return Doubt("play", because("turn_unseen"), (*answers[: ANSWERS - 1], illegal_as_seen(state, seen, rules)))


def sweep_doubt(state: MatchState, seen: Position | None, rules: RuleSet) -> Doubt | None:
    """The board is cleared away: "is the game over?", with the likely answers. ``seen`` None: that is not seen."""
    if seen is None:
        return None
    wins = _winning(state, rules)
    won = bool(wins) and state.on_roll is not None and seen.off[state.on_roll.index] == CHECKERS  # and the loser takes his up
    swept = _swept(state.position, seen) and not _gone_forward(state.position, seen)
    if not (won or swept or _set_up_anew(state, seen)):
        return None
    answers: list[Answer] = []
    if drop := drops(state):
        answers.append(Answer(because("dropped", seat=drop[-1].seat.value), drop))
    answers += [answer_played(played(state, after, rules)) for after in wins[:1]]
    behind = max(Seat, key=state.position.pips)
    off = [state.position.off[seat.index] - state.missing[seat.index] for seat in (behind, behind.other)]
    lost = [(behind, Kind.SINGLE), (behind, Kind.GAMMON)] if off[0] == 0 < off[1] else [(behind, Kind.SINGLE)]
    offers = dict.fromkeys(offered(state, seat, kind, rules) for seat, kind in (*lost, (behind.other, Kind.SINGLE)))
    answers += map(_resigned, offers)
    return Doubt("game_over", because("swept"), tuple(answers[:ANSWERS]))


def _resigned(offer: Resigned) -> Answer:
    return Answer(because("resigned", seat=offer.seat.value, points=offer.points), (offer, ResignationAccepted(offer.seat.other)))


def _winning(state: MatchState, rules: RuleSet) -> list[Position]:
    """The positions to which a play of the announced roll leads that takes the last checker off."""
    if state.phase not in PLAYING or state.on_roll is None:
        return []
    return [after for after in results_now(state, rules) if after.off[state.on_roll.index] == CHECKERS]


def _swept(before: Position, seen: Position) -> bool:
    """Whether more checkers left their points than any play moves. One that lies on the bar now was hit."""
    changes = difference(before, seen).values()
    return sum(len(change.left) - change.arrived.count(BAR) for change in changes) > SWEEP


def _gone_forward(before: Position, seen: Position) -> bool:
    """Whether all checkers are on the board yet and have gone forward, but for a few that may have been hit: turns that went by."""
    if before.off != seen.off:
        return False
    for change in difference(before, seen).values():
        hit = sum(point > HIT for point in change.arrived)
        left = change.left[: len(change.left) - hit]
        if hit > FEW or any(to > point for point, to in zip(left, change.arrived[hit:], strict=True)):
            return False
    return True


def went_by(before: Position, seen: Position) -> bool:
    """Whether more checkers have gone forward than any play moves, and none has left the board: turns went by."""
    return _swept(before, seen) and _gone_forward(before, seen)


def _set_up_anew(state: MatchState, seen: Position) -> bool:
    """Whether all stands at the start again, and not because the one who has begun takes his play back."""
    return seen == START != state.position and (state.turns > 1 or state.phase is Phase.DOUBLED)


def unexplained(state: MatchState, seen: Position, memory: Memory, rules: RuleSet) -> Step:
    """Asks about a position that no announced roll explains."""
    memory = replace(memory, turn=replace(memory.turn, strange=None))
    question = sweep_doubt(state, seen, rules)
    if question is None and state.phase is Phase.OPENING:
        question = opening_doubt(state, seen, rules, seen_in_part(None, memory.turn))
    question = question or roll_doubt(state, seen, rules, seen_in_part(state.on_roll, memory.turn), others_in_part(memory.turn))
    return ask_how(state, question, seen, memory, rules)


def ask_how(state: MatchState, question: Doubt, seen: Position, memory: Memory, rules: RuleSet) -> Step:
    """Asks the ``question`` how the board came to stand as ``seen``; where nothing explains it, or a person has said that none of the
    answers was right, how play goes on from there."""
    asked = memory.asked
    if state.doubt is None and asked.was_of(seen, state):
        if asked.about == "position":
            return memory, ()  # put aside: a person puts it right
        if (asked.about, asked.code) == (question.about, question.reason.code):
            question = differs_doubt(state, seen, rules)
            return ask(memory, state, question, seen) if question.answers else (memory, ())
    return ask(memory, state, question if question.answers else differs_doubt(state, seen, rules), seen)


def seen_in_part(seat: Seat | None, turn: TurnMemory) -> tuple[Roll, ...]:
    """Rolls of ``seat`` that were seen in doubt, or ruled void and perhaps wrongly: likelier than any other."""
    there = right_half(seat.other) if seat is not None else None  # what lay there alone was rather the other's
    void = roll_of(turn.void) if any(die.half is not there for die in turn.void) else None
    return (*turn.unsure_throw.rolls, *turn.in_part, *turn.glimpse, *((void,) if void is not None else ()))


def others_in_part(turn: TurnMemory) -> tuple[Roll, ...]:
    """What was seen of a throw of the player who is not on roll, for the case that a turn of each goes by before more is told."""
    valid = roll_of(turn.others)
    return (*((valid,) if valid is not None else ()), *turn.ahead.perhaps)


def gone_on_doubt(state: MatchState, stood: IllegalPlayStood, seen: Position, again: bool, rules: RuleSet) -> Doubt:
    """An illegal play was held, and the other seems to have played on from it with a roll that nobody saw. ``again``: and he whose play it
    was has thrown since, so that turns went by though nothing explains the board."""
    seat = stood.seat.other
    answers: Iterable[Answer] = _rolled_and_played(state, seat, stood.position, seen, rules)
    if not answers and again:
        answers = goes_on(state, seen, (stood.seat, seat))
    after = tuple(replace(answer, events=(stood, *answer.events)) for answer in answers)
    return Doubt("roll", because("roll_unseen", seat=seat.value, turns=1), after)


def opening_doubt(state: MatchState, seen: Position, rules: RuleSet, thrown: tuple[Roll, ...] = ()) -> Doubt:
    """The opening roll nobody saw. ``thrown``: rolls (near's, far's) that were seen in doubt and are offered first."""
    answers = []
    for seat in Seat:
        his = mover(state, seat, rules)
        for low, high in his.rolls_to(seen):
            if low == high:
                continue
            dice = (high, low) if seat is Seat.NEAR else (low, high)
            answers.append((dice not in thrown, answer_turn(OpeningRolled(seat, dice), his.played(dice, seen))))
    answers.sort(key=lambda found: found[0])
    about, code = ("roll", "roll_unseen") if answers else ("position", "position_differs")
    return Doubt(about, because(code), tuple(answer for _, answer in answers[:ANSWERS]))


def starter_doubt(state: MatchState, seen: Position, rules: RuleSet) -> Doubt | None:
    """The opening roll was played by the one who threw the lower number; None where the board does not tell so. Either it is his after
    all, or the checkers are put back and the other plays it."""
    if not state.opening_turn or state.on_roll is None or state.dice is None:
        return None
    seat, other, dice = state.on_roll, state.on_roll.other, (state.dice[1], state.dice[0])
    theirs = mover(state, other, rules)
    if seen not in theirs.results(dice):
        return None
    leads = {other: (OpeningRolled(other, dice), theirs.played(dice, seen)), seat: (PositionSet(state.position),)}
    high, low = max(dice), min(dice)
    answers = (Answer(because("starts", "", seat=one.value, high=high, low=low), events) for one, events in leads.items())
    return Doubt("play", because("other_began", "", seat=other.value), tuple(answers))
