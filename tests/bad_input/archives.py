"""Archives of files and arrays that are damaged, cut or endless."""
import functools
import gzip
import io
import tarfile
import zipfile

from measured import AT_BUDGET, MEGABYTE, require
from records import BACK, FRONT, good_came_out, one_quarantined


def tar_of(**files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w', format=tarfile.GNU_FORMAT) as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name + '.jsonl')
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zip_of(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name + '.jsonl', data)
    return out.getvalue()


def damaged_tar_header(place):
    data = bytearray(tar_of(front=FRONT, lost=b'{"id":"lost","text":"x"}\n', back=BACK))
    data[data.index(b'lost.jsonl')] ^= 1
    place.write('a.tar', bytes(data))
    place.dedup('a.tar').ended(0, '1 record quarantined')
    good_came_out(place)
    one_quarantined(place, {'tar-header'}, source='a.tar', ordinal=2)


def damaged_member_of_a_tar(place):
    """Three gzip members, of which the second is broken: those beside it are read."""
    whole = tar_of(front=FRONT, lost=b'{"id":"lost","text":"x"}\n', back=BACK)
    first, last = whole.index(b'lost.jsonl'), whole.index(b'back.jsonl')
    parts = [gzip.compress(part) for part in (whole[:first], whole[first:last], whole[last:])]
    parts[1] = parts[1][:12] + b'\xff' * 8 + parts[1][20:]
    place.write('a.tar.gz', b''.join(parts))
    place.dedup('a.tar.gz').ended(0, 'quarantined')
    good_came_out(place)


def zip_without_its_list(place):
    data = zip_of(front=FRONT, back=BACK)
    place.write('a.zip', data[:data.index(b'PK\1\2') + 20])
    place.dedup('a.zip').ended(0, '1 record quarantined')
    good_came_out(place)
    one_quarantined(place, {'zip-list'}, source='a.zip', ordinal=0)


def damaged_array(place):
    rows = [row for row in FRONT.decode().splitlines() + BACK.decode().splitlines() if row]
    rows.insert(2, rows[0].replace('"', "'", 1))
    place.write('rows.json', ('[' + ',\n'.join(rows) + ']').encode())
    place.dedup('rows.json').ended(0, '1 record quarantined')
    good_came_out(place)
    one_quarantined(place, {'bad-json'}, source='rows.json', ordinal=2)


def long_array(size, place):
    """An array of any size is read element by element, also around one that is too long."""
    front = ',\n'.join(FRONT.decode().splitlines()).encode()
    back = ',\n'.join(BACK.decode().splitlines()).encode()

    def pieces():
        yield b'[' + front + b',\n{"id":"long","text":"'
        for _ in range(size // MEGABYTE):
            yield b'x' * MEGABYTE
        yield b'"},\n' + back + b']'
    place.dedup('-', *AT_BUDGET, feed=pieces(), timeout=1800).ended(0, '1 record').within_memory()
    good_came_out(place)
    one_quarantined(place, {'bad-json'}, source='-', ordinal=2)


def formats_that_are_not_read(place):
    place.write('x.db', b'SQLite format 3\0')
    place.write('good.jsonl', FRONT + BACK)
    place.dedup('x.db', 'good.jsonl').ended(0, '1 record quarantined')
    row = one_quarantined(place, {'unsupported-format'}, source='x.db')
    require('SQLite' in place.path('out/quarantine.jsonl').read_text(), 'the format is not named', row)


CASES = [damaged_tar_header, damaged_member_of_a_tar, zip_without_its_list, damaged_array,
         functools.partial(long_array, 40 * MEGABYTE), formats_that_are_not_read]
