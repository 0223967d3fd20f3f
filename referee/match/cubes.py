"""What the doubling cube says when it is seen: offered, taken, found turned, or somewhere it should not be."""

from __future__ import annotations

from dataclasses import replace

from referee.match.decide_cube import no_beaver, no_double
from referee.match.events import Answer, Beavered, CubeSet, Doubled, Doubt, DoubtResolved, Ruled, Taken
from referee.match.memory import Memory, Step
from referee.match.settle import ENOUGH, Sight
from referee.match.state import MatchState
from referee.rules.cube import put_right
from referee.rules.reason import because
from referee.rules.ruleset import RuleSet


def cube_to_roll(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """Before the roll: an offer, or both events where the cube is found at twice its value on the other side."""
    cube, seat = sight.cube, state.on_roll
    if cube is None or seat is None:
        return memory, ()
    twice = 2 * state.cube.value
    if cube.value == twice and cube != memory.cube_lay and no_double(state, rules) is None:  # before rolling (S2-20)
        if cube.offered_to is seat.other:
            return memory, (Doubled(seat, twice),)
        if cube.offered_to is None and cube.owner is seat.other:
            return memory, (Doubled(seat, twice, inferred=True), Taken(seat.other, twice, inferred=True))
    return cube_astray(state, sight, memory)


def cube_doubled(state: MatchState, sight: Sight, memory: Memory, rules: RuleSet) -> Step:
    """A double waits for its answer: the cube on the taker's side is a take, turned again there a beaver."""
    cube, doubler = sight.cube, state.cube.offered_by
    if cube is None or doubler is None or cube.owner is not doubler.other or cube.offered_to is not None:
        return memory, ()
    twice = 2 * state.cube.value
    if cube.value == twice:
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


def cube_astray(state: MatchState, sight: Sight, memory: Memory) -> Step:
    """A cube that moves at any other moment is a doubt about the cube and changes nothing. It is asked about once, when two
    readings in a row show it there."""
    cube = sight.cube
    if cube is None:
        return memory, ()
    right = cube.value == state.cube.value and cube.owner is state.cube.owner and cube.offered_to is None
    if right:
        return replace(memory, cube_asked=None, cube_lay=None), ((DoubtResolved("cube"),) if state.question == "cube" else ())
    if memory.runs.cube_run.count < ENOUGH or cube == memory.cube_asked or state.doubt is not None:
        return memory, ()
    owner = cube.owner.value if cube.owner else f"offered_{cube.offered_to.value}" if cube.offered_to else "middle"
    reason = because("cube_astray", value=cube.value, owner=owner, expected=state.cube.value)
    wrong = put_right(state.cube_facts, cube.value, cube.owner)
    answers: tuple[Answer, ...] = ()
    if wrong is not None:
        answers = (Answer(because("cube_right", value=state.cube.value), (Ruled("cube", wrong),)),)
        if cube.offered_to is None and not state.crawford:  # there it counts for nobody, however it lies
            answers += (Answer(because("cube_as_seen", value=cube.value), (CubeSet(cube.value, cube.owner),)),)
    return replace(memory, cube_asked=cube), (Doubt("cube", reason, answers),)
