"""Plays a game on a photographed board: `referee watch` reads the pictures, and what it should have said lies beside them.

    python -m vision.training.regame PHOTO.jpg --dice PHOTOS/labels.jsonl --out GAME [--turns 25] [--seed 1] [--stream]

The photograph is of the starting position and is the first picture. Its checkers are moved about as `recompose` does, by random legal
plays; what is not moved lies where it lay. Both players' dice are cut out of photographs, of one colour each (readers were trained on
those of the `tune` part). With ``--stream`` the board is part of a frame of 1280x720 px with lettering and signs, as tournaments show it.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.board.plays import LegalPlays
from referee.board.position import CHECKERS, START, Position, Seat
from referee.observations import Half
from vision.training.dice.lift import Lifted, lay, lifted
from vision.training.recompose import CLEAR, Board, Rng, board_of, composed, lying, standing

LEAST_EDGE, LEAST_LIGHT = 30, 120  # px and grey levels of a die, whose pips
LEAST_SPREAD = 20.0, 38.0  # make it differ by so many grey levels, of a one and of others: what has less nobody reads as small as a stream
LIKE = 2  # dice of one value and about one colour that a player has
STREAM, SHARE, PLAIN = (1280, 720), (0.75, 0.95), 40  # px; of the frame that the board's picture takes; grey levels of what is about it
QUALITY = 88

Frame = NDArray[np.uint8]


def legible(die: Lifted) -> bool:
    """Whether a die is light enough for a dark board, and its pips differ enough from it."""
    inside, grey = die.cover > 0, cv2.cvtColor(die.image, cv2.COLOR_BGR2GRAY)
    light, spread = float(die.image[inside].mean(0).max()), float(grey[inside].std())
    return die.edge >= LEAST_EDGE and light > LEAST_LIGHT and spread > LEAST_SPREAD[die.value > 1]


def family(dice: list[Lifted], rng: Rng) -> dict[int, list[Lifted]]:
    """Of each value a few dice of about the colour of one that is drawn. Raises SystemExit where a value is missing."""
    colours = np.array([die.image[die.cover > 0].mean(0) for die in dice])
    away = np.abs(colours - colours[rng.integers(len(dice))]).sum(1)
    found = {value: [dice[k] for k in np.argsort(away) if dice[k].value == value][:LIKE] for value in range(1, 7)}
    if not all(found.values()):
        raise SystemExit("the photographs have no legible die of some value: name more of them")
    return found


def with_throw(
    picture: Frame, board: Board, position: Position, thrown: list[tuple[Seat, Lifted]], rng: Rng
) -> list[dict[str, Any]] | None:
    """Lays the dice into their throwers' right-hand halves of ``picture``, clear of checkers: their labels, None where there is no room."""
    m, taken, labels = board.table.measures, standing(board, position), []
    free = np.array([CLEAR[0]] * len(taken))
    for seat, die in thrown:
        half, side = (Half.RIGHT, 1) if seat is Seat.NEAR else (Half.LEFT, -1)
        places = np.column_stack(
            [side * rng.uniform(m.bar / 2 + 1.5, m.inner[0] / 2 - 1.5, 4000), rng.uniform(2 - m.inner[1] / 2, m.inner[1] / 2 - 2, 4000)]
        )
        gaps = np.linalg.norm(places[:, None] - np.array(taken)[None], axis=2)
        clear = np.flatnonzero((gaps > free).all(1))
        if not len(clear):
            return None
        x, y = (float(v) for v in places[clear[0]])
        px, look = lying(board, x, y)
        lay(picture, die, look, look.edge * 1.05, rng)
        labels.append({"value": die.value, "state": "flat", "half": half.value, "centre_px": [float(v) for v in px]})
        taken.append((x, y))
        free = np.append(free, CLEAR[1])
    return labels


@dataclass(frozen=True)
class Stream:
    """Where pictures of the board lie in a stream's frame: always in the same place. ``scale``: stream px a picture's px; ``size`` and
    ``corner`` (left, top): of the part of the frame that they take, px."""

    scale: float
    size: tuple[int, int]
    corner: tuple[int, int]

    @classmethod
    def of(cls, board: Board, rng: Rng) -> Stream:
        height, width = board.image.shape[:2]
        scale = min(rng.uniform(*SHARE) * STREAM[0] / width, 0.9 * STREAM[1] / height)
        size = round(width * scale), round(height * scale)
        left, top = (int(rng.uniform(0, most - part)) for most, part in zip(STREAM, size, strict=True))
        return cls(scale, size, (left, top))

    def framed(self, picture: Frame) -> Frame:
        """The frame that shows a picture."""
        (width, height), (left, top) = STREAM, self.corner
        frame = np.full((height, width, 3), PLAIN, np.uint8)
        frame[top : top + self.size[1], left : left + self.size[0]] = cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA)
        cv2.rectangle(frame, (20, height - 50), (420, height - 10), (180, 60, 20), -1)
        cv2.putText(frame, "Near 5 - 3 Far", (25, height - 22), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 255, 255), 2)
        for k in range(3):
            cv2.circle(frame, (width - 60, 80 + 70 * k), 25, (40, 220, 240), -1)
        return frame

    def labelled(self, die: dict[str, Any]) -> dict[str, Any]:
        """A die's label, whose place is in the picture, as it is in the frame."""
        return die | {"centre_px": [at + self.scale * v for at, v in zip(self.corner, die["centre_px"], strict=True)]}


class Game:
    """The pictures of a game on the ``board`` as they are made, and their labels."""

    def __init__(self, board: Board, out: Path, seed: int, stream: Stream | None) -> None:
        self._board, self._out, self._seed, self._stream = board, out, seed, stream
        self.frames: list[dict[str, Any]] = []

    def picture(self, position: Position) -> Frame:
        return composed(self._board, position, np.random.default_rng(self._seed), self._seed)

    def add(self, picture: Frame, role: str, position: Position, dice: list[dict[str, Any]], turn: dict[str, Any] | None) -> None:
        name = f"f{len(self.frames):03d}.jpg"
        if self._stream is not None:
            picture, dice = self._stream.framed(picture), [self._stream.labelled(die) for die in dice]
        cv2.imwrite(str(self._out / name), picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
        seen = {"points": list(position.points), "bar": list(position.bar), "off": list(position.off)}
        cube = {"value": 1, "owner": None, "offered_to": None}
        self.frames.append({"image": name, "role": role, "position": seen, "dice": dice, "cube": cube, "occluded": False, "turn": turn})


def played(board: Board, dice: list[Lifted], out: Path, turns: int, seed: int, stream: bool) -> list[dict[str, Any]]:
    """Writes the pictures of a game of so many ``turns`` into ``out``; their labels."""
    rng = np.random.default_rng(seed)
    own = {seat: family(dice, rng) for seat in Seat}
    game = Game(board, out, seed, Stream.of(board, rng) if stream else None)
    game.add(board.image, "calibration", START, [], None)
    position, seat = START, None
    for _ in range(turns):
        roll = rng.choice(6, 2, replace=seat is not None) + 1
        a, b = int(roll[0]), int(roll[1])
        throwers = (Seat.NEAR, Seat.FAR) if seat is None else (seat, seat)
        seat = seat or (Seat.NEAR if a > b else Seat.FAR)
        thrown = [(who, own[who][v][int(rng.integers(len(own[who][v])))]) for who, v in zip(throwers, (a, b), strict=True)]
        picture = game.picture(position)
        labels = with_throw(picture, board, position, thrown, rng)
        if labels is None:
            break
        turn = {"player": seat.value, "dice": [a, b], "valid": True}
        game.add(picture, "throw", position, labels, turn)
        results = list(LegalPlays(position, seat, (a, b)).results)
        position = results[int(rng.integers(len(results)))] if results else position
        game.add(game.picture(position), "after_move", position, [], turn | {"legal": True})
        if max(position.off) == CHECKERS:
            break
        seat = seat.other
    return game.frames


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("photo", type=Path)
    ap.add_argument("--dice", type=Path, required=True, help="labels.jsonl of photographs of dice")
    ap.add_argument("--parts", nargs="+", default=["keep", "tune"], help="which of them")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--turns", type=int, default=25)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--stream", action="store_true")
    args = ap.parse_args()
    cv2.setRNGSeed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    dice = [die for part in args.parts for die in lifted(args.dice, part) if legible(die)]
    frames = played(board_of(args.photo), dice, args.out, args.turns, args.seed, args.stream)
    (args.out / "labels.json").write_text(json.dumps({"frames": frames}))
    print(f"{len(frames)} pictures in {args.out}")


if __name__ == "__main__":
    main()
