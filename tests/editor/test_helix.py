"""The settings for Helix on the page: there is no Helix here, so they are held against what its reader takes."""

from __future__ import annotations

import re
import tomllib

from tests.editor.helpers import ROOT

#: The fields of `LanguageConfiguration` and `LanguageServerConfiguration` in helix-core/src/syntax/config.rs, of which
#: it refuses unknown ones, as far as a language without a grammar may say them.
LANGUAGE = {
    "name", "language-id", "scope", "file-types", "shebangs", "roots", "comment-tokens", "comment-token",
    "block-comment-tokens", "auto-format", "formatter", "language-servers", "indent",
}  # fmt: skip
SERVER = {"command", "args", "environment", "config", "timeout", "required-root-patterns"}


def test_the_settings_say_what_helix_reads() -> None:
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    settings = tomllib.loads(block)
    assert settings.keys() == {"language", "language-server"}
    assert all(server.keys() <= SERVER and "command" in server for server in settings["language-server"].values())
    for language in settings["language"]:
        assert language.keys() <= LANGUAGE
        assert "rulelang" in language["language-servers"]
    (rules,) = [one for one in settings["language"] if one["name"] == "rulelang"]
    assert {"scope", "file-types"} <= rules.keys(), "what a language that Helix does not know must say"
    assert rules["indent"].keys() == {"tab-width", "unit"}
