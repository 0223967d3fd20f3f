"""Renders labelled pictures: ``python -m vision.training.render --seed S --count N --out DIR``."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")


def _asked() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.render",
        description="Render labelled pictures of backgammon boards. The seed decides everything; what is there already is kept.",
    )
    parser.add_argument(
        "--what", choices=("frames", "crops", "turns"), default="frames",
        help="whole frames, small pictures around dice and cube, or the turns of a game, for `referee watch`",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first set-up; the next ones follow")
    parser.add_argument("--count", type=int, default=10, help="how many set-ups")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", choices=("train", "test"), default="train", help="test uses the families and views kept for testing")
    parser.add_argument("--pictures", type=int, help="pictures a set-up (drawn from the seed when not given)")
    parser.add_argument("--size", help="WIDTHxHEIGHT of whole frames")
    parser.add_argument("--samples", type=int, help="light paths a pixel")
    parser.add_argument("--fine", type=int, default=0, help="light paths a pixel of dice and cube in whole frames (0: as of the rest)")
    parser.add_argument("--least-die", type=float, default=0.0, help="px: leave set-ups out whose dice are less wide in the board's middle")
    parser.add_argument("--quality", type=int, help="JPEG quality (drawn from the seed when not given)")
    parser.add_argument("--endings", type=float, default=0.0, help="share of whole frames in which checkers are being borne off")
    parser.add_argument("--stacks", type=float, default=0.0, help="share of whole frames in which most points held are high stacks")
    parser.add_argument("--games", action="store_true", help="positions as whole games have them, and few bad throws")
    parser.add_argument("--rooms", type=float, default=0.0, help="share of set-ups in a bright room that glossy checkers mirror")
    parser.add_argument("--alike", type=float, default=0.0, help="share of set-ups with checkers of the colour of a point or of the field")
    parser.add_argument("--varied", type=float, default=0.0, help="share of set-ups whose checkers are each of their own shade")
    parser.add_argument("--leaning", type=float, default=0.0, help="share of throws among the crops in which dice lean by 5 to 20 degrees")
    parser.add_argument("--cubes", action="store_true", help="mostly cubes among the crops, every number as often")
    parser.add_argument("--turns", type=int, default=12, help="turns of a game")
    parser.add_argument("--doubles", type=float, default=0.0, help="how often a player of a game doubles who may")
    parser.add_argument("--sides", type=int, default=0, help="pictures more a set-up, of borne-off checkers alone: the rest stays black")
    parser.add_argument("--bars", type=int, default=0, help="pictures more a set-up, of the bar alone, with piles on it")
    parser.add_argument("--piles", action="store_true", help="whole frames with many checkers on the bar, in piles")
    parser.add_argument("--until", help="stop at this time of day, HH:MM")
    return parser.parse_args()


def main() -> int:
    args = _asked()
    try:
        import bpy  # noqa: F401
    except ImportError:
        print("bpy is missing: install vision/training/render/requirements.txt into an environment of its own.", file=sys.stderr)
        return 2
    from . import crops, frames

    size = None
    if args.size:
        w, h = args.size.split("x")
        size = (int(w), int(h))
    begun, made = time.time(), 0
    for n in range(args.count):
        if args.until and time.strftime("%H:%M") >= args.until:
            break
        seed = args.seed + n
        what = frames.Wanted(
            pictures=args.pictures, size=size, samples=args.samples, quality=args.quality, endings=args.endings, stacks=args.stacks,
            sides=args.sides, bars=args.bars, rooms=args.rooms, alike=args.alike, games=args.games, varied=args.varied, fine=args.fine,
            least_die=args.least_die, piles=args.piles,
        )
        if args.what == "turns":
            made += frames.make_game(seed, args.set, args.out, what, args.turns, args.doubles)
        elif args.what == "frames":
            made += frames.make_set_up(seed, args.set, args.out, what)
        else:
            made += crops.make_shard(seed, args.set, args.out, args.pictures or 40, args.samples, args.leaning, args.cubes)
        spent = time.time() - begun
        print(f"{n + 1}/{args.count} set-ups, {made} pictures, {spent / max(made, 1):.2f} s each", flush=True)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # bpy may crash while unloading
