"""`referee rules`: the rule sets in plain sentences."""

from __future__ import annotations

import json
import textwrap

import click

from referee.rules import PRESETS, RuleSet, questions
from referee.rules.guidance import guidance
from referee.rules.plain import Line, describe
from web.cli._given import rules_of

_WIDTH = 58


@click.command(short_help="The rule sets in plain sentences.", epilog="Example: referee rules bray traditional")
@click.argument("name", required=False)
@click.argument("other", required=False)
@click.option("--json", "json_out", is_flag=True, help="One JSON object a rule set instead of text.")
def command(name: str | None, other: str | None, json_out: bool) -> None:
    """Prints a rule set in plain sentences, or two side by side with the differences marked.

    NAME and OTHER are presets or a club's own TOML file. Without a NAME the presets are listed.
    """
    given = [each for each in (name, other) if each is not None]
    sets = [rules_of(each) for each in given]
    if json_out:
        for rules in sets or [preset.rules for preset in PRESETS.values()]:
            said = {line.choice: line.text for line in describe(rules)}
            left = [{"choice": q.choice, "asked": q.asked, "answers": [a.value for a in q.answers]} for q in questions(rules)]
            click.echo(json.dumps({"name": rules.name, "rules": said, "left_open": left}))
    elif not sets:
        for each, preset in PRESETS.items():
            click.echo(f"{each:18}{preset.source}")
    elif len(sets) == 1:
        _print_one(sets[0])
    else:
        _print_two(sets[0], sets[1])


def _note(line: Line) -> str:
    return " (asked at set-up)" if line.asked else " (open to agreement)" if line.option else ""


def _print_one(rules: RuleSet) -> None:
    known = PRESETS.get(rules.name)
    click.echo(f"{rules.name}: {known.source}" if known else rules.name)
    for line in describe(rules):
        click.echo(f"  {line.text}{_note(line)}")
    for rule, text in guidance(rules):
        click.echo(f"  {text} (the referee cannot see this; {rule})")


def _print_two(one: RuleSet, other: RuleSet) -> None:
    click.echo(f"  {one.name:{_WIDTH}}  {other.name}")
    differences = left_open = 0
    for left, right in zip(describe(one), describe(other), strict=True):
        differs, open_ = left.text != right.text, _note(left) != _note(right)
        differences += differs
        left_open += open_ and not differs
        mark = "*" if differs else "o" if open_ else " "
        rows = [textwrap.wrap(line.text + _note(line), _WIDTH) for line in (left, right)]
        for number in range(max(map(len, rows))):
            cells = [row[number] if number < len(row) else "" for row in rows]
            click.echo(f"{mark if number == 0 else ' '} {cells[0]:{_WIDTH}}  {cells[1]}".rstrip())
    click.echo(f"{differences} differences, marked *." if differences != 1 else "1 difference, marked *.")
    if left_open:
        click.echo(f"{left_open} marked o: alike as written, but left to the players in one of the two only.")
