"""A page in a real browser, as tests use it; the browser itself is the fixture ``chromium``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any


class Page:
    """What a test does with a page in the browser."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        browser.get_log("browser")  # what pages before this one said
        browser.get(address)

    def element(self, query: str) -> Any:
        return self.browser.find_element("css selector", query)

    def words(self, query: str) -> str:
        return self.element(query).text

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.keys import Keys

        body = self.element("body")
        for key in keys:
            body.send_keys(getattr(Keys, key, key))

    def choose(self, query: str, value: str) -> None:
        self.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('change'))",
            query,
            value,
        )

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def wait(self, script: str, seconds: float = 20) -> Any:
        """Until a script returns something true."""
        end = time.monotonic() + seconds
        while not (found := self.run(script)):
            assert time.monotonic() < end, script
            time.sleep(0.03)
        return found

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser")]


def opened(browser: Any, folder: Path, text: str) -> Page:
    file = folder / "game.html"
    file.write_text(text, "utf-8")
    return Page(browser, file.as_uri())
