"""`referee check`: replays match records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli._given import Named, rules_of
from web.cli._outputs import printable

if TYPE_CHECKING:
    from referee.records.replay import Report
    from referee.rules import RuleSet


@click.command(
    name="check", short_help="Says what is wrong in match records.", epilog="Example: referee check match.mat --json"
)
@click.argument("files", nargs=-1, required=True, type=Named(Path))
@click.option("--json", "json_out", is_flag=True, help="One JSON object a file.")
@click.option("--rules", "rules_name", help="Judge by this rule set (a preset or a TOML file). Default: the file’s own, else bray.")
def command(files: tuple[Path, ...], json_out: bool, rules_name: str | None) -> None:
    """Replays match records and reports illegal plays, unplayed rolls, breaks, wrong scores and broken cube actions."""
    import json

    rules = rules_of(rules_name) if rules_name is not None else None
    clean, none = True, 0
    for path in files:
        answer, report = _checked(path, rules)
        none += report is None
        clean = clean and answer["ok"] and not any(answer[k] for k in ("illegal_plays", "unplayed_rolls", "breaks", "problems"))
        click.echo(json.dumps(answer) if json_out else printable(_words(answer, report)))
    if none:
        click.echo(nl=False)  # flushes it, where there is one
        raise click.ClickException(f"{none} of {len(files)} files are no match records: their lines say why")
    if not clean:
        raise click.exceptions.Exit(1)


def check(path: Path) -> dict[str, Any]:
    """The answer for one file, in the shape the command prints as JSON, by the file's own rules, else the common ones."""
    return _checked(path, None)[0]


def _checked(path: Path, rules: RuleSet | None) -> tuple[dict[str, Any], Report | None]:
    """`check` by ``rules``, the file's own where they are None, with what replaying found; None for what is no record."""
    from referee.match.shown import wording
    from referee.records.formats import read_record
    from referee.records.record import NotARecord
    from referee.records.replay import Finding, replay, why_illegal

    empty: dict[str, Any] = {"illegal_plays": [], "unplayed_rolls": [], "breaks": [], "problems": [], "remarks": []}
    try:
        parsed = read_record(path)
    except NotARecord as error:
        no = {"file": str(path), "ok": False, "games": 0, "match_length": None, "final_score": None, **empty, "problems": [str(error)]}
        return no, None
    report = replay(parsed, rules)

    def place(finding: Finding) -> dict[str, Any]:
        return {"game": finding.game, "row": finding.row, "side": finding.side.value}

    def illegal(finding: Finding) -> dict[str, Any]:
        reason = why_illegal(finding, report.rules)
        return {**place(finding), "play": finding.play, "code": reason.code, "rule": reason.rule, "text": wording.sentence(reason)}

    return {
        "file": str(path),
        "ok": report.complete,
        "games": len(parsed.record.games),
        "match_length": parsed.record.length,
        "final_score": list(report.final_score),
        "illegal_plays": [illegal(f) for f in report.illegal],
        "unplayed_rolls": [{**place(f), "dice": list(f.dice)} for f in report.unplayed],
        "breaks": [
            {**place(f), "play": f.play, "text": "this play cannot be read or made on the board; the rest of the game is not judged"}
            for f in report.breaks
        ],
        "problems": list(report.problems),
        "remarks": list(report.remarks),
    }, report


def _words(answer: dict[str, Any], report: Report | None) -> str:
    if report is None:
        return f"{answer['file']}: not a match record: {' '.join(answer['problems'])}"
    length = f"{answer['match_length']} points" if answer["match_length"] else "money"
    score = "-".join(map(str, answer["final_score"]))
    won = f", {report.winner.value} won the match" if report.winner is not None else ""
    lines = [f"{answer['file']}: {answer['games']} game(s), {length}, {score}{won}"]
    for kind, name, findings in (
        ("illegal_plays", "illegal", report.illegal), ("breaks", "break", report.breaks), ("unplayed_rolls", "unplayed", report.unplayed),
    ):
        for one, finding in zip(answer[kind], findings, strict=True):
            what = one["play"].rstrip(": ") if "play" in one else "".join(map(str, one["dice"]))
            why = f": {one['text']}" if "text" in one else ""
            where = f"row {finding.row}" if finding.row else f"action {finding.action}"  # SGF and our own have no rows
            lines.append(f"  {name}: game {one['game']}, {where}, {one['side']}, {what}{why}")
    lines += [f"  {problem}" for problem in answer["problems"]]
    if len(lines) == 1:
        lines[0] += ", nothing wrong"
    return "\n".join([*lines, *(f"  {remark}" for remark in answer["remarks"])])
