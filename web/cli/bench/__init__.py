"""`referee bench`: the benchmarks and accuracy reports, one a module ``web/cli/bench/PART.py``.

Such a module has a one-line docstring and ``run(json_out: bool, ...) -> int``, which prints its figures and returns the exit status; the
other parameters, each with its default, are its options.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import json
import math
import pkgutil
from pathlib import Path

import click


def parts() -> dict[str, str]:
    """Every part and what it measures, without importing it."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            source = Path(__path__[0], f"{module.name}.py").read_text(encoding="utf-8")
            said = ast.get_docstring(ast.parse(source)) or ""
            found[module.name] = said.partition("\n")[0]
    return dict(sorted(found.items()))


@click.command(
    "bench", short_help="The benchmarks and accuracy reports.", epilog="Example: referee bench players --turns 500 --seed 7",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": ["-h", "--help"]},
)
@click.argument("part", required=False)
@click.option("--json", "json_out", is_flag=True, help="Print the figures as JSON, one object a line.")
@click.pass_context
def command(context: click.Context, part: str | None, json_out: bool) -> None:
    """Runs one PART, or lists the parts when none is named.

    What a part takes beside --json is written --name VALUE, several values after one another.
    """
    known = parts()
    if part is None:
        for name, said in known.items():
            click.echo(json.dumps({"part": name, "measures": said}) if json_out else f"{name:<12s} {said}")
        return
    if part not in known:
        raise click.UsageError(f"there is no benchmark ‘{part}’; the parts are {', '.join(known) or 'none yet'}")
    given = _options(context.args)
    module = importlib.import_module(f"{__name__}.{part}")
    takes = {name: one.default for name, one in inspect.signature(module.run).parameters.items() if name != "json_out"}
    if unknown := [name for name in given if name not in takes]:
        has = ", ".join(map(_written, [*takes, "json"]))
        raise click.UsageError(f"the benchmark ‘{part}’ has no option {_written(unknown[0])}; it takes {has}")
    options = {name: _taken(name, values, takes[name]) for name, values in given.items()}
    raise click.exceptions.Exit(int(module.run(json_out, **options)))


def _written(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _options(words: list[str]) -> dict[str, tuple[str, ...]]:
    """``--name VALUE ...``: each option's values."""
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    for word in words:
        if word.startswith("--") and len(word) > 2:
            name, eq, value = word[2:].partition("=")
            name = name.replace("-", "_")
            found.setdefault(name, ())
            if eq:
                found[name] += (value,)
        elif name:
            found[name] += (word,)
        else:
            raise click.UsageError(f"‘{word}’ is not understood; options are written --name VALUE")
    if empty := [name for name, values in found.items() if not values]:
        raise click.UsageError(f"{_written(empty[0])} needs a value")
    return found


def _taken(name: str, values: tuple[str, ...], default: object) -> tuple[str, ...] | str | float | bool:
    """What an option's ``values`` say, read as what its ``default`` is."""
    if isinstance(default, tuple):
        return values
    text = values[-1]
    if isinstance(default, bool):
        if text not in ("0", "1"):
            raise click.UsageError(f"{_written(name)} takes 1 for yes or 0 for no, not ‘{text}’")
        return text == "1"
    if not isinstance(default, int | float):
        return text
    with contextlib.suppress(ValueError):
        number = type(default)(text)
        if 0 <= number < math.inf:
            return number
    whole = "a whole number" if isinstance(default, int) else "a number"
    raise click.UsageError(f"{_written(name)} takes {whole} from 0, not ‘{text}’")
