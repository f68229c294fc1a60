"""Long transcripts: games in nine languages, and the answers of commands as JSON."""

import pytest

from transcripts import ANSWERS, LANGUAGES, replayed


@pytest.mark.needs("wordfreq")
def test_games_in_other_languages_print_what_was_recorded() -> None:
    text = LANGUAGES.read_text(encoding="utf-8")
    assert text.count("secret.language=") == 9
    assert replayed(text) == text


def test_commands_answer_what_was_recorded() -> None:
    text = ANSWERS.read_text(encoding="utf-8")
    assert replayed(text) == text
