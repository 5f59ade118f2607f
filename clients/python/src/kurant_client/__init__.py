"""Connects to Kurant. If the connection breaks or the service has a temporary error, the request is
repeated. Because of its Idempotency-Key, a repeated POST takes effect only once."""

import time
import uuid

import httpx
from kurant_api import AuthenticatedClient

_AGAIN = {408, 429, 500, 502, 503, 504}
_WAIT_MAX_SECONDS = 60


class _Again(httpx.HTTPTransport):
    """Repeats requests after temporary errors."""

    def __init__(self, tries):
        super().__init__()
        self.tries = tries

    def handle_request(self, request):
        if request.method == "POST":
            request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        request.read()
        for attempt in range(1, self.tries + 1):
            seconds = 2.0**attempt
            try:
                answer = super().handle_request(request)
                if attempt == self.tries or not _is_passing(answer):
                    return answer
                seconds = float(answer.headers.get("Retry-After", seconds))
                answer.close()
            except httpx.TransportError:
                if attempt == self.tries:
                    raise
            time.sleep(min(seconds, _WAIT_MAX_SECONDS))


def _is_passing(answer):
    """True for a temporary error, such as a 409 while an earlier attempt is still running."""
    return answer.status_code in _AGAIN or (answer.status_code == 409 and "Retry-After" in answer.headers)


def connect(base_url, key, tries=6, timeout=120.0):
    """Returns a client for the functions of kurant_api. base_url has no path; timeout is in seconds."""
    return AuthenticatedClient(
        base_url=base_url,
        token=key,
        timeout=httpx.Timeout(timeout),
        httpx_args={"transport": _Again(tries)},
    )
