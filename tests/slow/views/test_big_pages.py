"""What a board's page says in games of many secrets, as it was recorded."""

from transcripts import PAGES, answered_pages


def test_what_a_page_says_of_a_big_game_is_what_was_recorded() -> None:
    _, big = PAGES
    text = big.read_text(encoding="utf-8")
    assert answered_pages(text) == text
