"""What the command line says of itself."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

import web.cli
from tests.web.conftest import referee


def _commands() -> dict[str, click.Command]:
    context = click.Context(web.cli._group)
    return {name: found for name in web.cli._group.list_commands(context) if (found := web.cli._group.get_command(context, name))}


def test_the_list_of_commands_says_of_each_in_a_whole_sentence_what_it_does() -> None:
    """As on a terminal 80 characters wide; a sentence that does not fit is cut off with dots."""
    said = CliRunner().invoke(web.cli._group, ["--help"], terminal_width=80).output.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in said] == list(_commands())
    assert [line for line in said if line.endswith("...") or not line.endswith(".")] == []


@pytest.mark.parametrize("name", _commands())
def test_a_command_that_is_told_what_to_work_on_shows_how(name: str) -> None:
    one = _commands()[name]
    if any(isinstance(each, click.Argument) for each in one.params):
        assert f"Example: referee {name} " in " ".join(CliRunner().invoke(one, ["--help"]).output.split())


@pytest.mark.parametrize("name", _commands())
def test_every_option_is_explained(name: str) -> None:
    assert [each.opts for each in _commands()[name].params if isinstance(each, click.Option) and not each.help] == []


def test_without_a_command_the_help_is_shown_as_it_is() -> None:
    done = referee()
    assert (done.stdout + done.stderr).startswith("Usage: ")
    assert referee("check").stderr == "referee: Missing argument 'FILES...'. See `referee check --help`\n"
