"""Camera and tower as witnesses of a throw: who is believed, and when they must agree. Pure.

Dice that stay inside the box have only the box to speak for them: while such a box is connected no dice in sight count. On the field and
in a tray both may speak: they agree, and the throw is accepted; they differ, or one of them is silent for `PATIENCE` seconds, and it is
asked. A throw is never guessed. Whether one came before its turn only the camera sees, by the dice that still lie there: a tower alone
voids none for that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations

from referee.board.position import Seat
from referee.match.arbiter.settle import without
from referee.match.early import decided, early_doubt
from referee.match.events import (
    Answer,
    Doubt,
    EarlyRoll,
    Event,
    NoRoll,
    OpeningRolled,
    OpeningTied,
    PlayCorrected,
    Played,
    Rolled,
    RollVoid,
    Taken,
)
from referee.match.state import IN_GAME, PLAYING, TO_THROW, MatchState, Phase
from referee.match.turn import opened, says_roll, with_dance
from referee.observations import CAMERA, About, DieState, Reading, Rests, SeenDie, TowerThrow
from referee.rules.citing import cite_bad_throw
from referee.rules.dice import both_read, premature
from referee.rules.plays import closed_out
from referee.rules.reason import because
from referee.rules.ruleset import PrematureRoll, RuleSet

PATIENCE = 3.0
"""s a witness may be behind the other before it is asked."""
HANDS = 10.0
"""s the camera is waited for after a throw was felt, while hands keep it from looking."""
STALE = 5.0
"""s after which what a box reports late (it was unplugged) is no longer taken as said now: a throw is asked about, if at all."""
PAST = 30.0
"""s after which it is kept and nothing else: nobody waits so long for his throw to be taken."""

ROLLS = (Rolled, OpeningRolled, OpeningTied)


class Witnesses(Enum):
    """Whose word makes a throw: either's (where both speak they must agree), the camera's alone, the tower's alone, or both.

    A tower that does not read its dice says that there was a throw; what it shows is then the camera's to say."""

    ANY = "any"
    CAMERA = "camera"
    TOWER = "tower"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Witness:
    """What is remembered between reports. ``felt``: the last throw of the tower that nothing has come of yet; ``ahead``: one that it felt
    while the other's turn lasted, which the camera is to tell. ``camera_on``: the table has a camera. ``inside``: the box that is
    connected keeps its dice inside, and so its word alone makes a throw, whatever ``who`` says. ``lying``: the dice in sight before
    ``felt``; ``sighted``: others are in sight since, and the camera has the word about them, however long they take to be read;
    ``looked``: when it had its last whole look. ``taken``: the roll that its word alone made, at ``taken_at``. ``opening``: each player's
    one die, as the tower read it in game ``game``; ``late``: those of which it is to be asked whether they count."""

    who: Witnesses = Witnesses.ANY
    camera_on: bool = True
    inside: bool = False
    felt: TowerThrow | None = None
    ahead: TowerThrow | None = None
    seen: tuple[Event, ...] = ()
    seen_at: float = 0.0
    lying: tuple[SeenDie, ...] = ()
    sighted: bool = False
    looked: float = float("-inf")
    taken: Rolled | None = None
    taken_at: float = 0.0
    opening: tuple[TowerThrow, ...] = ()
    late: tuple[TowerThrow, ...] = ()
    game: int = 0

    def forgotten(self) -> Witness:
        """With no throw of either that waits for the other's word."""
        return replace(self, felt=None, ahead=None, seen=())


Step = tuple[Witness, tuple[Event, ...]]


def tower_says(state: MatchState, throw: TowerThrow, rules: RuleSet, witness: Witness, now: float) -> Step:
    """A throw felt or read by the tower at ``throw.captured_at``; ``now`` on the same clock."""
    if witness.who is Witnesses.CAMERA and throw.rests is not Rests.INSIDE:
        return witness, ()
    age, opening = now - throw.captured_at, state.phase is Phase.OPENING
    alone, here = _alone(state, throw, witness), _of_this_moment(state, throw)
    # What cannot be told by its side may be the throw before, which a person has entered by hand meanwhile.
    late = age > STALE or (alone and throw.seat is None and throw.values is not None and not here)
    counts = age <= STALE or (here and age <= PAST)
    one_die = opening and alone and throw.values is not None and len(throw.values) == 1
    if late and not (counts and one_die):  # which makes no throw yet
        return witness, _asked_about(state, _taken_at_its_word(state, throw, rules)) if counts and alone else ()
    if throw.values is None and throw.rests is Rests.INSIDE:
        return witness, ()  # what was thrown is still to come
    if _of_the_same_throw(state, throw, witness):
        return replace(witness, taken=None), _against(state, throw)
    if _of_the_turn_before(state, throw):
        return witness, ()
    if state.phase in PLAYING and throw.seat is not state.on_roll:
        return (witness, _early(state, throw, rules)) if alone else (_kept_ahead(throw, witness), ())
    if state.phase not in TO_THROW:
        return witness, ()
    if throw.values is None:
        return replace(witness, felt=throw, ahead=None, sighted=False), ()
    if opening:
        return _read_at_opening(state, throw, rules, witness, late)
    return _read(state, throw, rules, witness, late)


def recalled(state: MatchState, die: TowerThrow, witness: Witness) -> Witness:
    """With the one opening ``die`` that was thrown before the program was started again: it is asked about when the other comes."""
    return replace(witness, opening=(die,), late=(die,), game=state.game) if state.phase is Phase.OPENING else witness


def _read_at_opening(state: MatchState, throw: TowerThrow, rules: RuleSet, witness: Witness, late: bool) -> Step:
    """Dice that the tower read where each player throws one. ``late`` as in `_read`."""
    values = throw.values or ()
    if len(values) == 2 and throw.seat is not None:
        if _alone(state, throw, witness):  # one die each: both out of one player's side of the box are none
            return replace(witness, felt=None, opening=()), (RollVoid(None, values, because("wrong_half", cite_bad_throw(rules))),)
        throw = replace(throw, seat=None)  # the camera sees whose they are
    elif len(values) == 1:
        lying = witness.opening if witness.game == state.game else ()
        dice = (*(one for one in lying if one.seat is not throw.seat or one.seat is None), throw)[-2:]
        of_late = tuple(one for one in dice if one in witness.late or (late and one is throw))
        if len(dice) < 2:
            return replace(witness, opening=dice, late=of_late, game=state.game), ()
        throw, late = _together(dice), bool(of_late)
    return _read(state, throw, rules, witness, late)


def _read(state: MatchState, throw: TowerThrow, rules: RuleSet, witness: Witness, late: bool) -> Step:
    """A whole throw that the tower read. ``late``: its own word for it is asked about."""
    witness = replace(witness, opening=(), late=(), ahead=None)
    if _alone(state, throw, witness) and (throw.rests is Rests.INSIDE or witness.who is not Witnesses.BOTH):
        said = _taken_at_its_word(state, throw, rules)
        if said and isinstance(said[-1], Rolled) and not _sees(state, witness):
            said = (*said[:-1], *with_dance(state, said[-1], rules))
        return replace(witness, felt=None), _asked_about(state, said) if late else said
    if witness.seen:
        return _compare(replace(witness, felt=throw))
    return replace(witness, felt=throw, sighted=False), ()


def _asked_about(state: MatchState, likely: tuple[Event, ...]) -> tuple[Event, ...]:
    """Whether a throw that is reported late, and would be ``likely``, counts: nobody else tells of it, and its player may see it on the
    box and wait. Nothing where it was none that does."""
    if any(isinstance(event, Doubt) for event in likely):  # its word is a question by itself
        return likely
    asks = state.doubt is None and any(isinstance(event, ROLLS) for event in likely)
    return (_ask("throw_late", (likely,)),) if asks else ()


def _of_this_moment(state: MatchState, throw: TowerThrow) -> bool:
    """Whether the same throw was waited for when it was made as is now."""
    then = state
    while then.before is not None and then.at > throw.captured_at:
        then = then.before
    return then.awaits == state.awaits


def _of_the_turn_before(state: MatchState, throw: TowerThrow) -> bool:
    """Whether the other player has made it, in the turn before, which a person has told and ended meanwhile, as one that is danced. Of a
    tower that cannot tell whose it is the numbers tell so."""
    last = state.last_turn
    if state.phase not in (Phase.TO_ROLL, Phase.DOUBLED) or state.on_roll is None or last is None or last.seat is state.on_roll:
        return False
    his = throw.seat is last.seat or (throw.seat is None and last.dice is not None and _fits(throw.values or (), last.dice))
    return his and throw.captured_at < state.as_of(last.seq).at and not closed_out(state.position, state.on_roll)


def in_sight(reading: Reading, witness: Witness) -> Reading:
    """``reading`` without dice that nobody has thrown: those in play are inside the box."""
    if not witness.inside:
        return reading
    return replace(reading, dice=(), doubts=tuple(doubt for doubt in reading.doubts if doubt.about is not About.DIE))


def camera_looks(reading: Reading, witness: Witness) -> Witness:
    """The dice in sight in a reading, read or not."""
    if not reading.hand:
        witness = replace(witness, looked=reading.captured_at)
    if witness.felt is None:
        return replace(witness, lying=reading.dice, sighted=False)
    return replace(witness, sighted=True) if without(reading.dice, witness.lying) else witness


def camera_says(events: tuple[Event, ...], witness: Witness, now: float) -> tuple[Witness, tuple[Event, ...], bool]:
    """``events`` that the arbiter made of a reading: what is to be logged of them now, and whether the arbiter's memory of the
    reading counts (False: the throw waits for the tower, and will be read again; the play before it does not wait)."""
    rolls = tuple(e for e in events if isinstance(e, ROLLS))
    who = Witnesses.TOWER if witness.inside else witness.who
    if not rolls or who is Witnesses.CAMERA:
        voided = any(isinstance(e, RollVoid) for e in events)
        return (replace(witness, felt=None, ahead=None) if voided else witness), events, True
    felt = witness.felt or witness.ahead
    if felt is not None and felt.reads and felt.values is None and who is not Witnesses.ANY:
        felt = None  # what it read is still to come, and is asked for
    played = _until_played(events)
    if who is Witnesses.TOWER and (felt is None or felt.values is not None):
        return witness, played, False
    if felt is None:
        if who is Witnesses.ANY:
            return _at_its_word(rolls, witness, now), events, True
        since = witness.seen_at if witness.seen else now
        if now - since >= PATIENCE:
            return replace(witness, seen=()), (_ask("throw_not_felt", (events,)),), True
        return replace(witness, seen=events[len(played) :], seen_at=since), played, False
    if felt.values is None:
        return _at_its_word(rolls, witness.forgotten(), now), events, True
    witness, said = _compare(replace(witness, felt=felt, ahead=None, seen=events))
    return witness, said, True


def _until_played(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Those of ``events``, in which there is a roll, that end with the legal play before it; none where there is no such play."""
    place = next(place for place, event in enumerate(events) if isinstance(event, (Played, PlayCorrected, *ROLLS)))
    return events[: place + 1] if not isinstance(events[place], ROLLS) else ()


def time_passes(state: MatchState, rules: RuleSet, witness: Witness, now: float) -> Step:
    """A throw that was felt and never seen."""
    if witness.opening and state.phase is not Phase.OPENING:
        witness = replace(witness, opening=())  # the opening went on without the tower
    if witness.ahead is not None and _is_past(state, witness.ahead):
        witness = replace(witness, ahead=None)
    if state.phase not in TO_THROW:
        return replace(witness, felt=None, seen=()), ()  # a person has said what was thrown
    ahead = witness.ahead
    if witness.felt is None and ahead is not None and ahead.values is not None and ahead.seat is state.on_roll:
        # Its turn has come: the camera is waited for from now on.
        witness = replace(witness, felt=replace(ahead, captured_at=now), ahead=None, sighted=False)
    felt = witness.felt
    if felt is not None and _of_the_turn_before(state, felt):
        return replace(witness, felt=None, seen=()), ()
    if felt is None or state.doubt is not None or now - felt.captured_at < PATIENCE or witness.sighted:
        return witness, ()
    if not _sees(state, witness) and witness.who is not Witnesses.BOTH:
        return replace(witness, felt=None), ()
    hidden = _sees(state, witness) and witness.looked - felt.captured_at < PATIENCE
    if hidden and now - felt.captured_at < HANDS:
        return witness, ()
    likely = _taken_at_its_word(state, felt, rules) if felt.values is not None else ()
    asks = any(isinstance(event, Doubt) for event in likely)  # its word is a question by itself
    return replace(witness, felt=None), likely if asks else (_ask("throw_not_seen", (likely,) if likely else ()),)


def _sees(state: MatchState, witness: Witness) -> bool:
    """Whether a camera sees the board at this moment."""
    return witness.camera_on and CAMERA not in state.lost


def _alone(state: MatchState, throw: TowerThrow, witness: Witness) -> bool:
    """Whether the camera has no say about this throw."""
    told = throw.rests is Rests.INSIDE or (witness.who is Witnesses.TOWER and throw.values is not None)
    return told or not _sees(state, witness)


def _kept_ahead(throw: TowerThrow, witness: Witness) -> Witness:
    """A throw felt before the turn was known to be over. What a tower read of dice that may be those in play is not kept."""
    if throw.values is not None and (throw.seat is None or len(throw.values) != 2):
        return witness
    return replace(witness, ahead=throw)


def _is_past(state: MatchState, ahead: TowerThrow) -> bool:
    """Whether the turn that such a throw was for has come and gone without it."""
    return state.phase not in IN_GAME or (state.phase in PLAYING and ahead.seat is state.on_roll)


def _early(state: MatchState, throw: TowerThrow, rules: RuleSet) -> tuple[Event, ...]:
    """The other player's throw before the turn is known to be over, of which the tower alone tells. Whether he waited is not the
    tower's to see: while the roll is being played a person is asked where the rule set does not let such a throw stand."""
    seat = throw.seat
    if state.on_roll is None or state.dice is None or seat is None or state.early is not None:
        return ()
    ruling = premature(state.position, state.on_roll, state.dice, rules)
    asks = state.phase is not Phase.JUDGING and ruling in (PrematureRoll.ASK, PrematureRoll.REROLL)
    values = throw.values or ()
    if asks or None in values:
        return () if state.doubt is not None or decided(state) else (early_doubt(seat, values, rules, felt=True),)
    roll, bad = both_read(throw.values or ()), _bad(throw, seat, rules)
    if roll is None:
        return ()
    return (bad,) if bad is not None else (EarlyRoll(seat, roll, premature=False),)


def _together(dice: tuple[TowerThrow, ...]) -> TowerThrow:
    """The two opening dice as one throw: near's first, where the tower can tell whose is whose; else ``seat`` is None and their order
    means nothing."""
    first, second = sorted(dice, key=lambda one: one.seat is Seat.FAR)
    known = first.seat is Seat.NEAR and second.seat is Seat.FAR
    values, states = (first.values or ()) + (second.values or ()), first.states + second.states
    return replace(dice[-1], values=values, states=states, seat=Seat.NEAR if known else None)


def _opened(throw: TowerThrow, rules: RuleSet, asked: bool) -> tuple[Event, ...]:
    """The opening as the tower read it. ``asked``: a question is open already."""
    values = throw.values or ()
    if len(values) != 2:
        return ()
    bad = _bad(throw, None, rules)
    if bad is not None:
        return (bad,)
    dice = both_read(values)
    if dice is None:
        return () if asked else (_ask("die_not_read", ()),)
    if dice[0] == dice[1] or throw.seat is not None:
        return (opened(dice),)
    return () if asked else (_ask("throw_unsure", ((opened(dice),), (opened(dice[::-1]),))),)


def _taken_at_its_word(state: MatchState, throw: TowerThrow, rules: RuleSet) -> tuple[Event, ...]:
    """What the tower read, as the events it makes in this phase; nothing when it is not for the thrower to throw."""
    if state.phase is Phase.OPENING:
        return _opened(throw, rules, state.doubt is not None)
    if state.phase not in TO_THROW or state.on_roll is None:
        return ()
    seat = state.on_roll
    before: tuple[Event, ...] = ()
    if state.phase is Phase.DOUBLED:  # the doubler's next valid throw is a take
        before = (Taken(seat.other, 2 * state.cube.value, inferred=True),)
    elif closed_out(state.position, seat):  # the other player throws
        seat, before = seat.other, (NoRoll(seat),)
    if throw.seat not in (None, seat):
        return ()
    if len(values := throw.values or ()) > 2:  # which two are the throw is not the tower's to say
        flat = [v for v, lies in zip(values, throw.states, strict=True) if v is not None and lies is DieState.FLAT]
        rolls = dict.fromkeys((max(pair), min(pair)) for pair in combinations(flat, 2))
        return (_ask("throw_unsure", tuple((*before, Rolled(seat, roll)) for roll in rolls)),) if state.doubt is None else ()
    bad = _bad(throw, seat, rules)
    if bad is not None:
        return (bad,) if state.phase is Phase.DOUBLED else (*before, bad)
    roll = both_read(throw.values or ())
    if roll is None:
        return (_ask("die_not_read", ()),) if state.doubt is None else ()
    return (*before, Rolled(seat, roll))


def _sound(throw: TowerThrow) -> bool:
    """Whether there are two dice, and none is known to lie badly."""
    return len(throw.values or ()) == 2 and all(lies in (None, DieState.FLAT) for lies in throw.states)


def _bad(throw: TowerThrow, seat: Seat | None, rules: RuleSet) -> RollVoid | None:
    """The ruling on ``seat``'s throw (None: both players' opening dice) where a die lies badly or is missing; None for a good one."""
    if _sound(throw):
        return None
    bad = next((s for s in throw.states if s not in (None, DieState.FLAT)), None)
    return RollVoid(seat, throw.values or (), because("missing_die" if bad is None else bad.value, cite_bad_throw(rules)))


def _compare(witness: Witness) -> Step:
    """Both have spoken: the same dice are accepted, others asked about with both as answers."""
    seen, felt = witness.seen, witness.felt
    done = replace(witness, felt=None, seen=())
    roll = next((e for e in seen if isinstance(e, ROLLS)), None)
    if roll is None or felt is None or felt.values is None:
        return done, seen
    sound, read = _sound(felt), both_read(felt.values)
    if sound and _fits(felt.values, roll.dice):
        return done, seen
    other = ((replace(roll, dice=read),),) if sound and isinstance(roll, Rolled) and read is not None else ()
    return done, (_ask("camera_and_tower", (seen, *other)),)


def _at_its_word(rolls: tuple[Event, ...], witness: Witness, now: float) -> Witness:
    """The camera's word alone makes a roll: the tower may still say something else."""
    roll = rolls[-1]
    return replace(witness, taken=roll if isinstance(roll, Rolled) else None, taken_at=now)


def _of_the_same_throw(state: MatchState, throw: TowerThrow, witness: Witness) -> bool:
    """Whether the tower has now read the throw that stands at the camera's word alone."""
    taken = witness.taken
    stands = taken is not None and state.phase is Phase.ROLLED and (taken.seat, taken.dice) == (state.on_roll, state.dice)
    whose = throw.values is not None and throw.seat in (None, state.on_roll)
    return stands and whose and abs(throw.captured_at - witness.taken_at) <= PATIENCE


def _against(state: MatchState, throw: TowerThrow) -> tuple[Event, ...]:
    """The question that it raises when the tower has read other dice: they stand, or the tower's are put in their place."""
    dice, seat, read = state.dice, state.on_roll, both_read(throw.values or ())
    if not _sound(throw) or dice is None or seat is None or state.doubt is not None or _fits(throw.values or (), dice):
        return ()
    answers = [Answer(says_roll(Rolled(seat, dice)))]
    if read is not None:
        other = Rolled(seat, read)
        answers.append(Answer(says_roll(other), (other,)))
    return (Doubt("throw", because("camera_and_tower"), tuple(answers)),)


def _fits(read: tuple[int | None, ...], dice: tuple[int, int]) -> bool:
    """Whether these may be the dice: one that was not read contradicts none."""
    known = [value for value in read if value is not None]
    return all(known.count(value) <= dice.count(value) for value in known)


def _ask(code: str, likely: tuple[tuple[Event, ...], ...]) -> Doubt:
    """A question about a throw, with the events that each likely answer logs, and "throw again" last."""
    answers = []
    for events in likely:
        roll = next((e for e in events if isinstance(e, ROLLS)), None)
        answers.append(Answer(says_roll(roll) if roll is not None else because("does_not_count"), events))
    if all(a.says.code != "does_not_count" for a in answers):
        answers.append(Answer(because("does_not_count")))
    return Doubt("throw", because(code), tuple(answers))
