"""What the page to write on asks the server. All of it needs the author's key, which `Guard` has seen already."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.routing import BaseRoute

from rulelang.studio.site import Site


def routes(site: Site, folder: Path) -> Sequence[BaseRoute]:
    """Below `/api/workshop`: nothing outside of `folder` may be reached by any of them."""
    return []
