"""A match's log as a `Record`: the events that still count, game by game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from referee.board.difference import difference
from referee.board.plays import LegalPlays
from referee.board.position import Position, Seat
from referee.match import events as e
from referee.match.folding import apply
from referee.match.log import effective
from referee.match.state import IN_GAME, MatchState, Phase
from referee.records.record import Action, Do, Game, Owner, Record, Side, Step


@dataclass(slots=True)
class _Book:
    """One game while it is written."""

    game: Game
    actions: list[Action] = field(default_factory=list)
    annulled: bool = False
    """A double in the Crawford game was annulled and left out: so is the cube's return to its place."""


def record_of(log: Iterable[e.Logged]) -> Record:
    """The record of ``log``, near on the left. A turn that was ruled afterwards is written as it was ruled."""
    began = ""
    books: list[_Book] = []
    state = MatchState()
    for logged in effective(log):
        event = logged.event
        match event:
            case e.MatchStarted():
                began, books = logged.captured, []
            case e.GameStarted():
                books.append(_Book(Game(event.game, event.score, crawford=event.crawford)))
        if books:
            _write(books[-1], state, event)
        state = apply(state, logged)
    games = [replace(book.game, actions=tuple(book.actions)) for book in books]
    if not games and any(state.score):  # penalties before anything was played
        games = [Game(1, (0, 0))]
    scores = [*(game.score for game in games[1:]), state.score]
    winner = Side.of(state.winner) if state.winner is not None and state.play_phase is Phase.MATCH_OVER else None
    rules, length = state.rule_set, state.length
    jacoby, crawford = (rules.jacoby if not length else None, rules.crawford if length else None) if rules else (None, None)
    awarded = tuple(_awarded(game, score) for game, score in zip(games, scores, strict=False))
    return Record(state.names, length, awarded, _tags(state, began), jacoby, crawford, winner)


def _awarded(game: Game, score: tuple[int, int]) -> Game:
    """The game with what it takes, besides the points it was won by, to reach the ``score`` that followed."""
    left, right = game.score_after(game.winner, game.points)
    return replace(game, awarded=(score[0] - left, score[1] - right))


def _write(book: _Book, state: MatchState, event: e.Event) -> None:
    """Adds what ``event`` means for the record; ``state`` is the one before it."""
    if state.cube.offered_by is not None and isinstance(event, e.CubeSet | e.TurnSet | e.GameWon):
        if _takes(state, event):
            event = e.Taken(state.cube.offered_by.other, state.cube.value * 2)
        else:  # withdrawn by hand: a double without an answer has readers count the game twice, and the turns for the wrong player
            double = max((i for i, action in enumerate(book.actions) if action.do is Do.DOUBLE), default=len(book.actions))
            book.actions[double : double + 1] = []
    match event:
        case e.Played() | e.PlayCorrected() | e.IllegalPlayStood():
            _write_play(book, state, event)
        case e.AutoDoubled() | e.FirstThrowRefused():
            book.game = replace(book.game, cube=event.value)
        case e.Doubled():
            book.actions.append(Action(Side.of(event.seat), Do.DOUBLE, value=event.value))
        case e.Taken():
            book.actions.append(Action(Side.of(event.seat), Do.TAKE, value=event.value))
        case e.Dropped():
            book.actions.append(Action(Side.of(event.seat), Do.DROP, value=event.value))
        case e.Beavered():
            again = Do.RACCOON if state.cube.beavers % 2 else Do.BEAVER
            book.actions.append(Action(Side.of(event.seat), again, value=event.value))
        case e.PositionSet() | e.SetupStands():
            book.actions.append(Action(Side.of(state.on_roll or Seat.NEAR), Do.SET_POSITION, position=event.position))
        case e.TurnSet():
            side, last = Side.of(event.seat), next((a for a in reversed(book.actions) if a.do in (Do.ROLL, Do.SET_POSITION)), None)
            if last is None or (last.do is Do.ROLL and last.side is side):  # by a person's word he rolls from this board: again, or first
                book.actions.append(Action(side, Do.SET_POSITION, position=state.position))
        case e.Ruled() if event.reason.code == "crawford_annulled":
            book.actions = [a for a in book.actions if a.do in (Do.ROLL, Do.SET_POSITION)]  # as if nobody had doubled
            book.annulled = True
        case e.CubeSet():
            if not book.annulled:
                owner = Owner.of(Side.of(event.owner) if event.owner else None)
                book.actions.append(Action(Side.of(state.on_roll or Seat.NEAR), Do.SET_CUBE, value=event.value, owner=owner))
            book.annulled = False
        case e.ScoreSet() if state.play_phase in IN_GAME:  # between games it is told of the next one
            book.game = replace(book.game, score=event.score, crawford=event.crawford)
        case e.LengthSet() | e.RulesSet() if state.play_phase in IN_GAME:
            book.game = replace(book.game, crawford=event.crawford)
        case e.GameWon():
            if state.dice is not None and state.on_roll is not None and state.play_phase is not Phase.GAME_OVER:
                book.actions.append(Action(Side.of(state.on_roll), Do.ROLL, dice=state.dice))  # it ended before the roll was played
            resigned = event.how in (e.How.RESIGNATION, e.How.RULING)
            ruled = event.how is e.How.RULING
            book.game = replace(book.game, winner=Side.of(event.seat), points=event.points, resigned=resigned, ruled=ruled)


def _takes(state: MatchState, event: e.Event) -> bool:
    """Whether the cube is set as it lies when the double that is open is taken."""
    doubler = state.cube.offered_by
    return isinstance(event, e.CubeSet) and doubler is not None and (event.value, event.owner) == (state.cube.value * 2, doubler.other)


def _write_play(book: _Book, state: MatchState, event: e.Played | e.PlayCorrected | e.IllegalPlayStood) -> None:
    late = state.late_turn(event.seat)
    before = late.before if late is not None else state.position
    illegal = isinstance(event, e.IllegalPlayStood)
    steps = steps_between(before, event.position, event.seat, event.dice)
    action = Action(
        Side.of(event.seat), Do.ROLL, dice=event.dice, steps=steps, position=event.position if illegal else None, text=event.play
    )
    place = next((i for i, a in reversed(list(enumerate(book.actions))) if a.do is Do.ROLL and a.side is action.side), None)
    if late is not None and place is not None:
        since = [a for a in book.actions[place + 1 :] if a.do is not Do.SET_POSITION]  # as the board stood before the ruling
        book.actions[place:] = [action, *since]
    else:
        book.actions.append(action)


def steps_between(before: Position, after: Position, seat: Seat, dice: tuple[int, int]) -> tuple[Step, ...] | None:
    """One step a die from ``before`` to ``after``: the legal play where there is one; else the mover's checkers as `Change.steps`."""
    if not before.defects():
        for higher_number in (True, False):
            play = next((play for play in LegalPlays(before, seat, dice, higher_number=higher_number) if play.result == after), None)
            if play is not None:
                return tuple(sorted(((move.source, move.target) for move in play.moves), reverse=True))
    return difference(before, after)[seat].steps


def _tags(state: MatchState, began: str) -> tuple[tuple[str, str], ...]:
    given = (
        ("Site", state.place),
        ("Event", state.event),
        ("Round", state.round),
        ("EventDate", _day(began)),
        ("Transcriber", state.transcriber),
    )
    return tuple((name, value) for name, value in given if value)


def _day(captured: str) -> str:
    """The day of an instant where this computer stands, as tags have it; empty for no instant."""
    try:
        return datetime.fromisoformat(captured).astimezone().strftime("%Y.%m.%d")
    except (ValueError, OverflowError, OSError):  # Windows knows no local time before 1970
        return ""
