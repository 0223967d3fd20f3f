"""What `serve` and `demo` share: building the house, listening, and running until interrupted."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from web.cli._outputs import refused

if TYPE_CHECKING:
    from referee.records.store import Store
    from referee.rules import RuleSet
    from web.house import House

log = logging.getLogger(__name__)

PORT = 8765
STREAMS = 40
TABLE = "1"
TICK_S = 0.25
TIDY_TICKS = 1200  # ticks between looks at how much room the pictures take: five minutes
PLACE_TICKS = 20  # ticks between looks at where this computer is in the network
CLUBS_OWN = "{name}: the club’s own"


def open_store(where: str) -> Store:
    """The store at a path or URL. Raises `click.ClickException` with one sentence."""
    if where.strip() in ("", ":memory:"):  # SQLite would take them for a database that is gone at the end
        why = f"{where!r} names no file, and matches are kept in one"
        raise click.UsageError(f"{why}: give its name with --db, or leave --db out for the usual place")
    from referee.match.journal import JournalError, NoRoom
    from referee.records.store import Store

    try:
        return Store(where)
    except NoRoom as error:
        raise click.ClickException(str(error)) from None
    except JournalError as error:
        raise click.UsageError(str(error)) from None


def make_house(
    store: Store, *, stills: bool = False, streams: int = STREAMS, kept_pins: bool = False, table: str = TABLE,
    sets: Sequence[RuleSet] = (),
) -> House:
    """The house of a store. ``stills``: each reading is a settled moment; ``kept_pins``: PINs are kept beside the store; ``table``: its
    name in addresses.

    Raises `click.UsageError` when the log cannot be used.
    """
    from referee.match.arbiter.memory import Memory
    from referee.match.journal import Journal, JournalError
    from referee.match.table import TableService, open_table
    from referee.rules import PRESETS
    from web.access import Access, AccessError
    from web.desk import Desk
    from web.house import House

    def opener(journal: Journal) -> TableService[Memory]:
        return open_table(journal, stills=stills, sets=sets)

    try:
        desk = Desk(store, opener)
    except JournalError as error:
        raise click.UsageError(str(error)) from None
    try:
        access = Access(store.path.with_name(store.path.name + ".access.json") if kept_pins else None)
    except AccessError as error:
        raise click.UsageError(str(error)) from None
    offered = [*((rules, CLUBS_OWN.replace("{name}", rules.name)) for rules in sets),
               *((made.rules, made.title) for made in PRESETS.values())]
    return House(desk, tuple(offered), table, access, streams)


def club_sets(files: Sequence[str]) -> tuple[RuleSet, ...]:
    """The club's own rule sets in these TOML files. Raises `click.UsageError` with what is wrong."""
    from referee.rules import PRESETS
    from web.cli._given import rules_of

    found: dict[str, RuleSet] = {}
    for file in files:
        rules = rules_of(Path(file))
        if rules.name in PRESETS or rules.name in found:
            raise click.UsageError(f"{file}: there is a rule set ‘{rules.name}’ already; give this one another name")
        found[rules.name] = rules
    return tuple(found.values())


def run(
    house: House, host: str, port: int, *, announce: Callable[[str], None], hosts: frozenset[str] = frozenset(), secure: Path | None = None
) -> None:
    """Serves until interrupted. ``announce`` is called with the table's address as soon as it answers.

    ``secure``: over HTTPS, with the certificate kept in that folder.
    """
    from web.app import create_app
    from web.ending import heeded, interrupt
    from web.port import ServerError, in_address
    from web.server import connections, listen
    from web.tls import TlsFront, certificate, local_addresses, network_address

    everywhere = host in ("0.0.0.0", "::")
    shown = "127.0.0.1" if everywhere else host
    addresses = (local_addresses() if everywhere else ()) or (shown,)
    front = None
    try:
        if secure is not None:
            names = frozenset({"localhost", "127.0.0.1", *addresses, *hosts})
            front = TlsFront(host, port, certificate(secure, names), house.peers, connections(house.places))
            app = create_app(house, hosts)
            app.config["SESSION_COOKIE_SECURE"] = True
            server = listen(app, "127.0.0.1", 0, house.places)
            front.start(server.effective_port)
        else:
            server = listen(create_app(house, hosts), host, port, house.places)
    except ServerError as error:
        raise refused(str(error), error.__cause__) from None
    scheme, number = ("https", front.port) if front is not None else ("http", server.effective_port)
    house.address = f"{scheme}://{in_address(addresses[0])}:{number}"

    def find() -> None:
        if everywhere and (now := network_address()):
            house.address = f"{scheme}://{now}:{number}"

    ticker = threading.Event()
    threading.Thread(target=_tick, args=(house, ticker, find), name="ticks", daemon=True).start()

    def end(number: int, frame: FrameType | None) -> None:
        house.hub.close()  # the streams end first, so that their threads are free when the server stops
        interrupt(number, frame)

    for asked in {signal.SIGINT, signal.SIGTERM, *heeded()}:
        signal.signal(asked, end)
    try:
        announce(f"{scheme}://{in_address(shown)}:{number}/")
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        ticker.set()
        house.hub.close()
        house.analyst.stop()
        if front is not None:
            front.close()
        server.close()
        house.desk.close()


def may_listen(host: str, port: int) -> None:
    """Finds out whether ``host`` and ``port`` can be had before anything is made or changed. Raises `click.UsageError`."""
    from web.port import ServerError, bind

    try:
        bind(host, port).close()
    except ServerError as error:
        raise click.UsageError(str(error)) from None


def set_pins(house: House, host: str, new: bool) -> None:
    """Makes and prints PINs when they are asked for, or when others can reach a table that has none; says where it has kept some."""
    import ipaddress

    from web.access import AccessError

    if house.access.trouble and not new:
        click.echo(f"referee: {house.access.trouble}", err=True)
    try:
        alone = ipaddress.ip_address(host).is_loopback
    except ValueError:
        alone = host == "localhost"
    if new or (house.access.open and not alone):
        try:
            pins = house.access.set_pins()
        except AccessError as error:
            raise refused(str(error), error.__cause__) from None
        click.echo(f"To act at the table: PIN {pins.table}. To rule and delete: PIN {pins.director}. (New ones: referee serve --new-pins.)")
    elif not house.access.open and not house.access.trouble:  # only their hashes are kept: they cannot be told again
        click.echo("The table keeps the PINs it had. (New ones: referee serve --new-pins.)")


def _tick(house: House, done: threading.Event, find: Callable[[], None] = lambda: None) -> None:
    """``find`` finds out where the table is in the network: a computer may get another address while it serves."""
    from referee.match.journal import JournalError
    from web.asleep import Watch

    def tidy() -> None:
        with contextlib.suppress(JournalError):  # said on the page where it matters
            house.tidy()
        watch.stood_still()  # of many pictures it may take long

    ticks, watch = 0, Watch()
    while not done.wait(TICK_S):
        steps: list[Callable[[], None]] = [house.desk.slept, house.desk.tick] if watch.stood_still() else [house.desk.tick]
        if house.tower is not None:
            steps.append(house.tower.tick)
        if ticks % TIDY_TICKS == 0:
            steps.append(tidy)
        if ticks % PLACE_TICKS == 0:
            steps.append(find)
        for step in steps:
            try:
                step()
            except Exception:  # clocks must go on falling, whatever one tick met with
                log.exception("a fault in a tick")
        ticks += 1


def say_secure(house: House) -> None:
    """Says where a phone finds the table, as text and as a QR code, and what its browser will ask."""
    import sys

    import segno

    click.echo(f"A phone opens {house.page('camera')}; its browser warns once that it does not know the certificate: go on anyway.")
    if sys.stdout is not None and sys.stdout.isatty():
        segno.make(house.page("camera")).terminal(compact=True)


def say_address(url: str, browser: bool, network: str = "") -> None:
    """Prints where the table is, for others in the ``network`` too, and, when wanted, opens it."""
    click.echo(f"The table is at {url} (Ctrl-C ends it).")
    if network and f"{network}/" != url:
        click.echo(f"Others in the network open {network}/.")
    if browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
