"""Small numbers as people write them: in digits, or as English words up to ten."""

NUMBER = r"\d{1,4}|an?|no|zero|one|two|three|four|five|six|seven|eight|nine|ten"
"""Regular expression of a number; match it without regard to case."""

_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_VALUES = {"a": 1, "an": 1, "no": 0} | {word: value for value, word in enumerate(_WORDS)}


def value_of(number: str) -> int:
    """Return the value of a text that `NUMBER` matches."""
    return int(number) if number.isdigit() else _VALUES[number.casefold()]
