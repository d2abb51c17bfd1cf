"""A pipeline of items for Scrapy that drops near-duplicates.

In the settings of a project::

    ITEM_PIPELINES = {"twinset.integrations.scrapy.DropNearDuplicates": 300}
    TWINSET_TEXT = "text"  # the field of an item that is its text
    TWINSET_INDEX = "pages.index"  # what was seen, also by crawls before this one
"""

from __future__ import annotations

import os
from typing import Any

from twinset._index import Index
from twinset.integrations.streams import Seen


class DropNearDuplicates:
    """Drops an item that is like one that came before it.

    Settings: ``TWINSET_TEXT``, the field of the text ("text"); ``TWINSET_ID``, the
    field by which an item is named in the message ("url"); ``TWINSET_INDEX``, the
    folder of a live index, which is made if it is not there: an item is dropped that
    is like one of any crawl, and the same item again, with the same id and text, goes
    on if it did before; ``TWINSET_TAG``, the set of this crawl in it;
    ``TWINSET_THRESHOLD`` (0.8); ``TWINSET_OPTIONS``, a dict of options of ``Seen``, or
    of ``Index``. The stats of the crawl count ``twinset/kept``, ``twinset/dropped``
    and ``twinset/no_text``: an item without a text goes on. Without an index what was
    seen is in the memory of the crawl, and goes with it (``integrations.streams``).
    """

    def __init__(
        self,
        text: str = "text",
        id: str = "url",
        threshold: float | None = None,
        options: dict[str, Any] | None = None,
        stats: Any = None,
        index: str | os.PathLike | None = None,
        tag: str = "",
    ) -> None:
        self._text, self._id, self._tag = text, id, tag
        self._stats = stats
        #: The items that went on, in memory or in an index.
        self.seen: Any = None
        if index is None:
            self.seen = Seen(0.8 if threshold is None else threshold, **(options or {}))
        else:
            self.seen = _opened(index, {"threshold": threshold, **(options or {})})

    @classmethod
    def from_crawler(cls, crawler: Any) -> DropNearDuplicates:
        """Makes the pipeline from the settings of a crawl."""
        settings = crawler.settings
        threshold = settings.get("TWINSET_THRESHOLD")
        return cls(
            settings.get("TWINSET_TEXT", "text"),
            settings.get("TWINSET_ID", "url"),
            None if threshold is None else float(threshold),
            settings.getdict("TWINSET_OPTIONS"),
            crawler.stats,
            settings.get("TWINSET_INDEX"),
            settings.get("TWINSET_TAG", ""),
        )

    def close_spider(self, spider: Any = None) -> None:
        """Closes the index."""
        if isinstance(self.seen, Index):
            self.seen.close()

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Returns the item, or drops it."""
        from itemadapter import ItemAdapter
        from scrapy.exceptions import DropItem

        adapter = ItemAdapter(item)
        text = adapter.get(self._text)
        if not isinstance(text, str):
            self._count("no_text")
            return item
        found = self._find(text, adapter.get(self._id))
        if found is None:
            self._count("kept")
            return item
        self._count("dropped")
        raise DropItem(f"{100 * found[1]:.0f} % like {found[0]}")

    def _find(self, text: str, name: Any) -> Any:
        """Returns the name and the similarity of what the text is like; None: it is new."""
        if not isinstance(self.seen, Index):
            return self.seen.add(text, name)
        name = None if name is None else str(name)
        answer = self.seen.check_and_add(text, id=name, tag=self._tag)
        if answer.kept is None or answer.kept.id == answer.id:
            return None
        return answer.kept.id, answer.kept.similarity

    def _count(self, what: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(f"twinset/{what}")


def _opened(folder: str | os.PathLike, options: dict[str, Any]) -> Index:
    if os.path.exists(folder):
        return Index(folder, **options)
    return Index.create(folder, **options)
