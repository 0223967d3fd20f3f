"""`referee serve`: the live table."""

from __future__ import annotations

import re
from pathlib import Path

import click

from web.cli._given import Named, board_of, source_of
from web.cli._service import PORT, STREAMS, TABLE, club_sets, make_house, may_listen, open_store, run, say_address, say_secure, set_pins


@click.command(short_help="Serves the table: pages, API and camera.", epilog="Example: referee serve --camera 0")
@click.option(
    "--camera", metavar="SRC", type=Named(), help="A camera’s number or device name, a video file, an address, or a folder of pictures.",
)
@click.option("--board", type=Named(), help="A board file made by `referee setup`; else the starting position is waited for.")
@click.option("--tower", metavar="URL", help="A dice tower: a serial device, an address, or `auto`.")
@click.option(
    "--witnesses", type=click.Choice(["any", "camera", "tower", "both"]), default="any", show_default=True,
    help="Whose word makes a throw, where there are camera and tower. For dice that stay inside a tower it is always the tower’s.",
)
@click.option(
    "--rules", "sets", metavar="FILE", type=Named(), multiple=True,
    help="A club’s own rule set (TOML), offered beside those that come along.",
)
@click.option("--db", metavar="URL", help="Where the matches are kept: a file, or sqlite:///FILE. Default: your data folder.")
@click.option("--table", "name", default=TABLE, show_default=True, help="The table’s name in the addresses of its pages, /t/NAME/...")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for everybody in the network.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0 chooses a free one.")
@click.option(
    "--streams", type=click.IntRange(1, 2000), default=STREAMS, show_default=True, help="Pages that may follow the table at once.",
)
@click.option("--name", "names", multiple=True, help="A name this table is reached by besides this computer’s own.")
@click.option("--https", "secure", is_flag=True, help="Serve over HTTPS with a certificate of our own: a phone can then be the camera.")
@click.option("--public-pictures", is_flag=True, help="Show the camera’s pictures also to people without a PIN.")
@click.option("--new-pins", is_flag=True, help="Make and show new PINs; without PINs everybody who reaches the table may act at it.")
def command(
    camera: str | None, board: str | None, tower: str | None, witnesses: str, db: str | None, name: str, host: str, port: int, streams: int,
    names: tuple[str, ...], sets: tuple[str, ...], secure: bool, public_pictures: bool, new_pins: bool,
) -> None:
    """Serves the table: its pages, its API, and the eyes on the board when there is a camera."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,29}", name):
        raise click.UsageError(f"{name!r} cannot be a table’s name: use up to 30 letters, digits, - and _, such as --table main-hall-3")
    for host_name in names:
        if not re.fullmatch(r"[\w.-]{1,253}|[0-9A-Fa-f.:]+", host_name, re.ASCII):
            raise click.UsageError(f"{host_name!r} cannot be a host’s name: use a to z, digits, - and dots, such as --name hall-3.local")
    may_listen(host, port)

    from referee.match.witness import Witnesses  # after what may be refused at once: the eyes take a while to load
    from web.cli._log import keep_log
    from web.runtime.camera import CameraChoice

    own = club_sets(sets)
    source = None
    if camera is not None:
        from vision.camera.source import PushSource, is_camera

        if not is_camera(camera):  # which may be switched on later, and is tried until then
            source = PushSource() if camera == "phone" else source_of(camera)

    table, look = board_of(board) if board is not None else (None, None)
    if tower is not None:
        from hardware.link import unusable

        if reason := unusable(tower):
            raise click.UsageError(f"--tower: {reason}")
    console = keep_log()

    def tell(text: str) -> None:
        console.write(f"referee: {text}\n")

    with open_store(str(default_database()) if db is None else db) as store:
        stills = source is not None and source.stills
        house = make_house(store, stills=stills, streams=streams, kept_pins=True, table=name, sets=own)
        house.public_pictures = public_pictures
        set_pins(house, host, new_pins)
        board_file = Path(board) if board is not None else store.path.with_name(store.path.name + ".board.json")
        house.desk.set_witnesses(Witnesses(witnesses), camera_on=False)
        eyes = CameraChoice(house.desk, lambda: house.hub.announce("camera"), house.pictures, board_file, house.lent, tell)
        house.eyes = house.chooser = eyes
        if camera is not None:
            eyes.use(camera, source, table, look)
        if tower is not None:
            from web.towerline import TowerLine

            house.tower = TowerLine(house.desk, tower, lambda: house.hub.announce("camera"), tell).start()
        certificates = store.path.with_name("certificate")

        def up(url: str) -> None:
            say_address(url, False, house.address)
            if secure:
                say_secure(house)

        try:
            run(house, host, port, announce=up, hosts=frozenset(n.lower() for n in names), secure=certificates if secure else None)
        finally:
            eyes.stop()
            if house.tower is not None:
                house.tower.stop()


def default_database() -> Path:
    """Where a user's matches belong on this system."""
    import platformdirs

    return Path(platformdirs.user_data_dir("backgammon-referee", appauthor=False)) / "matches.db"
