"""PDFs: their pages, where cards lie on them, that nothing leaves a card, and that the same is printed twice."""

from __future__ import annotations

import builtins
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdf
import pytest

from rulelang.api import Spoken
from rulelang.base.languages import ENGLISH, Language
from rulelang.compiler.compilation import Compilation
from rulelang.tools.printing import typeset
from rulelang.tools.printing.rulebook import deck, rulebook, sheet
from rulelang.tools.printing.typeset import CannotPrint, pdf, pictures
from tests.printing.hostile import LONG, hostile

MM = 72 / 25.4
WIDTH, HEIGHT = 63, 88
PAPERS = {"a4": (210, 297), "letter": (215.9, 279.4)}


def read(data: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(data))


def words(page: pypdf.PageObject) -> str:
    return page.extract_text()


def chinese(one: Compilation) -> Language:
    return Spoken(one).language("zh")


@pytest.fixture(scope="module")
def evolution() -> Compilation:
    return Compilation("evolution")


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_cards_a_page_at_their_places(evolution: Compilation, paper: str) -> None:
    """Three by three in the middle of the page, edge to edge; the backs mirrored, so that they meet their fronts."""
    made = deck(evolution, paper=paper)
    printed = pdf(made)
    wide, high = PAPERS[paper]
    x0, y0 = (wide - 3 * WIDTH) / 2, (high - 3 * HEIGHT) / 2
    assert x0 > 5  # room for the marks
    assert y0 > 5
    count = len(made.cards)
    assert count == 129
    fronts = [card for card in printed.cards if not card.back]
    backs = [card for card in printed.cards if card.back]
    assert (len(fronts), len(backs)) == (count, count)
    for k, card in enumerate(fronts):
        row, column = divmod(k % 9, 3)
        assert card.page == 2 * (k // 9) + 1
        assert (card.x, card.y) == pytest.approx((x0 + column * WIDTH, y0 + row * HEIGHT), abs=0.05)
        assert backs[k].page == card.page + 1
        assert (backs[k].x + WIDTH, backs[k].y) == pytest.approx((wide - card.x, card.y), abs=0.05)
    pages = read(printed.data).pages
    assert len(pages) == printed.pages == 2 * -(-count // 9)
    assert (float(pages[0].mediabox.width), float(pages[0].mediabox.height)) == pytest.approx(
        (wide * MM, high * MM), abs=0.1
    )
    assert words(pages[0]).count("Carnivore") == 9
    assert "Carnivore" not in words(pages[1])


def test_without_backs_and_each_once(evolution: Compilation) -> None:
    made = deck(evolution, backs=False, once=True)
    printed = pdf(made)
    assert printed.pages == -(-len(made.cards) // 9)
    assert not any(card.back for card in printed.cards)


def test_a_rulebook_has_contents_numbers_and_an_index(evolution: Compilation) -> None:
    printed = pdf(rulebook(evolution))
    pages = read(printed.data).pages
    assert len(pages) == printed.pages > 10
    first, last = words(pages[0]), words(pages[-1])
    assert "Contents" in first
    assert all(word in first for word in ("Flow of the game", "Traits", "The rules", "Index", "2 to 6 players"))
    assert "Index" in last
    assert "Warning call" in last
    for number, page in enumerate(pages, 1):
        assert words(page).strip().endswith(str(number))


def test_a_sheet_has_one_page_or_two(evolution: Compilation) -> None:
    printed = pdf(sheet(evolution))
    assert printed.pages == 1
    (page,) = read(printed.data).pages
    assert page.mediabox.width > page.mediabox.height
    assert all(word in words(page) for word in ("Hard shell", "Defense", "Play a trait", "Feeding"))


@pytest.mark.parametrize("make", [rulebook, deck, sheet])
def test_the_same_bytes_twice(make: Any) -> None:
    first, second = (pdf(make(Compilation("evolution"))) for _ in range(2))
    assert first.data == second.data


def test_hostile_names_and_texts_are_printed_as_they_are(tmp_path: Path) -> None:
    one = Compilation(hostile(tmp_path))
    assert not one.diagnostics.failed
    for made in (rulebook(one), sheet(one)):
        said = " ".join(words(page) for page in read(pdf(made).data).pages)
        for part in ('#panic("no")', "$x^2$", "*bold*", "@ref", "/* none */", "<label>", r"\u{41}"):
            assert part in said.replace("\n", " "), part
    printed = pdf(deck(one, backs=False))
    said = "".join(words(page) for page in read(printed.data).pages)
    assert '#panic("no")' in said.replace("\n", " ")
    assert 'Spines #1 "x" \\' in said.replace("\n", " ")
    assert LONG[:30] in said.replace("\n", "").replace("-", "").replace("\u200b", "").lower()
    assert printed.cut == ("Long",)


def test_nothing_leaves_its_card(tmp_path: Path) -> None:
    """Every piece of text of the hostile cards begins inside of some card, also where it had to be cut."""
    printed = pdf(deck(Compilation(hostile(tmp_path)), backs=False))
    (page,) = read(printed.data).pages
    high = float(page.mediabox.height)
    seen: list[tuple[float, float]] = []

    def visit(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if text.strip():
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            seen.append((x / MM, (high - y) / MM))

    page.extract_text(visitor_text=visit)
    assert len(seen) > 20
    left, right = min(card.x for card in printed.cards), max(card.x for card in printed.cards) + WIDTH
    assert all(left <= x <= right for x, _ in seen), [at for at in seen if not left <= at[0] <= right]


def test_without_typst_one_line_says_how_to_get_it(evolution: Compilation, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **rest: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return real(name, *args, **rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CannotPrint, match=r"pip install 'rulelang\[print\]'"):
        pdf(sheet(evolution))
    monkeypatch.setattr(typeset, "package_folders", list)  # nor a font: both are named at once
    with pytest.raises(CannotPrint, match=r"pip install 'rulelang\[print,print-cjk\]'"):
        pdf(sheet(evolution, chinese(evolution)))


# ---- fonts


def test_chinese_is_set_in_a_font_that_has_it(evolution: Compilation) -> None:
    printed = pdf(sheet(evolution, chinese(evolution)))
    assert "肉食" in words(read(printed.data).pages[0])
    used = str([font for page in read(printed.data).pages for font in _fonts(page)])
    assert "CJK" in used


def _fonts(page: pypdf.PageObject) -> list[str]:
    resources: Any = page["/Resources"]
    return [str(font.get_object()["/BaseFont"]) for font in resources["/Font"].values()]


def test_latin_texts_need_no_font_of_the_machine(evolution: Compilation) -> None:
    names = {name for page in read(pdf(rulebook(evolution)).data).pages for name in _fonts(page)}
    assert all("Libertinus" in name or "DejaVu" in name for name in names), names


def test_a_missing_font_is_named_with_the_command(evolution: Compilation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulelang.tools.printing.typeset.east_asian", lambda language, families: [])
    with pytest.raises(CannotPrint, match=r"pip install 'rulelang\[print-cjk\]', or give a folder of fonts"):
        pdf(sheet(evolution, chinese(evolution)))
    assert pdf(sheet(evolution)).pages == 1  # English needs none


def test_fonts_follow_the_language() -> None:
    there = ["Libertinus Serif", "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK TC", "SimSun"]
    assert typeset.east_asian("ja", there)[0] == "Noto Sans CJK JP"
    assert typeset.east_asian("zh", there)[:2] == ["Noto Sans CJK TC", "Noto Sans CJK SC"]
    assert typeset.east_asian("zh-CN", there)[0] == "Noto Sans CJK SC"
    assert typeset.east_asian("en", ["SimSun"]) == ["SimSun"]
    assert typeset.scripts(["Évolution – 3 × 4"]) == ()
    assert typeset.scripts(["演化論", "エ", "שלום"]) == ("Hebrew", "East Asian")


# ---- all of them


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "game",
    [("evolution", "examples/climate"), ("origin_of_species",), ("evolved",), ("darwins_choice",),
     ("darwins_choice", "darwins_choice_colossal"), ("examples/guild",), ("examples/pebbles",)],
    ids="-".join,
)  # fmt: skip
def test_everything_is_printed(game: tuple[str, ...], lang: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    one = Compilation(game[0], game[1:])
    language = chinese(one) if lang == "zh" and "zh" in Spoken(one).codes else ENGLISH
    assert pdf(rulebook(one, language)).pages > 2
    assert pdf(sheet(one, language)).pages <= 2
    cards = deck(one, language)
    if cards.cards:
        printed = pdf(cards)
        assert printed.cut == ()
        assert printed.pages == 2 * -(-len(cards.cards) // 9)
    assert all(picture.startswith(b"\x89PNG") for picture in pictures(sheet(one, language), ppi=40))


def test_a_picture_of_the_look_is_printed_on_its_cards() -> None:
    """That of a trait, on all cards that can be played as it, and on no others; drawn, and not cut."""
    made = deck(Compilation("evolution", ["examples/thick_fur"]), once=True, backs=False)
    assert {face.title for face in made.faces if face.picture >= 0} == {"Thick Fur"}
    (drawn,) = made.pictures
    assert drawn.form == "svg"
    shown = [face for face in made.faces if face.picture >= 0]
    small = replace(made, faces=tuple(shown), cards=(0,))
    bare = replace(small, faces=(replace(shown[0], picture=-1),))
    assert pdf(small).cut == ()
    (with_it,), (without,) = pictures(small, ppi=40), pictures(bare, ppi=40)
    assert len(with_it) > len(without)
