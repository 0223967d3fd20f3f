"""The `referee` command. Each sub-command is a module of this package, loaded only when it is called.

A module ``web/cli/NAME.py`` holds the command ``NAME`` as a `click.Command` called ``command``.
"""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import importlib
import io
import logging
import os
import pkgutil
import signal
import sys
import threading
from typing import Any, NoReturn

import click

from web.cli._outputs import one_line
from web.ending import INTERRUPTED, heeded, interrupt


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"{__name__}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever reads, such as `head`, has enough: click would end with 1, which is the answer "no"
            _write_nowhere()
            return 0


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="backgammon-referee", prog_name="referee")
def _group() -> None:
    """The referee for backgammon played on a real board.

    Every command ends with 0 when it is done; with 1 when the answer is no, or it cannot be brought to its end; with 2 when it cannot be
    begun as it is written. Why is said on standard error.
    """


def main() -> None:
    """What `web.start` begins. Asked to end, or its window closed, every command ends as by Ctrl-C: nothing that it made for a while is
    left, and no program that it started runs on."""
    for asked in heeded():
        signal.signal(asked, interrupt)
    try:
        _keep_to_ourselves()
        status = run()
    except KeyboardInterrupt:  # before there was anything to end, or while it was ending
        status = INTERRUPTED
    _leave(status)


def _keep_to_ourselves() -> None:
    """Standard error is for what we say. libjpeg and libpng would write a line there for every picture that is not quite sound, and many
    a camera sends no other. Of a crash in such a library Python tells."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError):  # it is closed
        ours = os.dup(2)
        sys.stderr = os.fdopen(ours, "w", buffering=1, encoding=sys.stderr.encoding, errors=sys.stderr.errors)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        faulthandler.enable(sys.stderr)


def run() -> int:
    """Does what the command line says; never a traceback for a user's error. Its status: 0 when it is done; 2, bad usage, when it cannot be
    begun as it is written: a word of it is wrong, or what it names is not there, may not be opened, is of another kind or no place to
    write; 1 when the answer is no, or when what was begun cannot be brought to its end: the disk is full, a camera is gone."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")  # a name that the output's encoding has no letters for ends nothing
    try:
        # Without standalone mode click hands an Exit's status back instead of raising it.
        status = _group.main(prog_name="referee", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        said = error.format_message()  # the help itself where no command is named
        click.echo(said if said.startswith("Usage:") else f"referee: {_with_help(one_line(said), error)}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as error:
        from referee.files import disk_full

        if disk_full(error):
            click.echo("referee: the output cannot be written, the disk is full", err=True)
            return 1
        if error.errno == errno.EINVAL and _unread():
            return 0
        if error.filename is None and isinstance(error, FileNotFoundError):
            click.echo("referee: the folder you are in is no longer there: go to another, or name files by their whole path", err=True)
            return 2
        if error.filename is None:
            raise
        click.echo(f"referee: {one_line(str(error.filename))} cannot be used: {error.strerror or error}", err=True)
        return 2


def _unread() -> bool:
    """Whether nobody reads the output any more. Windows says so by an error that may be of anything else, but comes again."""
    try:
        sys.stdout.flush()
    except OSError:
        _write_nowhere()
        return True
    return False


def _write_nowhere() -> None:
    """What is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_help(said: str, error: click.ClickException) -> str:
    """``said`` with what to do about a word of the command line that click has refused; our own sentences say it themselves."""
    if isinstance(error, click.NoSuchOption):
        files = (word for word in sys.argv[1:] if word.startswith(error.option_name) and os.path.lexists(word))
        for word in files:
            return f"{said} The file is named ./{word}"
    clicks = type(error) is not click.UsageError or "unexpected extra argument" in said
    if isinstance(error, click.UsageError) and error.ctx is not None and clicks:
        return f"{said.removesuffix('.')}. See `{error.ctx.command_path} --help`"
    return said


def _leave(status: int) -> NoReturn:
    """Ends the program. Everything that is to be kept has been by now; but a thread may still be in OpenCV, where it opens a camera or
    looks for the board. Python's own end would tear it out of C++, which aborts the program: then the program ends without that."""
    for asked in heeded():
        signal.signal(asked, signal.SIG_IGN)
    if any(thread.daemon for thread in threading.enumerate()):
        logging.shutdown()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
                stream.flush()
        os._exit(status)
    sys.exit(status)
