"""Drives the full screen without a terminal, and reads what stands on it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path

from textual.pilot import Pilot

import rulelang
from rulelang.apps.terminal import TableApp
from rulelang.presentation.console import Match
from rulelang.runtime.agents import make_agent
from rulelang.runtime.game import Game
from rulelang.runtime.state import State

Script = Callable[[TableApp, "Pilot[None]"], Awaitable[None]]


@cache
def game(name: str) -> Game:
    return rulelang.load(name)


def begun(name: str, seed: int = 7, players: int = 2) -> State:
    return game(name).new(players, seed, ["Ana", "Bob", "Cleo", "Dan"][:players])


def match(state: State, *people: int, agent: str = "first") -> Match:
    agents = [make_agent(agent) for _ in state.players]
    for seat, one in enumerate(agents):
        one.start(seat)
    return Match(state, frozenset(people or (1,)), agents)


def drive(
    table: Match,
    script: Script,
    size: tuple[int, int] = (100, 32),
    save_to: Path | None = None,
    title: str = "A game",
) -> TableApp:
    """Run an app while a script presses its keys, and return the app when it has ended."""
    app = TableApp(table, title, speed=0, save_to=save_to)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            await script(app, pilot)

    asyncio.run(run())
    return app


async def settle(app: TableApp, pilot: Pilot[None]) -> None:
    """Until the bots have moved and all is drawn."""
    await pilot.pause()
    while app.match.agent is not None:
        await app.workers.wait_for_complete()
        await pilot.pause()
    await pilot.pause()


async def press(app: TableApp, pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(app, pilot)


def screen(app: TableApp) -> list[str]:
    """The lines that stand on the screen."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def text(app: TableApp) -> str:
    return "\n".join(screen(app))
