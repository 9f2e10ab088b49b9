"""The language server of a page: a process of its own, whose messages go over the page's WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.apps.studio.guard import PROTOCOL

#: Seconds that a server has to end by itself.
PATIENCE = 3.0
LARGEST = 16 * 1024 * 1024


async def speak(socket: WebSocket, folder: str) -> None:
    """Until one of both is gone. The process ends with the page."""
    await socket.accept(PROTOCOL)
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "rulelang", "lsp",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        cwd=folder, env={**os.environ, "PYTHONUNBUFFERED": "1"}, limit=LARGEST,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    tasks = [asyncio.create_task(_heard(socket, server.stdin)), asyncio.create_task(_said(server.stdout, socket))]
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


async def _heard(socket: WebSocket, into: asyncio.StreamWriter) -> None:
    """What the page says, to the server: each message with its length before it."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, ConnectionError):
        while True:
            data = (await socket.receive_text()).encode()
            into.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            await into.drain()


async def _said(out: asyncio.StreamReader, socket: WebSocket) -> None:
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
