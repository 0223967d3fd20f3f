"""`referee watch`: referees a recorded or live source without the web and writes the match record."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli._given import Named, near_at_option, to_its_end
from web.cli._outputs import one_line
from web.ending import heeded

if TYPE_CHECKING:
    from referee.match.arbiter.memory import Memory
    from referee.match.events import Logged
    from referee.match.state import MatchState
    from referee.match.table import TableService
    from referee.observations import Reading
    from vision.camera.source import Frame, Source
    from vision.following import Following

NOTHING = "nothing was refereed: no picture could be read"


@click.command(
    "watch", short_help="Referees a recording or a camera, without the web.",
    epilog="Example: referee watch game.mp4 --board board.json -o match.mat",
)
@click.argument("src", type=Named())
@click.option("--start", type=Named(), help="A picture of the starting position from the same camera.")
@click.option("--board", type=Named(), help="A board file made by `referee setup`.")
@click.option("--length", type=click.IntRange(1, 99), help="The match length in points. Without it one game is played, with the cube.")
@click.option("--rules", default="bray", show_default=True, help="The rule set: a preset (`referee rules` lists them) or a TOML file.")
@click.option("--near", default="Near", show_default=True, help="The near player’s name.")
@click.option("--far", default="Far", show_default=True, help="The far player’s name.")
@near_at_option
@click.option("--json", "json_out", is_flag=True, help="One JSON object a line for each event.")
@click.option("-o", "--output", type=Named(), metavar="FILE", help="Write the match record (.mat .sgf .txt .json by its ending).")
def command(
    src: str, start: str | None, board: str | None, length: int | None, rules: str, near: str, far: str, near_at: Any, json_out: bool,
    output: str | None,
) -> None:
    """Referees SRC: a folder of pictures (stills in name order), a video file, a camera number or an address."""
    from referee.match.commands import Refused, StartGame, StartMatch
    from referee.match.journal import MemoryJournal
    from referee.match.shown.wording import sentence
    from referee.match.table import open_table
    from vision.following import Following
    from web.cli._given import reader_of, source_of, watched_rules
    from web.known import known_position

    if (start is None) == (board is None):
        raise click.UsageError("say where the board is with one of --start IMAGE or --board board.json")
    writer = _writer(output, (src, start, board))
    rule_set = watched_rules(rules)
    source = source_of(src)
    try:
        reader = reader_of(start, board, near_at)
        clock = _SourceTime(source)
        table = open_table(MemoryJournal(), rule_set, clock, stills=source.stills)
        printer = _Printer(table, json_out, recording=writer is not None)
        begun = table.command(
            StartMatch(seen_seq=0, names=(near, far), length=length or 0, rules=rule_set.name, games=0 if length else 1)
        )
        if isinstance(begun, Refused):
            raise click.UsageError(sentence(begun.reason))
        printer.show()
        if source.stills and start is not None:  # the picture handed in is the starting position
            table.command(StartGame(seen_seq=table.state.seq))
            printer.show()
        eyes = Following(reader, lambda: known_position(table.state))
        before, lost = {one: signal.getsignal(one) for one in heeded()}, ""
        try:
            lost = _watch(source, eyes, table, printer, clock)
        finally:
            for one in before:
                signal.signal(one, signal.SIG_IGN)  # a second one does not keep it from being written
            try:
                if writer is not None and lost != NOTHING:  # an empty record takes no other's place
                    writer(table.log)
            finally:
                for one, how in before.items():
                    signal.signal(one, how)
    finally:
        source.close()
    if printer.gone is not None:
        raise printer.gone
    if not json_out and lost != NOTHING:
        click.echo(summary(table.log, table.state) + (f" The record is in {one_line(output)}." if output is not None else ""))
    if lost:
        raise click.ClickException(lost)


class _SourceTime:
    """The time at the source in seconds: a recording's own, from its beginning, or a live camera's, which is the machine's."""

    def __init__(self, source: Source) -> None:
        self._live = source.live
        self.shown = 0.0

    def __call__(self) -> float:
        return time.monotonic() if self._live else self.shown


class _Printer:
    """Prints what has been logged since it last did. When that cannot be had any more (its reader is gone, the disk is full) a match
    whose record is written goes on without; ``gone`` is why."""

    def __init__(self, table: TableService[Memory], json_out: bool, recording: bool) -> None:
        self._table, self._json, self._printed, self._recording = table, json_out, 0, recording
        self.gone: OSError | None = None

    def show(self) -> None:
        if self.gone is not None:
            return
        try:
            self._show()
        except OSError as error:
            if not self._recording:
                raise
            self.gone = error

    def _show(self) -> None:
        from referee.match.log import Beside
        from referee.match.shown.views import event_line
        from referee.match.shown.wording import log_line

        state, log = self._table.state, self._table.log
        new = log[self._printed :]
        beside = Beside.of(log) if new and not self._json else None
        for logged in new:
            if self._json:
                click.echo(json.dumps(event_line(logged, state.names)))
            elif text := log_line(logged, state, beside=beside):
                click.echo(f"{one_line(logged.frame) or '-'}: {text}")
        self._printed = len(log)


def _watch(source: Source, eyes: Following, table: TableService[Memory], printer: _Printer, clock: _SourceTime) -> str:
    """Reads the source to its end, or until the match is over. Returns why it broke off, empty when it did not."""
    from referee.match.state import Phase
    from referee.match.unattended import Unattended
    from referee.observations import About
    from vision.camera.source import SourceError

    lost = unfit = ""
    read, broken, alone = False, list[str](), Unattended(table)
    try:
        for reading in _readings(source, eyes, broken):
            trouble = next((doubt.text for doubt in reading.doubts if doubt.about is About.PICTURE), "")
            if trouble and not unfit:
                unfit = trouble
                click.echo(one_line(f"referee: {reading.frame}: {trouble}"), err=True)
            read = read or not trouble
            clock.shown = reading.captured_at
            alone.observe(reading)
            printer.show()
            if table.state.phase is Phase.MATCH_OVER:
                return ""
    except SourceError as error:
        lost = str(error)
    except KeyboardInterrupt:
        pass
    alone.finish(clock())
    printer.show()
    return lost or (NOTHING if (unfit or broken) and not read else "")


def summary(log: Sequence[Logged], state: MatchState) -> str:
    """How it ended, in a sentence or two: who won or how it stands, how many turns, what was illegal, what was asked; or that nothing
    began."""
    from collections import Counter

    from referee.board import Seat
    from referee.match.log import effective
    from referee.match.shown.wording import name_of
    from referee.match.state import Phase

    near, far = (name_of(seat, state.names, str) for seat in Seat)
    kinds = Counter(type(one.event).type for one in effective(log))
    if not kinds["game_started"]:
        return "No game began: the starting position was not seen at rest."
    turns = sum(kinds[kind] for kind in ("played", "play_corrected", "illegal_play_stood", "no_roll"))
    score = f"{near} {state.score[0]}, {far} {state.score[1]}"
    parts = [_count(turns, "turn"), _count(kinds["game_started"], "game"), _count(kinds["illegal_play"], "illegal play")]
    asked = _count(kinds["doubt"], "question") + (", the last of them open" if state.doubt is not None else "")
    ended = "Nobody has won"
    if state.phase is Phase.MATCH_OVER and state.winner is not None:
        ended = f"{name_of(state.winner, state.names, str)} won"
    return f"{ended}: {score}. {', '.join(parts)}, {asked}."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _readings(source: Source, eyes: Following, broken: list[str]) -> Iterator[Reading]:
    """What is read of ``source``; the names of pictures that cannot be opened go into ``broken``. Raises `SourceError` when it ends too
    soon."""
    from vision.camera.gate import Health, settled
    from vision.following import MOVED, Where

    said, well = Where.HERE, Health.GOOD

    def watcher(frame: Frame, health: Health) -> None:
        nonlocal well
        if health is not well:
            well = health
            text = "is well again" if health is Health.GOOD else f"is {health.value}: nothing is read until it is well"
            click.echo(one_line(f"referee: {frame.name}: the camera {text}"), err=True)

    for frame in settled(to_its_end(source), lambda: eyes.reader.table, source.frozen_after, watcher):
        if frame.image is None:
            click.echo(one_line(f"referee: {frame.trouble}"), err=True)
            broken.append(frame.name)
            continue
        reading = eyes.read(frame.image, frame.name, frame.at)
        if eyes.where is not said:
            said = eyes.where
            if said in MOVED:
                click.echo(one_line(f"referee: {frame.name}: {MOVED[said]}"), err=True)
        if reading is not None:
            yield reading


def _writer(output: str | None, inputs: tuple[str | None, ...]) -> Any:
    """Writes a log as a record to ``output``; whether that can be done is found out before the watching begins."""
    if output is None:
        return None
    from referee.records.whole import Whole
    from web.cli._outputs import check_output, ending_of, write_output

    path = Path(output)
    ending = ending_of(path)
    if not path.parent.is_dir():
        raise click.UsageError(f"{path.parent} is no folder: make it first or choose another place for the record")
    check_output(output, "-o", inputs)

    def save(log: tuple[Logged, ...]) -> None:
        whole = Whole.of(log)
        write_output(path, whole.written(ending), "-o")
        for what in whole.lost(ending):
            click.echo(one_line(f"referee: {path.name} does not carry {what}"), err=True)

    return save
