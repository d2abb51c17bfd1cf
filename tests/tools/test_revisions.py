"""studies/make_revisions: the same bytes for the same arguments, an export that parses, histories that end well."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

STUDIES = pathlib.Path(__file__).resolve().parent.parent.parent / 'studies'
sys.path.insert(0, str(STUDIES))
import planted_differences as planting


class MakeRevisions(unittest.TestCase):
    def test_export(self):
        rng = random.Random(1)
        with tempfile.TemporaryDirectory() as folder:
            corpus = pathlib.Path(folder) / 'corpus.jsonl'
            corpus.write_text(''.join(
                json.dumps({'id': i, 'text': ' '.join('w%d' % rng.randrange(500) for _ in range(length))}) + '\n'
                for i, length in enumerate((300, 250, 900, 100))))
            command = [STUDIES / 'make_revisions', corpus, '-n', '5', '-r', '12']
            export = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual(export, subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        space = '{http://www.mediawiki.org/xml/export-0.11/}'
        pages = tree.fromstring(export).findall(space + 'page')
        self.assertEqual(len(pages), 3)  # one text is too short
        for page in pages:
            times = [revision.find(space + 'timestamp').text for revision in page.findall(space + 'revision')]
            self.assertEqual(len(times), 12)
            self.assertEqual(times, sorted(set(times)))

    def test_what_a_vandal_does_is_taken_back(self):
        words = ['w%d' % i for i in range(200)]
        for seed in range(40):
            chain = planting.wiki_chain(words, [words], 20, seed)
            self.assertEqual(len(chain), 20)
            self.assertLess(sum(word not in words for word in chain[-1]), 60)
            for before, page, after in zip(chain, chain[1:], chain[2:]):
                if sum(word not in words for word in page) > 40 + sum(word not in words for word in before):
                    self.assertEqual(after, before)


if __name__ == '__main__':
    unittest.main()
