"""`referee convert`: between match formats, and out of the referee's own store of matches."""

from __future__ import annotations

from pathlib import Path

import click

from web.cli._given import Named, a_record


@click.command(
    name="convert", short_help="Writes a match record in another format.", epilog="Example: referee convert match.mat match.sgf"
)
@click.argument("source", type=Named(Path))
@click.argument("target", type=Named(Path))
@click.option("--match", type=int, help="Which match of a store of matches, by its number; the newest when not given.")
def command(source: Path, target: Path, match: int | None) -> None:
    """Reads SOURCE (.mat, .sgf, .txt, .json, by its content, or the referee's store of matches) and writes TARGET in the
    format of its ending. Says what the other format cannot carry."""
    from web.cli._outputs import check_output, ending_of, write_output

    ending = ending_of(target)
    check_output(str(target), "TARGET", [str(source)])
    store = _is_store(source)
    if match is not None and source.is_file() and not store:
        raise click.UsageError(f"--match chooses in a store of matches, and {source} is none: leave it out")
    text, problems, lost = _kept(source, match, ending) if store else _file(source, ending)
    write_output(target, text, "TARGET")
    for said in (*problems, *(f"lost: {what}" for what in lost)):
        click.echo(said, err=True)


def _is_store(source: Path) -> bool:
    try:
        if not source.is_file():  # a pipe would be waited for
            return False
        with source.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def _file(source: Path, ending: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The new text, what was wrong with the old one, what is lost."""
    from referee.records.completing import completed
    from referee.records.formats import REMARKS_LOST, bytes_of, read_bytes, text_of
    from referee.records.record import NotARecord
    from referee.records.whole import Whole, log_of

    with a_record(source):
        data = bytes_of(source)
        parsed = read_bytes(data)
    text, also = text_of(data), (REMARKS_LOST,) if parsed.remarks else ()
    try:
        log = log_of(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else ()
    except NotARecord as error:
        log, also = (), (*also, str(error))
    whole = Whole(completed(parsed), log)
    return whole.written(ending), parsed.problems, (*whole.lost(ending), *also)


def _kept(source: Path, match: int | None, ending: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The same of a match in a store."""
    from referee.match.journal import JournalError
    from referee.records.store import Store
    from referee.records.whole import Whole

    try:
        with Store(source, reading=True) as store:
            found = [info for info in store.matches() if info.state.seq or info.problem]
            if not found:
                raise click.UsageError(f"{source} holds no match yet: name another store, or play one first")
            newest = found[-1]
            if match is None and len(found) > 1:
                names = " - ".join(newest.state.names)
                click.echo(f"match {newest.id} ({names}), the newest of {len(found)}: take another with --match, by its number", err=True)
            journal = store.journal(newest.id if match is None else match)
            log = journal.read()
    except JournalError as error:
        raise click.UsageError(str(error)) from None
    if not log:
        raise click.UsageError(f"{source}: match {journal.match} has not been started: take another with --match, by its number")
    whole = Whole.of(log)
    return whole.written(ending), (), whole.lost(ending)
