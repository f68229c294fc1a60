"""The files of the pages: styles, scripts and icon, with a digest in their addresses.

The digest changes with the files, so that browsers may keep them for ever.
"""

import hashlib
from functools import cache

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from puzzlehunt.views.page.board_rows import stylesheet
from puzzlehunt.web.http_errors import HERE, TEMPLATES, HttpError

_FILES = HERE / "static"
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}

router = APIRouter(include_in_schema=False)


@cache
def style() -> str:
    """Return the style sheet of all pages, with the colours of symbols, marks and people."""
    names = {path.name for path in _FILES.glob("*.css")} - {"page.css"}
    first, *others = (
        (_FILES / name).read_text(encoding="utf-8") for name in ["page.css", *sorted(names)]
    )
    return "".join([first, stylesheet(), *others])


@cache
def digest() -> str:
    """Return a digest of all files of the pages."""
    found = hashlib.sha256(style().encode())
    for path in sorted(_FILES.iterdir()):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


class KeptFiles(StaticFiles):
    """The static files, which browsers keep for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or the error that there is none."""
        response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            response.headers.update(_KEPT)
        return response


def static_path(request: Request) -> str:
    """Return the path of the static files, to which a file's name is added."""
    return f"{request.scope.get('root_path', '')}/static/{digest()}"


TEMPLATES.env.globals["static"] = static_path
TEMPLATES.env.globals["modules"] = sorted(
    {path.name for path in _FILES.glob("*.js")} - {"main.js", "home.js", "docs.js"}
)
"""The scripts of a board's page, which load at once by this list."""


@router.get("/static/{wanted}/style.css")
async def get_style(wanted: str) -> Response:
    """Return the style sheet of all pages."""
    if wanted != digest():
        raise HttpError(404, "there is nothing at this address")
    return Response(style(), media_type="text/css", headers=_KEPT)


@router.get("/favicon.ico")
async def icon() -> Response:
    """Return the icon."""
    return FileResponse(_FILES / "icon.svg", headers={"Cache-Control": "max-age=86400"})


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """Return what a phone needs to know to put the pages among its apps."""
    root, files = request.scope.get("root_path", ""), static_path(request)
    return JSONResponse(
        {
            "name": "puzzlehunt",
            "short_name": "puzzlehunt",
            "start_url": f"{root}/",
            "scope": f"{root}/",
            "display": "standalone",
            "theme_color": "#1b1e23",
            "background_color": "#f3f4f6",
            "icons": [
                {"src": f"{files}/icon.svg", "sizes": "any", "type": "image/svg+xml"},
                {"src": f"{files}/icon.png", "sizes": "192x192", "type": "image/png"},
            ],
        },
        media_type="application/manifest+json",
    )
