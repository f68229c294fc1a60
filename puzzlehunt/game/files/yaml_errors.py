"""What keeps a text from being YAML, in words for somebody who wrote a game file."""

import yaml

TOO_DEEP = "nested too deeply"
"""What is wrong with a text of more levels than a game file, or YAML's own parser, takes."""
_OPENING = "{["
"""Signs that begin a list or mapping on one line."""
_QUOTES = "put a text that holds such a sign between quotes"


def error_line(error: yaml.MarkedYAMLError) -> int | None:
    """Return the number (from 1) of the line that an error is about, None where it names none."""
    mark = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else None


def explanation(error: yaml.MarkedYAMLError, text: str) -> str:
    """Return what is wrong with a text that YAML refused, and what would be right."""
    number = error_line(error)
    lines = [*text.split("\n"), ""]
    line = lines[min(number or 1, len(lines)) - 1]
    problem = error.problem or ""
    if "\t" in line and ("tab" in problem or "start any token" in problem):
        return "a tab stands where the line is indented; indent with blanks"
    if "start any token" in problem and error.problem_mark is not None:
        sign = line[error.problem_mark.column :][:1]
        return f"no text begins with {sign}; put it between quotes"
    if "mapping values" in problem:
        return _colon(line)
    if "end of stream" in problem and error.context_mark is not None:
        return f"the quote that opens in line {error.context_mark.line + 1} is never closed"
    if "expected ',' or" in problem and error.context_mark is not None:
        return _unclosed(lines, error.context_mark)
    if "expected key" in problem or "block entry" in problem:
        return "this line is indented otherwise than the lines that it belongs to"
    if "node content" in problem:
        return (
            "a value is missing, a bracket is not closed, or a sign such as # or ? begins a text; "
            f"{_QUOTES}"
        )
    if "alphabetic or numeric" in problem:
        return f"* and & mean something else in YAML; {_QUOTES}"
    if "nesting depth" in problem:
        return TOO_DEEP
    if "another document" in problem:
        return "a second document begins here; a game file is one, without ---"
    return f"not YAML: {problem or error.context}"


def _colon(line: str) -> str:
    """Return what is wrong with a line that has a colon where no key can end."""
    key, _, value = line.strip().partition(": ")
    if ": " in value or value.endswith(":"):
        return (
            f"a second colon stands after {key}: put a text with a colon between quotes, and a key "
            "on a line of its own"
        )
    return (
        "a key stands where none can; the line above lacks its colon, or this one is indented too "
        "far"
    )


def _unclosed(lines: list[str], opened: yaml.Mark) -> str:
    """Return what is wrong within a list or mapping on one line that was opened at a mark."""
    sign = lines[opened.line][opened.column :][:1]
    which = f"the {sign}" if sign in _OPENING else "the list or mapping"
    return (
        f"{which} of line {opened.line + 1} is not closed, or a comma is missing, or a text with "
        "brackets needs quotes"
    )
