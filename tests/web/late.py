"""A slow line: what the referee answers is on its way, and comes when a test lets it."""

from __future__ import annotations

from playwright.sync_api import APIResponse, Page, Route


class Late:
    """The next answer of the referee to what is asked at ``where``: it has done what it was asked, and the page does not know yet."""

    def __init__(self, page: Page, where: str) -> None:
        self._page = page
        self._on_its_way: list[tuple[Route, APIResponse]] = []
        page.route(f"**/api/v1/{where}", lambda route: self._on_its_way.append((route, route.fetch())), times=1)

    def asked(self) -> None:
        """Waits until the referee has answered."""
        for _ in range(3000):
            if self._on_its_way:
                return
            self._page.wait_for_timeout(20)
        raise AssertionError("nothing was asked")

    def comes(self) -> None:
        """Waits until the page has got the answer, and has had the time to make something of it."""
        self.asked()
        route, answer = self._on_its_way.pop()
        with self._page.expect_event("requestfinished", lambda request: request == route.request):
            route.fulfill(response=answer)
        self._page.wait_for_timeout(300)

    def is_lost(self) -> None:
        """The page never gets the answer."""
        self.asked()
        self._on_its_way.pop()[0].abort()
