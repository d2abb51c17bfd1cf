"""Documents that come one after the other, and the pipelines made of that."""

from __future__ import annotations

import pickle
import random
import unittest

import support
import twinset
from twinset.integrations.streams import IsNew, Seen

TEXTS = [text for text in support.texts(3, 500) if len(text.split()) > 4]


def new_by_definition(texts: list[str], threshold: float) -> list[int]:
    """Returns the places of the texts that are like none before them that is new."""
    sketcher = twinset.Sketcher()
    new: list[int] = []
    for place, text in enumerate(texts):
        if all(sketcher.similarity(text, texts[one]) < threshold for one in new):
            new.append(place)
    return new


class Streams(unittest.TestCase):
    def test_complete_is_the_definition(self):
        for threshold in (0.5, 0.8):
            seen = Seen(threshold, method="complete")
            new = [place for place, text in enumerate(TEXTS) if seen.add(text, place) is None]
            self.assertEqual(new, new_by_definition(TEXTS, threshold))
            self.assertEqual(len(seen), len(new))

    def test_what_is_found_is_the_most_similar(self):
        words = [f"w{i}" for i in range(60)]
        seen = Seen(0.3)
        self.assertIsNone(seen.add(" ".join(words), "far"))
        near = " ".join(["x0", "x1", *words[12:], "y0", "y1"])
        self.assertEqual(seen.add(near, "near")[0], "far")  # alike at 0.3: not remembered
        self.assertEqual(len(seen), 1)
        identifier, similarity = seen.find(" ".join(words))
        self.assertEqual((identifier, similarity), ("far", 1.0))
        self.assertIsNone(seen.find("nothing of that is in here"))

    def test_keys_that_many_share(self):
        draw = random.Random(5)
        shared = " ".join(f"menu{i}" for i in range(4))
        texts = [shared + " " + " ".join(str(draw.random()) for _ in range(20)) for _ in range(50)]
        seen = Seen(method="complete", shingle="word:2")
        self.assertTrue(all(seen.add(text) is None for text in texts))
        self.assertEqual([seen.find(text)[0] for text in texts], list(range(50)))

    def test_a_filter_for_rows_and_batches(self):
        rows = [{"body": text} for text in [TEXTS[0], None, TEXTS[0], TEXTS[0] + " end"]]
        self.assertEqual(list(map(IsNew("body"), rows)), [True, True, False, False])
        self.assertEqual(IsNew("body")({"body": [row["body"] for row in rows]}), [True, True, False, False])

    def test_a_sketcher_can_be_pickled(self):
        sketcher = twinset.Sketcher(method="minhash", permutations=16)
        again = pickle.loads(pickle.dumps(sketcher))
        for text in TEXTS[:5]:
            self.assertEqual(sketcher.keys_of(text), again.keys_of(text))
            self.assertEqual(sketcher.keys_of(text), sketcher.keys([text])[0].tolist())


if __name__ == "__main__":
    unittest.main()
