"""`referee replay`: makes clips from settled pictures, plays clips through the eyes and the arbiter, reports what went wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from web.cli._given import Named, idle, to_its_end
from web.cli._outputs import one_line

if TYPE_CHECKING:
    from vision.camera.source import Frame

THROWS = ("rolled", "opening_rolled", "opening_tied", "roll_void")
PLAYS = ("played", "illegal_play", "play_corrected", "illegal_play_stood")
LABELS = 100_000_000  # bytes of a labels.json, or of a clip's truth: that of an hour's play is a hundredth of it
STEP = 10  # s of a clip after each of which it is said how far it is
EARLY = 0.5  # s: a play may be seen, and ruled, before the hand has wholly left the picture


@click.command(
    "replay", short_help="Makes a clip of pictures, or plays one and reports.",
    epilog="Example: referee replay game.mp4 --board board.json",
)
@click.argument("source", type=Named(Path))
@click.option("--make", is_flag=True, help="SOURCE is a folder of labelled pictures (labels.json): make a clip of it.")
@click.option(
    "-o",
    "--output",
    type=Named(Path),
    metavar="FILE",
    help="With --make: the clip (.mp4); its truth goes beside it (.json).",
)
@click.option("--seed", type=int, default=0, show_default=True, help="With --make: decides everything that is drawn by chance.")
@click.option(
    "--start", type=Named(Path), help="A picture of the starting position from the same camera (else the clip’s own)."
)
@click.option("--board", type=Named(Path), help="A board file made by `referee setup`.")
@click.option("--rules", default="bray", show_default=True, help="The rule set: a preset (`referee rules` lists them) or a TOML file.")
@click.option("--json", "json_out", is_flag=True, help="One JSON object: the report; of a bundle a line a picture.")
def command(
    source: Path, make: bool, output: Path | None, seed: int, start: Path | None, board: Path | None, rules: str, json_out: bool
) -> None:
    """With --make, joins the settled pictures of a folder into a clip at 30 frames a second: dice roll in, hands move checkers, light
    drifts, a lamp is switched, a die is nudged. Without it, plays the clip SOURCE and reports how the referee did. A bundle (.zip) of what
    the referee saw is read anew, and compared with what was read then."""
    if make:
        if output is None or output.suffix.lower() not in (".mp4", ".avi"):
            raise click.UsageError("say where the clip goes with -o CLIP.mp4")
        idle("with --make", "start", "board", "rules")
        _make(source, output, seed)
        return
    idle("without --make", "output", "seed")
    if source.suffix.lower() == ".zip":
        from web.cli._replay_saw import again

        idle("with a bundle", "start", "board", "rules")
        raise click.exceptions.Exit(again(source, json_out))
    report = play(source, start, board, rules)
    click.echo(json.dumps(report) if json_out else _words(report))
    if report["truth"] and not report["clean"]:
        raise click.exceptions.Exit(1)


def _make(folder: Path, output: Path, seed: int) -> None:
    import cv2
    import numpy as np

    from referee.files import read_most
    from vision.camera.source import is_text
    from vision.pictures import PictureError, load_picture
    from vision.replay.compose import FPS, Clip, Still
    from web.cli._misread import still_of
    from web.cli._outputs import check_output, write_output

    if not is_text(str(output)):
        raise click.UsageError(f"{str(output)!a} has letters in its name that no program for videos can read: choose another name")
    check_output(str(output), "-o", (str(folder / "labels.json"),))
    side = output.with_suffix(".json")
    try:
        _truth(side)  # that of an earlier clip makes room
    except click.UsageError:
        raise click.UsageError(f"{side} is there and is not the truth of a clip, which would take its place: choose another name") from None
    try:
        labels = json.loads(read_most(folder / "labels.json", LABELS))
        frames = labels["frames"]
        stills, kept = [], {}
        for f in frames:
            kept[f["image"]] = still_of(f)
            dice = tuple(np.asarray(d["top_quad_px"], np.float64) for d in f["dice"])
            near = (f.get("turn") or {}).get("player") != "far"
            stills.append(Still(load_picture(folder / f["image"]), dice, f["image"], near))
        if not stills:
            raise ValueError("no frames")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, PictureError) as error:
        reason = f"labels.json: {error.strerror}" if isinstance(error, OSError) else error
        raise click.UsageError(f"{folder} holds no labelled pictures ({reason}): a labels.json and its pictures are needed") from None
    if len({s.image.shape for s in stills}) != 1:
        raise click.UsageError(f"the pictures of {folder} are not all of one size")
    clip = Clip(stills, seed)
    height, width = stills[0].image.shape[:2]
    code = cv2.VideoWriter.fourcc("m", "p", "4", "v")
    writer = cv2.VideoWriter(str(output), code, FPS, (width, height))
    if not writer.isOpened():
        raise click.ClickException(f"{output} cannot be written: choose another place or the ending .avi")
    count, whole = 0, False
    try:
        for frame in clip.frames():
            writer.write(frame)
            count += 1
            if count % (STEP * FPS) == 0:
                click.echo(f"{count // FPS} s composed", err=True)
        writer.release()
        truth = {
            "fps": FPS, "frames": count, "start": str((folder / stills[0].name).resolve()), "seed": seed,
            "moments": [{"at": m.at, "kind": m.kind, "still": m.still} for m in clip.moments], "stills": kept,
        }  # fmt: skip
        write_output(side, json.dumps(truth), "-o")
        whole = True
    finally:
        writer.release()
        if not whole:  # interrupted, or the disk is full: half a clip, or one without its truth, is none
            output.unlink(missing_ok=True)
    click.echo(f"{one_line(str(output))}: {count / FPS:.0f} s, {len(clip.moments)} moments")


def play(clip: Path, start: Path | None, board: Path | None, rules: str) -> dict[str, Any]:
    """Runs ``clip`` through gate, readers and arbiter; compares with its truth where there is one beside it."""
    from referee.match.commands import StartGame, StartMatch
    from referee.match.journal import MemoryJournal
    from referee.match.table import open_table
    from vision.camera.gate import settled
    from vision.camera.source import SourceError
    from vision.following import Following, Where
    from web.cli._given import reader_of, source_of, watched_rules
    from web.cli._misread import misread, scenes_of
    from web.known import known_position

    truth = _truth(clip.with_suffix(".json")) if clip.is_file() else None
    if start is None and board is None:
        if truth is None:
            raise click.UsageError("say where the board is with --start IMAGE or --board board.json")
        start = Path(truth["start"])
    rule_set = watched_rules(rules)
    reader = reader_of(str(start) if start else None, str(board) if board else None, None)
    table = open_table(MemoryJournal(), rule_set)
    table.command(StartMatch(seen_seq=0, names=("Near", "Far"), length=0, rules=rule_set.name, games=1))
    table.command(StartGame(seen_seq=table.state.seq))
    eyes = Following(reader, lambda: known_position(table.state))
    costs: list[float] = []
    said: list[Said] = []
    read = []
    moved: list[dict[str, Any]] = []
    shown = 0.0
    try:
        source = _Live(to_its_end(source_of(str(clip))))
        for frame in settled(source, lambda: eyes.reader.table):
            if frame.image is None:
                click.echo(one_line(f"referee: {frame.trouble}"), err=True)
                continue
            if frame.at // STEP > shown:
                shown = frame.at // STEP
                click.echo(f"{shown * STEP:.0f} s replayed", err=True)
            began = time.perf_counter()
            reading = eyes.read(frame.image, frame.name, frame.at)
            new = table.observe(reading) if reading is not None else ()
            costs.append(time.perf_counter() - began)
            source.busy_until = frame.at + costs[-1]
            said += [Said(source.busy_until, one.event.type, one.frame, getattr(one.event, "dice", ())) for one in new]
            if reading is not None:
                read.append((frame.at, reading))
            if eyes.where is not Where.HERE and (not moved or moved[-1]["board"] != eyes.where.value or eyes.where is Where.FOUND):
                moved.append({"at": round(frame.at, 2), "board": eyes.where.value})
    except SourceError as error:  # of what it gave so far a report would be taken for that of all of it
        raise click.ClickException(str(error)) from None
    if not costs:
        raise click.ClickException("nothing was replayed: no picture could be read, or in none was the board seen at rest")
    seen = len(table.log)
    table.finish()
    said += [Said(source.last, one.event.type, one.frame) for one in table.log[seen:]]
    report: dict[str, Any] = {
        "seconds": round(source.last, 1), "readings": len(costs), "frames_dropped": source.dropped,
        "reading_ms": round(1000 * sorted(costs)[len(costs) // 2], 1),
        "events": [{"at": round(at, 2), "type": kind, "frame": name} for at, kind, name, _ in said],
        "moved": moved,
        "truth": truth is not None,
    }
    if truth is None:
        return report
    report |= _compare(truth["moments"], said, truth.get("stills", {})) | {"read": misread(scenes_of(truth), read)}
    return report | {"clean": report["clean"] and not report["read"]["undoubted"]}


def _truth(side: Path) -> dict[str, Any] | None:
    """What is true of the clip beside which this file lies; None where there is none."""
    from referee.files import read_most
    from web.cli._misread import scenes_of

    if not side.exists():
        return None
    try:
        truth: dict[str, Any] = json.loads(read_most(side, LABELS))
        moments, start = truth["moments"], truth["start"]
        if all(isinstance(m["at"], int | float) and m["kind"] and m["still"] for m in moments) and isinstance(start, str) and start:
            scenes_of(truth)
            return truth
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise click.UsageError(f"{side} is not the truth of a clip: move it away, or make the clip again under another name")


class Said(NamedTuple):
    """What was said at ``at`` s, of which ``frame``; of a throw with its ``dice``."""

    at: float
    kind: str
    frame: str
    dice: tuple[int, ...] = ()


class _Live:
    """A clip's frames as a camera would give them: what comes while a picture is still being read is dropped. A report tells of the
    machine as it is, with whatever else it does."""

    def __init__(self, source: Iterable[Frame]) -> None:
        self._source = source
        self.busy_until = self.last = 0.0
        self.dropped = 0

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._source:
            self.last = frame.at
            if frame.at < self.busy_until:
                self.dropped += 1
                continue
            yield frame


def _compare(moments: list[dict[str, Any]], said: list[Said], stills: dict[str, Any]) -> dict[str, Any]:
    """Every throw announced once, as it fell, within half a second of rest; nothing announced where nothing was thrown; plays ruled within
    a second. ``stills``: what lies in each of the clip's pictures, as far as that is known."""
    from web.cli._misread import announced_wrong

    told = [one for one in said if one.kind in THROWS]
    throws = [one.at for one in told]
    fallen = {m["at"]: stills.get(m["still"], {}).get("dice") for m in moments if m["kind"] == "rest"}
    rests = list(fallen)
    ends = [m["at"] for m in moments if m["kind"] in ("lifting", "rest")]
    delays, missed, wrong, used = [], [], [], set()
    for at in rests:
        until = min((e for e in ends if e > at + 0.01), default=at + 30)
        found = [i for i, t in enumerate(throws) if at - 0.15 <= t <= until + 0.6 and i not in used]
        if found:
            used.add(found[0])
            delays.append(throws[found[0]] - at)
            one, true = told[found[0]], fallen[at]
            if true is not None and one.kind != "roll_void" and announced_wrong(true, one.dice):
                wrong.append({"at": at, "dice": true, "announced": list(one.dice)})
        else:
            missed.append(at)
    plays = [one.at for one in said if one.kind in PLAYS]
    moved = [m["at"] for m in moments if m["kind"] == "moved"]
    rulings = []
    for i, at in enumerate(moved):
        until = moved[i + 1] if i + 1 < len(moved) else at + 30
        first = next((t for t in plays if at - EARLY <= t < until - EARLY), None)
        if first is not None:
            rulings.append(first - at)
    asked = sum(one.kind == "doubt" for one in said)
    extra = [round(at, 2) for i, at in enumerate(throws) if i not in used]
    late = sum(d > 0.5 for d in delays)
    return {
        "throws": len(rests), "announced": len(delays), "missed": len(missed), "extra": len(extra), "missed_at": missed, "extra_at": extra,
        "wrong": wrong, "announce_s": _spread(delays), "late": late, "plays_ruled": len(rulings), "ruling_s": _spread(rulings),
        "ruled_late": sum(r > 1.0 for r in rulings), "questions": asked,
        "clean": not missed and not extra and not wrong and not late and all(r <= 1.0 for r in rulings),
    }  # fmt: skip


def _spread(values: list[float]) -> dict[str, float] | None:
    if not values:
        return None
    ordered = sorted(values)
    return {"median": round(ordered[len(ordered) // 2], 2), "worst": round(ordered[-1], 2)}


def _words(report: dict[str, Any]) -> str:
    lines = [f"{report['readings']} readings, median {report['reading_ms']} ms each"]
    if not report["truth"]:
        return "\n".join(lines + [f"{e['at']:8.2f} s  {e['type']}  {one_line(e['frame'])}" for e in report["events"]])
    lines.append(
        f"throws {report['throws']}: announced {report['announced']}, missed {report['missed']}, extra {report['extra']}, "
        f"wrong {len(report['wrong'])}, after rest {report['announce_s']}, later than 0.5 s {report['late']}"
    )
    lines.append(f"plays ruled {report['plays_ruled']}, after the hand left {report['ruling_s']}; questions {report['questions']}")
    read = report["read"]
    if read["compared"]:
        lines.append(f"readings compared with the truth {read['compared']}, errors without a doubt {read['undoubted']}")
    lines += [f"  {times} times {one_line(what)}" for what, times in sorted((read["dice"] | read["points"]).items())]
    return "\n".join(lines)
