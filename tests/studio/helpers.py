"""What the studio's tests share: a site with pages of a line, and a client that has its key."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from rulelang.apps.studio.app import make_app
from rulelang.apps.studio.guard import Site

KEY = "the-author"
HERE = "http://127.0.0.1:8640"


def site(
    tmp_path: Path, folder: Path | None = None, names: frozenset[str] = frozenset(), kept: Path | None = None
) -> Site:
    static = tmp_path / "static"
    static.mkdir(exist_ok=True)
    (static / "index.html").write_text('<meta name="csp-nonce" content="{{nonce}}">', encoding="utf-8")
    (static / "app.js").write_text("1;", encoding="utf-8")
    return Site(KEY, names, folder, static=static, kept=kept)


def client(given: Site, key: str = KEY) -> TestClient:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return TestClient(make_app(given), base_url=HERE, headers=headers, raise_server_exceptions=True)
