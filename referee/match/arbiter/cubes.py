"""What the doubling cube says when it is seen: offered, taken, found turned, or somewhere it should not be."""

from __future__ import annotations

from dataclasses import replace

from referee.board.position import Seat
from referee.match.arbiter.memory import CubeMemory, Memory, Step
from referee.match.arbiter.settle import ENOUGH, Sight
from referee.match.events import Answer, Beavered, CubeSet, Doubled, Doubt, DoubtResolved, Event, NoRoll, Rolled, Ruled, Taken
from referee.match.said.cube import no_beaver, no_double
from referee.match.state import MatchState
from referee.observations import SeenCube
from referee.rules.citing import cite
from referee.rules.cube import dead_cube, no_access, put_right
from referee.rules.reason import Reason, because
from referee.rules.ruleset import RuleSet


def cube_to_roll(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """Before the roll: an offer, or both events where the cube is found at twice its value on the other side."""
    cube, seat = sight.cube, state.on_roll
    if cube is None or seat is None:
        return memory, ()
    twice = 2 * state.cube.value
    if cube.value == twice and cube != memory.cube.lay and no_double(state, rules) is None:  # before rolling (S2-20)
        if cube.offered_to is seat.other:
            return memory, (Doubled(seat, twice),)
        if cube.offered_to is None and cube.owner is seat.other:
            return memory, (Doubled(seat, twice, inferred=True), Taken(seat.other, twice, inferred=True))
    return cube_astray(state, sight, memory, rules)


def cube_doubled(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """A double waits for its answer: the cube on the taker's side is a take, turned again there a beaver."""
    cube, doubler = sight.cube, state.cube.offered_by
    if cube is None or doubler is None or cube.owner is not doubler.other or cube.offered_to is not None:
        return memory, ()
    twice = 2 * state.cube.value
    if cube.value == twice and cube != memory.cube.lay:
        return memory, (Taken(doubler.other, twice),)
    if cube.value == 2 * twice and no_beaver(state, rules) is None:
        return memory, (Beavered(doubler.other, 2 * twice),)
    return memory, ()


def cube_back(state: MatchState, sight: Sight, memory: Memory) -> Doubt | None:
    """The doubler throws, and the cube that was seen to be turned lies as it lay before: the double was taken back, or taken by word."""
    cube, doubler = sight.cube, state.cube.offered_by
    if cube is None or doubler is None or memory.mark is None or memory.mark.doubled is None:
        return None
    if cube.offered_to is not None or (cube.value, cube.owner) != (state.cube.value, state.cube.owner):
        return None
    taker = doubler.other
    answers = (
        Answer(because("double_withdrawn", seat=doubler.value), (CubeSet(state.cube.value, state.cube.owner),)),
        Answer(because("double_taken", seat=taker.value), (Taken(taker, 2 * state.cube.value),)),
    )
    return Doubt("double", because("cube_back", seat=doubler.value), answers)


def cube_astray(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """A cube that moves at any other moment is a doubt about the cube and changes nothing. It is asked about when two readings in a row
    show it there; once more where that went by without an answer and it shows another value: it would count wrongly in the end."""
    cube = sight.cube
    if cube is None:
        return memory, ()
    if _lies_right(state, cube):
        return replace(memory, cube=CubeMemory()), ((DoubtResolved("cube"),) if state.question == "cube" else ())
    if memory.runs.cube_run.count < ENOUGH or cube == memory.cube.asked or state.doubt is not None:
        return memory, ()
    answers: list[Answer] = []
    if state.on_roll is not None and cube not in (memory.cube.passed, memory.cube.lay) and _may_be_offer(state, cube, rules):
        twice = 2 * state.cube.value
        answers.append(Answer(because("doubles", seat=state.on_roll.value, value=twice), (Doubled(state.on_roll, twice),)))
    if (beaver := _may_be_beaver(state, cube, rules)) is not None:
        answers.append(Answer(because("beavers", seat=beaver.seat.value, value=beaver.value), (beaver,)))
    wrong = put_right(state.cube_facts, cube.value, cube.owner or cube.offered_to)
    if wrong is not None:
        answers.append(Answer(because("cube_right", value=state.cube.value), (Ruled("cube", wrong),)))
        if cube.offered_to is None and not state.crawford:  # there it counts for nobody, however it lies
            answers.append(Answer(because("cube_as_seen", value=cube.value), (CubeSet(cube.value, cube.owner),)))
    return replace(memory, cube=replace(memory.cube, asked=cube)), (Doubt("cube", _why(state, cube, rules), tuple(answers)),)


def _why(state: MatchState, cube: SeenCube, rules: RuleSet) -> Reason:
    """What is asked about a cube that lies where it should not; where it lies offered, why that is no double."""
    owner = cube.owner.value if cube.owner else f"offered_{cube.offered_to.value}" if cube.offered_to else "middle"
    found = because("cube_astray", value=cube.value, owner=owner, expected=state.cube.value)
    if cube.offered_to is None or cube.value != 2 * state.cube.value or state.on_roll is None:
        return found
    access = no_access(state.cube_facts, cube.offered_to.other, rules)
    if access is not None:
        code = {"crawford": "cube_in_crawford", "not_your_cube": "cube_not_owned"}.get(access.code)
        return replace(access, code=code, values=(*access.values, *found.values)) if code is not None else found
    if cube.offered_to is state.on_roll:
        values = (("seat", cube.offered_to.value), *found.values)
        return Reason("cube_out_of_turn", values, cite(rules, "double_before_roll"))
    return found


def cube_went_by(state: MatchState, events: tuple[Event, ...], memory: Memory) -> Memory:
    """The memory after ``events``: a throw closes the question about the cube, and one that shows another value is asked about again."""
    asked = memory.cube.asked
    if state.question != "cube" or asked is None or asked == memory.cube.passed or asked.value == state.cube.value:
        return memory
    thrown = any(isinstance(event, Rolled | NoRoll) for event in events)
    return replace(memory, cube=replace(memory.cube, asked=None, passed=asked)) if thrown else memory


def _lies_right(state: MatchState, cube: SeenCube) -> bool:
    """Whether the cube shows what it counts, where it belongs or where its owner was offered it; where nobody may double, or wins more by
    it, it may lie anywhere."""
    if cube.value != state.cube.value:
        return state.length == 1 and cube.offered_to is None
    if cube.offered_to is not None:
        return cube.offered_to is state.cube.owner
    return cube.owner is state.cube.owner or not any(_has_use(state, seat) for seat in Seat)


def _has_use(state: MatchState, seat: Seat) -> bool:
    return state.may_double(seat) and not dead_cube(state.cube_facts, state.score, seat)


def _may_be_offer(state: MatchState, cube: SeenCube, rules: RuleSet) -> bool:
    """Whether the player on roll may mean a double by it: it was turned and not moved, or to himself, or moved towards the other and not
    turned."""
    seat = state.on_roll
    if seat is None or no_double(state, rules) is not None:
        return False
    if cube.value == 2 * state.cube.value:
        return cube.offered_to is None and cube.owner in (state.cube.owner, seat)
    return cube.value == state.cube.value and seat.other in (cube.offered_to, cube.owner)


def _may_be_beaver(state: MatchState, cube: SeenCube, rules: RuleSet) -> Beavered | None:
    """The beaver that the taker of this turn's double may mean by turning the cube again; None where he may not."""
    double, owner = state.doubled_now, state.cube.owner
    if double is None or owner is None or state.cube.beavers or cube != SeenCube(2 * state.cube.value, owner):
        return None
    return Beavered(owner, cube.value) if no_beaver(double, rules) is None else None
