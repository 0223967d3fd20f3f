"""`referee tower`: talk to a dice tower, or be one."""

from __future__ import annotations

import re

import click

from web.cli._given import Named, Within, idle


@click.command(name="tower", short_help="Shows a dice tower, or simulates one.", epilog="Example: referee tower auto")
@click.argument("url", required=False)
@click.option("--simulate", is_flag=True, help="Be a tower: a pseudo-terminal (where the system has them) and a TCP port.")
@click.option(
    "--script", type=Named(), metavar="FILE", help="With --simulate: commands to carry out, one a line, then end."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="With --simulate: the TCP port; 0 chooses a free one.")
@click.option("--id", "device", default="simulated-box", help="With --simulate: the box’s identity.")
@click.option(
    "--rest", type=click.Choice(["field", "tray", "inside"]), default="field", help="With --simulate: where its dice come to rest."
)
@click.option(
    "--boot", type=click.IntRange(1, 65535), help="With --simulate: its count of resets. Default: another one each time, drawn by chance."
)
@click.option("--reads/--blind", default=True, help="With --simulate: whether it reads its dice.")
@click.option(
    "--for", "seconds", type=Within(0, 10_000_000), default=0.0, help="End after this many seconds; 0: when interrupted.",
)
def command(
    url: str | None, simulate: bool, script: str | None, port: int, device: str, rest: str, boot: int | None, reads: bool, seconds: float
) -> None:
    """Shows the identity, health and live events of the tower at URL (a serial device, `auto`, `socket://HOST:PORT`,
    `rfc2217://HOST:PORT`), or simulates one with --simulate, driven by a script or by commands on standard input.

    What is shown is taken from the box and kept nowhere, events that waited for a match too: for play use `referee serve --tower URL`."""
    if simulate == bool(url):
        raise click.UsageError("say either the tower’s URL (or auto), or --simulate")
    if simulate:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,16}", device):
            raise click.UsageError("--id is 1 to 16 letters, digits, - or _")
        _simulate(script, port, device, rest, boot, reads, seconds)
    else:
        assert url is not None
        idle("without --simulate", "script", "port", "device", "rest", "boot", "reads")
        _listen(url, seconds)


def _listen(url: str, seconds: float) -> None:
    import threading
    import time

    from hardware.link import Link, LinkState, unusable
    from hardware.session import Heard

    if reason := unusable(url):
        raise click.UsageError(reason)

    guard, said, connected, helped = threading.Lock(), "", False, url == "auto" or "://" in url
    unseen: OSError | None = None  # why nobody can be shown anything any more

    def tell() -> None:
        """Says how the link is when that has changed."""
        nonlocal said, connected, helped
        with guard:
            health = link.health
            if health.state is LinkState.CONNECTED and health.hello is not None:
                h = health.hello
                reading = "reads" if h.reads else "does not read"
                now = f"connected to {h.device} (boot {h.boot}, dice rest on {h.rest.value}, {reading} its dice)"
                connected = True
            else:
                now = health.reason or ("looking for a tower on every serial port" if url == "auto" else f"looking for a tower at {url}")
            if now != said:
                click.echo(now, err=health.state is not LinkState.CONNECTED)
                said = now
            if health.state is LinkState.LOST and not helped:
                helped = True
                click.echo(f"it is tried again and again (Ctrl-C ends that); of serial ports this computer has {_ports()}", err=True)

    def show(heard: Heard) -> bool:
        nonlocal unseen
        try:
            tell()
            click.echo(f"{heard.device}: {heard.event}")
        except OSError as error:  # the box keeps it for who comes next
            unseen = error
        return unseen is None

    link = Link(url, show)
    link.start()
    end = time.monotonic() + (seconds or float("inf"))
    try:
        while time.monotonic() < end:
            tell()
            time.sleep(0.1)
            if unseen is not None:
                raise unseen
    finally:
        link.close()
        c = link.health.counters
        click.echo(
            f"lines {c.lines}, damaged {c.bad_lines}, events {c.events}, repeated {c.repeats}, lost {c.lost}, unknown {c.unknown}, "
            f"resets {c.resets}"
        )
    if not connected:
        raise click.exceptions.Exit(1)


def _ports() -> str:
    from serial.tools import list_ports

    return ", ".join(sorted(port.device for port in list_ports.comports())) or "none"


def _simulate(script: str | None, port: int, device: str, rest: str, boot: int | None, reads: bool, seconds: float) -> None:
    import secrets
    import sys
    import threading
    import time

    from hardware.protocol import Rest
    from hardware.simulator import HELP, BadCommand, Identity, Simulator

    commands = _commands(script) if script else []
    try:
        # A box never says the same boot twice, and this one has no EEPROM: events of two runs would be taken for one another.
        boot = 1 + secrets.randbelow(65535) if boot is None else boot
        simulator = Simulator(Identity(device, Rest(rest), reads), port=port, boot=boot).start()
    except OSError as error:
        raise click.ClickException(
            f"port {port} cannot be opened ({error.strerror}): choose another with --port, or leave it out"
        ) from None
    done = threading.Event()

    def keyboard() -> None:
        for line in sys.stdin or ():  # none where the program that started this one gave it none
            if line.strip() == "quit":
                break
            if line.strip():
                try:
                    simulator.command(line)
                except BadCommand as error:
                    click.echo(str(error), err=True)
        else:
            if sys.stdin is None or not sys.stdin.isatty():
                return  # input ended, such as a closed pipe: go on until interrupted
        done.set()

    try:
        if simulator.tty:
            click.echo(f"tty {simulator.tty}")
        click.echo(f"tcp socket://127.0.0.1:{simulator.port}")
        if script:
            simulator.run_script(commands)
        else:
            click.echo(HELP)
            threading.Thread(target=keyboard, daemon=True).start()
        end = time.monotonic() + (seconds or float("inf"))
        while time.monotonic() < end and not done.wait(0.1):
            if script and simulator.idle:
                break
    finally:
        simulator.close()


def _commands(script: str) -> list[str]:
    """The lines of a script. Raises `click.UsageError` with the first line that is no command."""
    from hardware.simulator import BadCommand, check

    try:
        with open(script, encoding="utf-8") as file:
            lines = file.read(1_000_000).splitlines()
    except (OSError, UnicodeDecodeError):
        raise click.UsageError(f"{script} is no tower script: name a text file with one command a line") from None
    for number, line in enumerate(lines, start=1):
        try:
            check(line)
        except BadCommand as error:
            raise click.UsageError(f"{script}, line {number}: {error}") from None
    return lines
