"""Home Assistant's HTTP and WebSocket API, as far as the demonstration needs it."""

from http import HTTPStatus
from typing import Any, Self

from aiohttp import ClientError, ClientSession, ClientTimeout, ClientWebSocketResponse

from .errors import HomeAssistantError

TURN_SECONDS = 300
"""How long a single call may take: a turn through a model on a slow machine is the longest."""


class CommandError(HomeAssistantError):
    """Home Assistant declined a WebSocket command; code is its error code."""

    def __init__(self, command: str, code: str, message: str) -> None:
        """Name the command and what was said of it."""
        super().__init__(f"Home Assistant declined {command}: {message} ({code})")
        self.code = code


class Api:
    """A client for one Home Assistant. Use it as a context."""

    def __init__(self, url: str) -> None:
        """Remember the address, such as http://127.0.0.1:8123."""
        self.url = url
        self._session = ClientSession(timeout=ClientTimeout(total=TURN_SECONDS))
        self._socket: ClientWebSocketResponse | None = None
        self._token = ""
        self._commands = 0

    async def __aenter__(self) -> Self:
        """Return the client; nothing is connected yet."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection."""
        if self._socket is not None:
            await self._socket.close()
        await self._session.close()

    async def log_in(self, token: str) -> None:
        """Use an access token from now on, and open the WebSocket with it.

        Raises HomeAssistantError when the token is not accepted.
        """
        self._token = token
        if self._socket is not None:
            await self._socket.close()
        socket = self._socket = await self._session.ws_connect(
            f"{self.url}/api/websocket", max_msg_size=0
        )
        await socket.receive_json()  # auth_required
        await socket.send_json({"type": "auth", "access_token": token})
        answer = await socket.receive_json()
        if answer["type"] != "auth_ok":
            raise HomeAssistantError(
                "Home Assistant does not accept the demonstration's token any more"
            )

    async def get(self, path: str) -> Any:
        """GET a path and return its JSON; raises HomeAssistantError for any other answer."""
        return await self._request("GET", path)

    async def post(self, path: str, body: Any) -> Any:
        """POST JSON to a path and return its JSON; raises HomeAssistantError for any other answer."""
        return await self._request("POST", path, json=body)

    async def delete(self, path: str) -> Any:
        """DELETE a path and return its JSON; raises HomeAssistantError for any other answer."""
        return await self._request("DELETE", path)

    async def post_form(self, path: str, fields: dict[str, str]) -> Any:
        """POST a form to a path and return its JSON; raises HomeAssistantError for any other answer."""
        return await self._request("POST", path, data=fields)

    async def command(self, kind: str, **fields: Any) -> Any:
        """Send a WebSocket command and return its result.

        Raises CommandError when it is declined, HomeAssistantError when the connection is gone.
        """
        if self._socket is None:
            raise HomeAssistantError("not logged in to Home Assistant")
        self._commands += 1
        try:
            await self._socket.send_json({"id": self._commands, "type": kind, **fields})
            while True:
                answer = await self._socket.receive_json()
                if answer.get("id") == self._commands and answer["type"] == "result":
                    break
        except (ClientError, TypeError) as error:
            # aiohttp reports a closed connection as a message that is no JSON.
            message = f"the connection to Home Assistant broke during {kind}"
            raise HomeAssistantError(message) from error
        if not answer["success"]:
            raise CommandError(kind, answer["error"]["code"], answer["error"]["message"])
        return answer["result"]

    async def _request(self, method: str, path: str, **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        try:
            async with self._session.request(
                method, self.url + path, headers=headers, **options
            ) as response:
                if response.status >= HTTPStatus.BAD_REQUEST:
                    said = (await response.text())[:300]
                    message = f"Home Assistant answered {response.status} to {path}: {said}"
                    raise HomeAssistantError(message)
                return await response.json()
        except (ClientError, TimeoutError) as error:
            message = f"Home Assistant did not answer {path}: {error!r}"
            raise HomeAssistantError(message) from error
