"""A web application on a real port of 127.0.0.1 that can be stopped and started again."""

from typing import TYPE_CHECKING, Self

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Callable

    from .faults import Fault
    from .scripted import Brain


class RunningServer[M: Brain]:
    """A model server that runs inside `async with`.

    It keeps its port over a restart. While it is stopped, connections are really refused.
    """

    def __init__(self, make_app: Callable[[M], web.Application], model: M) -> None:
        """Serve `model` by `make_app`: `openai_app` or `ollama_app`."""
        self.model = model
        self._make_app = make_app
        self._runner: web.AppRunner | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """The address, also while it is stopped."""
        return f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        """Start, if it is not running."""
        if self._runner is not None:
            return
        # A model stops when nobody listens any longer, so its handler is cancelled then.
        self._runner = web.AppRunner(
            self._make_app(self.model),
            access_log=None,
            shutdown_timeout=0.1,
            handler_cancellation=True,
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True)
        await site.start()
        self._port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Close the port and every connection."""
        if self._runner is not None:
            runner, self._runner = self._runner, None
            await runner.cleanup()

    async def suffer(self, fault: Fault) -> None:
        """Behave as `fault` says from now on: stopped is stopped, all others answer."""
        self.model.fault = fault
        if fault.mode == "stopped":
            await self.stop()
        else:
            await self.start()

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        """Stop."""
        await self.stop()
