"""`referee demo`: the whole service on a recorded game."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from web.cli._given import Within
from web.cli._service import PORT, make_house, may_listen, open_store, run, say_address


@click.command(short_help="Referees the recorded game that comes along.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0 chooses a free one.")
@click.option("--no-browser", is_flag=True, help="Do not open the table page.")
@click.option("--speed", type=Within(0.1, 1000), default=1.0, show_default=True, help="How many times faster than readable.")
@click.option("--tower", is_flag=True, help="With a simulated dice tower, whose button drops the double.")
def command(port: int, no_browser: bool, speed: float, tower: bool) -> None:
    """Referees the recorded game that comes with the program, through the real eyes, and opens the table page.

    Nothing is kept: the matches of the demo lie in a temporary folder.
    """
    may_listen("127.0.0.1", port)

    from web.cli._log import keep_log
    from web.demo.script import PICTURES, Demo
    from web.runtime.eyes import Runtime
    from web.runtime.pace import Pace

    keep_log()
    temporary = tempfile.TemporaryDirectory(prefix="referee-demo-", ignore_cleanup_errors=True)
    with temporary as folder, open_store(str(Path(folder) / "demo.db")) as store:
        house = make_house(store, stills=True)
        box = None
        if tower:
            from hardware.protocol import Rest
            from hardware.simulator import Identity, Simulator
            from web.towerline import TowerLine

            box = Simulator(Identity("demo-tower", Rest.FIELD, reads=False), tty=False).start()
            house.tower = TowerLine(house.desk, f"socket://127.0.0.1:{box.port}", lambda: house.hub.announce("camera")).start()
        demo = Demo(house.desk, None if box is None else box.command)
        pace = Pace(2.5 / speed, 4.5 / speed, demo.after)
        eyes = Runtime(
            house.desk, str(PICTURES), lambda: house.hub.announce("camera"), pace=pace, pictures=house.pictures, lent=house.lent,
        )
        house.eyes = eyes

        def up(url: str) -> None:
            say_address(url, not no_browser)
            demo.begin()
            eyes.start()

        try:
            run(house, "127.0.0.1", port, announce=up)
        finally:
            eyes.stop()
            if house.tower is not None and box is not None:
                house.tower.stop()
                box.close()
