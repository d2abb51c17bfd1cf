"""Good and bad records, and what must come of them."""
import json
import re

from measured import require

TEXT = 'the quick brown fox jumps over the lazy dog and runs away from seven hungry wolves at night'


def row(name, text, **more):
    return (json.dumps({'id': name, 'text': text, **more}) + '\n').encode()


FRONT = row('good-1', TEXT + ' twice') + row('good-2', TEXT)
BACK = row('good-3', 'something else is told here, of ships and of the sea') + row('good-4', TEXT)


def good_came_out(place, out='out', more_kept=()):
    """Of FRONT and BACK: good-1 and good-3 stay, good-2 and good-4 are its copies."""
    kept, dropped = set(place.lines('keep.txt', out)), set(place.lines('drop.txt', out))
    require(kept == {'good-1', 'good-3', *more_kept}, 'kept', sorted(kept)[:8])
    require(dropped == {'good-2', 'good-4'}, 'dropped', sorted(dropped)[:8])
    require(place.counts_add_up(out)['quarantined'] == len(place.rows('quarantine.jsonl', out)),
            'quarantine.jsonl has another count than summary.json')


def one_quarantined(place, reasons, out='out', **expected):
    rows = place.rows('quarantine.jsonl', out)
    require(len(rows) == 1, 'quarantine:', rows[:3])
    require(rows[0]['reason'] in reasons, 'quarantine:', rows[0])
    require(rows[0]['detail'] and rows[0]['stage'], 'no detail or stage:', rows[0])
    numbers = re.match(r'(\d+) bytes; the limit is (\d+)$', rows[0]['detail'])
    require(not numbers or int(numbers[1]) > int(numbers[2]), 'too large, but below the limit?', rows[0])
    for key, value in expected.items():
        require(rows[0][key] == value, '%s is not %r:' % (key, value), rows[0])
