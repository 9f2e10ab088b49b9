"""The data of a form: its fields, those of a trait's cards in other files too, and its rules with likely mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulelang.apps.studio.inside import Outside
from rulelang.apps.studio.workshop import files, reading
from rulelang.apps.studio.workshop.changes import changed
from rulelang.apps.studio.workshop.desk import Desk
from rulelang.apps.studio.workshop.form import Field, NoForm, Place, form_of
from rulelang.apps.studio.workshop.phrases import Phrases
from rulelang.apps.studio.workshop.rules import numbered_rules, rules_of, with_rule, without_rule
from rulelang.apps.studio.workshop.sums import Followed, followed
from rulelang.base.labels import name_in_words
from rulelang.base.languages import ENGLISH, Language
from rulelang.base.phrases import phrase
from rulelang.data.catalogues import load_translations
from rulelang.language.semantics.model import Model
from rulelang.tools.lint.run import linted

#: The rules of `lint` that report a rule, or a part of one, without effect.
WITHOUT_EFFECT = ("hook-without-effect", "modify-without-effect", "read-through-gone")


def shown(desk: Desk, path: str, text: str, given: Mapping[str, Any], language: Language = ENGLISH) -> dict[str, Any]:
    """The form of a text, JSON-able. What `given` asks for is done to the text first: a field `at` a place says another
    `value`; a rule more, by a `phrase` with `holes`; the rule of a number dropped (`drop`). What fields are called,
    `language` says. What files expect of their cards follows, in the text or in other files (`also`), and is told in
    `notes`. `unsaved` are texts of other files that the page holds. NoForm, NoPhrase."""
    model = desk.model
    if model is None:
        raise NoForm(phrase("there is no readable game here"))
    sums = Followed()
    languages = tuple(str(code) for code in given.get("languages", ["en"]))[:20]
    catalogues = desk.catalogues()
    if path in catalogues.values() and "at" in given:
        english = str([*given["at"], ""][1])
        text = changed(text, path, Field(("texts", english), english, "text", ""), given.get("value"))
        return {"text": text, "fields": [], "rules": [], "also": [], "notes": []}
    if "phrase" in given:
        text = with_rule(text, path, _phrase(desk, model, given))
    elif isinstance(given.get("drop"), int):
        text = without_rule(text, path, given["drop"])
    elif "at" in given:
        at = tuple(part for part in given["at"] if isinstance(part, (str, int)))
        field = next((one for one in form_of(text, path, model, languages, language) if one.at == at), None)
        if field is None:
            raise NoForm(phrase("this field no longer exists"))
        before, text = text, changed(text, path, field, given.get("value"))
        if field.kind != "text":
            unsaved = given.get("unsaved")
            held = {str(k): str(v) for k, v in unsaved.items()} if isinstance(unsaved, dict) else {}
            sums = followed(desk, path, before, text, held)
            text = sums.texts.pop(path, text)
    found = form_of(text, path, model, languages, language)
    trait = next((name for name, one in model.traits.items() if desk.relative(one.span.path) == path), "")
    more = elsewhere(desk, model, trait, path, languages, language) if trait else ()
    fields = translated(desk, catalogues, [*found, *more], name_in_words(trait))
    known = reading.in_words(desk, trait, path, language) if trait else {}
    likely = likely_mistakes(desk, path) if trait else {}
    rules = [
        {"text": rule, "said": known.get(rule, []), "notes": likely.get(rule, [])} for rule in rules_of(text, path)
    ]
    return {
        "text": text, "fields": [one.plain() for one in fields], "rules": rules,
        "also": [{"path": other, "text": now} for other, now in sums.texts.items()],
        "notes": [language.render(note) for note in sums.notes],
    }  # fmt: skip


def translated(desk: Desk, catalogues: Mapping[str, str], fields: list[Field], name: str) -> Iterator[Field]:
    """Texts in a language of which there is a catalogue are said there, unless the file itself says them. `name`: what
    the trait is called if nothing is written."""
    english: dict[Place, str] = {("name",): name}
    texts = [one for one in fields if one.kind == "text" and one.value]
    english |= {one.at[:-1] if one.at[-1] == "en" else one.at: str(one.value) for one in texts}
    said: dict[str, dict[str, str]] = {}
    for one in fields:
        code = str(one.at[-1])
        source = " ".join(english.get(one.at[:-1], "").split())
        if one.kind != "text" or one.value or code not in catalogues or not source:
            yield one
            continue
        if code not in said:
            said[code] = load_translations([desk.home], code) if desk.home is not None else {}
        yield replace(one, at=("texts", source), value=said[code].get(source, ""), path=catalogues[code])


def elsewhere(
    desk: Desk, model: Model, trait: str, path: str, languages: tuple[str, ...], language: Language
) -> Iterator[Field]:
    """The fields of rows that bear a trait in other files of the folder."""
    for other in desk.card_files(model):
        if other == path:
            continue
        try:
            text = files.read(desk.folder, other).text
            fields = form_of(text, other, model, languages, language)
        except (NoForm, Outside, files.Unreadable):
            continue
        for one in fields:
            if trait in one.traits:
                group = language.say("Its cards, in {file}: {row}", file=other, row=one.group)
                yield replace(one, path=other, group=group)


def likely_mistakes(desk: Desk, path: str) -> dict[str, list[str]]:
    """Return, by each rule in a trait's saved file, what `lint` reports about rules that do nothing."""
    with desk.lock:
        made = desk.checked()
        if made is None or made[1].diagnostics.failed:
            return {}
        found = [one.diagnostic for one in linted(made[1], select=WITHOUT_EFFECT).advice]
        mine = [one for one in found if desk.relative(one.span.path) == path]
        if not mine:
            return {}
        try:
            text = files.read(desk.folder, path).text
            numbered = numbered_rules(text, path)
        except (NoForm, Outside, files.Unreadable):
            return {}
    said: dict[str, list[str]] = {}
    for rule, first, last in numbered:
        notes = [f"{one.message}. {one.hint}" if one.hint else one.message for one in mine
                 if first <= one.span.line <= last]  # fmt: skip
        said[rule] = [*said.get(rule, []), *notes]
    return said


def _phrase(desk: Desk, model: Model, given: Mapping[str, Any]) -> str:
    with desk.lock:
        made = desk.checked()
        program = made[1].program if made is not None else None
    if program is None:
        raise NoForm(phrase("there is no readable game here"))
    holes = given.get("holes")
    said = {str(k): str(v) for k, v in holes.items()} if isinstance(holes, dict) else {}
    return Phrases(model, program).rule(str(given["phrase"]), said)
