"""Versions as HTTP writes them: ETag, If-None-Match, If-Match."""

from starlette.requests import Request

from puzzlehunt.web.refusals import Refusal


def etag(version: int) -> str:
    """Return the tag of an answer that belongs to a version."""
    return f'"{version}"'


def _tags(header: str) -> list[str]:
    return [tag.strip() for tag in header.split(",")]


def is_known(request: Request, version: int) -> bool:
    """Return whether whoever asks has the answer of this version already (If-None-Match)."""
    header = request.headers.get("if-none-match")
    if header is None:
        return False
    tags = [tag.removeprefix("W/") for tag in _tags(header)]
    return header.strip() == "*" or etag(version) in tags


def wanted_version(request: Request, version: int) -> int | None:
    """Return the version that a change is made for by If-Match; None without the header.

    Raises Refusal (412) where that is not `version`, the newest. A weak tag (W/) names none.
    """
    header = request.headers.get("if-match")
    if header is None:
        return None
    if header.strip() == "*" or etag(version) in _tags(header):
        return version
    raise Refusal(
        412, f"the board has version {version} by now: look, and do it again",
        {"ETag": etag(version)},
    )  # fmt: skip
