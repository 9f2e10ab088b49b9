"""What the page to write on asks the server: files, forms, scenarios to keep, and a language server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.apps.studio.guard import PROTOCOL, Site, json_body
from rulelang.apps.studio.tables.hub import Hub, folder_game
from rulelang.apps.studio.workshop import files, form
from rulelang.apps.studio.workshop.balance import Abandoned, Scales
from rulelang.apps.studio.workshop.files import OutsideFolder
from rulelang.apps.studio.workshop.form_data import NoPhrase, RulePhrases, form_as_data
from rulelang.apps.studio.workshop.project_session import ProjectSession, is_understood
from rulelang.base.languages import ENGLISH, Language, error_text
from rulelang.base.phrases import Phrase, phrase
from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.catalogues import load_translations, own_folder
from rulelang.language.semantics.model import Model
from rulelang.runtime.state import State
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.writer import (
    LAST,
    CannotWrite,
    Written,
    text_with_scenario,
    unused_name,
    write_scenario,
)
from rulelang.tools.scaffolding.files import CannotStart, valid_name
from rulelang.tools.scaffolding.new import new_ruleset, new_trait
from rulelang.tools.scaffolding.trait_example import regenerate_example, without_example

# ---- keep positions as scenarios


def make_scenario(desk: ProjectSession, state: State, name: str, path: str, last: int = LAST) -> tuple[int, Written]:
    """Write the scenario of a state at the end of a file; its line. CannotWrite, with the file as it was before."""
    with desk.lock:
        made = desk.checked()
        if made is None or made[1].diagnostics.failed or desk.home is None:
            raise CannotWrite(phrase("the game has errors: fix them first"))
        fixture = Fixture(Compilation(desk.home))
        now = fixture.game.table(state.table.players, chosen_options(fixture, state))
        if now.fingerprint != state.table.fingerprint:
            raise CannotWrite(phrase("the game has changed since this table started: start a new one"))
        name = unused_name(" ".join(name.split()) or "a position", {one["name"] for one in desk.scenarios(made[1])})
        found = write_scenario(fixture, state, name, last)
        there = desk.absolute(path).exists()
        before = files.read_file(desk.folder, path) if there else files.File(path, "", "")
        text, line = text_with_scenario(before.text, path, found)
        version = files.save_file(desk.folder, path, text, before.version)
        outcomes = desk.run(path, name)["outcomes"]
        if len(outcomes) == 1 and outcomes[0]["passed"]:
            return line, found
        if there:
            files.save_file(desk.folder, path, before.text, version)
        else:
            desk.absolute(path).unlink()
        raise CannotWrite(phrase("the new scenario did not give the same result as the game, so it was removed"))


def chosen_options(fixture: Fixture, state: State) -> dict[str, object]:
    """The options of a state's table that its game still has."""
    options = fixture.game.options
    return {name: options[name].value_of(n) for name, n in state.table.options.items() if name in options}


# ---- the language server

#: Seconds that a server has to end by itself.
PATIENCE = 3.0
LARGEST = 16 * 1024 * 1024


async def serve_language_server(socket: WebSocket, folder: str) -> None:
    """Until one of both is gone. The process ends with the page."""
    await socket.accept(PROTOCOL)
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rulelang", "lsp",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        cwd=folder, env={**os.environ, "PYTHONUNBUFFERED": "1"}, limit=LARGEST,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    tasks = [
        asyncio.create_task(_forward_page(socket, server.stdin)),
        asyncio.create_task(_forward_server(server.stdout, socket)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        with contextlib.suppress(ProcessLookupError):
            server.terminate()
        try:
            async with asyncio.timeout(PATIENCE):
                await server.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                server.kill()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _forward_page(socket: WebSocket, into: asyncio.StreamWriter) -> None:
    """What the page says, to the server: each message with its length before it."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, ConnectionError):
        while True:
            data = (await socket.receive_text()).encode()
            into.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            await into.drain()


async def _forward_server(out: asyncio.StreamReader, socket: WebSocket) -> None:
    """What the server says, to the page."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, asyncio.IncompleteReadError, ConnectionError):
        while True:
            length = 0
            while (line := (await out.readline()).strip()) or not length:
                if not line and out.at_eof():
                    return
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            await socket.send_text((await out.readexactly(length)).decode())


# ---- routes

T = TypeVar("T")

#: What a page may have asked for that cannot be; its text is shown as it is.
WRONG = (OutsideFolder, files.Unreadable, form.NoForm, NoPhrase, CannotStart, CannotWrite, LoadError)


def workshop_routes(site: Site, folder: Path) -> Sequence[BaseRoute]:
    """Below `/api/workshop`: nothing outside of `folder` may be reached by any of them."""
    desk = ProjectSession(folder)
    scales: list[Scales] = []

    async def told(request: Request, work: Callable[[], T]) -> T:
        """What work in a thread comes to; what was asked for wrongly is told in the language of the page."""
        try:
            return await asyncio.to_thread(work)
        except WRONG as problem:
            raise HTTPException(400, error_text(problem, spoken(request))) from None

    def spoken(request: Request) -> Language:
        """The language of the page that asks, with the words of the game."""
        roots = [own_folder(), *([desk.home] if desk.home is not None else [])]
        code = language_tag(request.headers.get("accept-language", ""))
        return ENGLISH if code == "en" else Language(code, load_translations(roots, code))

    def refused(request: Request, why: Phrase, status: int = 400) -> HTTPException:
        return HTTPException(status, spoken(request).render(why))

    async def listing(request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(desk.everything))

    async def file(request: Request) -> Response:
        if request.method == "GET":
            found = await told(request, lambda: files.read_file(desk.folder, request.query_params.get("path", "")))
            return JSONResponse({"path": found.path, "text": found.text, "version": found.version})
        given = await json_body(request)
        path, text, version = _text(given, "path"), _text(given, "text"), _text(given, "version")
        try:
            kept = await told(request, lambda: files.save_file(desk.folder, path, text, version))
        except files.Changed:
            raise refused(request, phrase("another program has changed `{path}`", path=path), 409) from None
        return JSONResponse({"version": kept})

    async def ruleset(request: Request) -> Response:
        """A small whole game to begin with, in a folder that has none."""
        given = await json_body(request)
        title = _text(given, "title")

        def write() -> str:
            with desk.lock:
                if desk.checked() is not None:
                    raise CannotStart(phrase("this folder already has a game"))
                done = new_ruleset(home_for(desk.folder, title), title=" ".join(title.split()))
                return (done.folder / "ruleset.yaml").relative_to(desk.folder).as_posix()

        path = await told(request, write)
        hub: Hub = request.app.state.hub
        own = folder_game(folder)
        hub.offered = {**own, **hub.offered, **own}
        return JSONResponse({"path": path})

    async def trait(request: Request) -> Response:
        given = await json_body(request)
        name = _text(given, "name")

        def write() -> str:
            with desk.lock:
                desk.checked()
                if desk.home is None:
                    raise CannotStart(phrase("this folder has no game"))
                done = new_trait(desk.home, id_for_name(name, desk.model), title=" ".join(name.split()))
                return (desk.home / done.files[0]).relative_to(desk.folder).as_posix()

        return JSONResponse({"path": await told(request, write)})

    async def fields(request: Request) -> Response:
        """The form of a text, or of the text as it is with a change: see `shown`."""
        given = await json_body(request)
        path, text = _text(given, "path"), _text(given, "text")
        return JSONResponse(await told(request, lambda: form_as_data(desk, path, text, given, spoken(request))))

    async def phrases(request: Request) -> Response:
        def offered() -> list[dict[str, Any]]:
            with desk.lock:
                made = desk.checked()
                if made is None or not is_understood(made[1], rules=True):
                    return []
                return [one.plain() for one in RulePhrases(made[1].model, made[1].program, spoken(request)).all]

        return JSONResponse(await told(request, offered))

    async def run(request: Request) -> Response:
        given = await json_body(request)
        path, name = _text(given, "path"), _text(given, "name")
        return JSONResponse(await told(request, lambda: desk.run(path, name, spoken(request))))

    async def scenario(request: Request) -> Response:
        """A position of a table, with its last moves, as a scenario in a file."""
        given = await json_body(request)
        hub = getattr(request.app.state, "hub", None)
        room = hub.rooms.get(_text(given, "room")) if hub is not None else None
        state = room.state if room is not None else None
        if state is None:
            raise refused(request, phrase("this table has no game"))
        last = given.get("last", 3)
        count = last if isinstance(last, int) and 0 <= last <= 1000 else 3
        path, name = _text(given, "path"), _text(given, "name")
        line, found = await told(request, lambda: make_scenario(desk, state, name, path, count))
        return JSONResponse({"path": path, "line": line, "name": found.name, "left_out": list(found.left_out)})

    async def example(request: Request) -> Response:
        """The scenario that was made together with a trait: by the rules of now, or (`drop`) taken out of its file."""
        given = await json_body(request)
        path = _text(given, "path")

        def write() -> str:
            with desk.lock:
                desk.checked()
                name = next((one.id for one in desk.traits() if desk.relative(one.path) == path), "")
                if desk.home is None or not name:
                    raise CannotStart(phrase("this scenario no longer exists"))
                if given.get("drop") is True:
                    before = files.read_file(desk.folder, path)
                    files.save_file(desk.folder, path, without_example(before.text, path, name), before.version)
                else:
                    regenerate_example(desk.home, desk.absolute(path).relative_to(desk.home).as_posix(), name)
                return path

        return JSONResponse({"path": await told(request, write)})

    async def weigh(request: Request) -> Response:
        """What is otherwise in the games that are played; with `traits`, what each trait does to winning;
        with `more`, the same from more games."""
        given = await json_body(request)
        if desk.home is None:
            raise refused(request, phrase("this folder has no game"))
        if not scales:
            scales.append(Scales(desk.home))
        games = given.get("games")
        many = games if isinstance(games, int) and 0 < games <= 20000 else None
        try:
            more = given.get("more") is True
            if given.get("traits") is True:
                language = spoken(request)
                found = await scales[0].judge(many, language, await asyncio.to_thread(desk.titles, language))
            else:
                found = await scales[0].weigh(many, more=more)
            return JSONResponse(found)
        except Abandoned as why:
            raise HTTPException(409, why.said(spoken(request))) from None
        except asyncio.CancelledError:  # the server ends while games are played: that is no mistake to be told
            scales[0].stop()
            return Response(status_code=503)

    async def server(socket: WebSocket) -> None:
        await serve_language_server(socket, str(desk.folder))

    return [
        Route("/files", listing),
        Route("/file", file, methods=["GET", "PUT"]),
        Route("/ruleset", ruleset, methods=["POST"]),
        Route("/trait", trait, methods=["POST"]),
        Route("/form", fields, methods=["POST"]),
        Route("/phrases", phrases),
        Route("/run", run, methods=["POST"]),
        Route("/scenario", scenario, methods=["POST"]),
        Route("/example", example, methods=["POST"]),
        Route("/weigh", weigh, methods=["POST"]),
        WebSocketRoute("/lsp", server),
    ]


def home_for(folder: Path, title: str) -> Path:
    """Where a first game is written: in the folder, if its name can be that of a game, else in one below it."""
    try:
        valid_name(folder.name, "ruleset")
    except CannotStart:
        return folder / valid_name(title, "ruleset")
    return folder


def id_for_name(name: str, model: Model | None) -> str:
    """What rules may call a trait of this name: a number where its script is not that of rules."""
    if model is None or name.isascii() or not any(char.isalpha() for char in name):
        return name
    return next(found for number in count(1) if (found := f"trait_{number}") not in model.traits)


def language_tag(accepted: str) -> str:
    """The language that a page asks for, without its region: its first, as in `ja` or `zh-TW,zh;q=0.9`."""
    found = re.match(r"[a-z]{2,3}", accepted.strip().lower())
    return found[0] if found else "en"


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise HTTPException(400, f"`{name}` must be a string")
    return value
