"""A pipeline of items for Scrapy that drops near-duplicates.

In the settings of a project::

    ITEM_PIPELINES = {"twinset.integrations.scrapy.DropNearDuplicates": 300}
    TWINSET_TEXT = "text"  # the field of an item that is its text
"""

from __future__ import annotations

from typing import Any

from twinset.integrations.streams import Seen


class DropNearDuplicates:
    """Drops an item that is like one that came before it.

    Settings: ``TWINSET_TEXT``, the field of the text ("text"); ``TWINSET_ID``, the
    field by which an item is named in the message ("url"); ``TWINSET_THRESHOLD``
    (0.8); ``TWINSET_OPTIONS``, a dict of options of ``Seen``. The stats of the crawl
    count ``twinset/kept``, ``twinset/dropped`` and ``twinset/no_text``: an item
    without a text goes on. What was seen is in the memory of the crawl, and goes with
    it (``integrations.streams``).
    """

    def __init__(
        self,
        text: str = "text",
        id: str = "url",
        threshold: float = 0.8,
        options: dict[str, Any] | None = None,
        stats: Any = None,
    ) -> None:
        self._text, self._id = text, id
        self._stats = stats
        #: The items that went on.
        self.seen = Seen(threshold, **(options or {}))

    @classmethod
    def from_crawler(cls, crawler: Any) -> DropNearDuplicates:
        """Makes the pipeline from the settings of a crawl."""
        settings = crawler.settings
        return cls(
            settings.get("TWINSET_TEXT", "text"),
            settings.get("TWINSET_ID", "url"),
            settings.getfloat("TWINSET_THRESHOLD", 0.8),
            settings.getdict("TWINSET_OPTIONS"),
            crawler.stats,
        )

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Returns the item, or drops it."""
        from itemadapter import ItemAdapter
        from scrapy.exceptions import DropItem

        adapter = ItemAdapter(item)
        text = adapter.get(self._text)
        if not isinstance(text, str):
            self._count("no_text")
            return item
        found = self.seen.add(text, adapter.get(self._id))
        if found is None:
            self._count("kept")
            return item
        self._count("dropped")
        raise DropItem(f"{100 * found[1]:.0f} % like {found[0]}")

    def _count(self, what: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(f"twinset/{what}")
