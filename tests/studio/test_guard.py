"""Nobody but its own pages, and programs that have a key, drive the server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.apps.studio.workshop.files import OutsideFolder, path_inside
from tests.studio.helpers import HERE, client, site


def test_pages_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    with client(site(tmp_path), key="") as asked:
        page = asked.get("/")
    rules = page.headers["content-security-policy"]
    nonce = re.search('content="(.+?)"', page.text)
    assert nonce is not None
    assert f"style-src 'self' 'nonce-{nonce[1]}'" in rules
    assert "default-src 'none'" in rules
    assert "script-src 'self';" in rules
    assert "unsafe" not in rules
    assert re.findall(r"wss?://\S+?(?=;| )", rules) == ["ws://127.0.0.1:8640", "wss://127.0.0.1:8640"]
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in page.headers


def test_each_page_has_a_nonce_of_its_own(tmp_path: Path) -> None:
    with client(site(tmp_path)) as asked:
        assert asked.get("/").text != asked.get("/").text


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8640", "evil.example:80@127.0.0.1", "", "[::1"],
)
def test_a_name_that_was_made_to_point_here_is_not_answered(tmp_path: Path, host: str) -> None:
    with client(site(tmp_path)) as asked:
        for path in ("/", "/static/app.js", "/api/about"):
            assert asked.get(path, headers={"Host": host}).status_code == 421, (host, path)


@pytest.mark.parametrize("host", ["127.0.0.1:8640", "localhost:1", "[::1]:8640", "192.168.1.7", "Table.Local:8640"])
def test_its_own_names_are_answered(tmp_path: Path, host: str) -> None:
    with client(site(tmp_path, names=frozenset({"table.local"}))) as asked:
        assert asked.get("/api/about", headers={"Host": host}).status_code == 200


def test_another_site_is_refused_even_with_the_key(tmp_path: Path) -> None:
    with client(site(tmp_path)) as asked:
        for origin in ("https://evil.example", "http://127.0.0.1:9999", "null"):
            assert asked.get("/api/about", headers={"Origin": origin}).status_code == 403, origin
        crossed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
        assert asked.get("/api/about", headers=crossed).status_code == 403
        assert asked.get("/api/about", headers={"Origin": HERE}).status_code == 200


def test_what_may_be_done_needs_the_key(tmp_path: Path) -> None:
    for key in ("", "another"):
        with client(site(tmp_path), key=key) as asked:
            assert asked.get("/api/about").status_code == 401
            assert asked.get("/api/nothing/there").status_code == 401
    with client(site(tmp_path)) as asked:
        assert asked.get("/api/about").json() == {"folder": None}


def test_static_files_end_at_their_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    with client(site(tmp_path)) as asked:
        assert asked.get("/static/app.js").status_code == 200
        for path in ("/static/../secret.txt", "/static/%2e%2e/secret.txt", "/static/..%2fsecret.txt"):
            assert asked.get(path).status_code == 404, path


@pytest.mark.parametrize(
    "name", ["..", "../x", "a/../../x", "/etc/passwd", "", ".", "C:/x", "a\\..\\x", "link/x", "link", "a\0b"]
)
def test_no_path_leads_out_of_a_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(OutsideFolder):
        path_inside(folder, name)


def test_paths_of_a_folder_are_found(tmp_path: Path) -> None:
    assert path_inside(tmp_path, "traits/new.yaml") == tmp_path / "traits" / "new.yaml"
