"""Games in nine languages print what was recorded."""

import pytest

from transcripts import LANGUAGES, replayed


@pytest.mark.needs("wordfreq")
def test_games_in_other_languages_print_what_was_recorded() -> None:
    text = LANGUAGES.read_text(encoding="utf-8")
    assert text.count("secret.language=") == 9
    assert replayed(text) == text
