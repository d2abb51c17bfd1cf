"""Whether a job of bench/bench_jobs.py did what it should: each check gives sentences about what is wrong."""
import gzip
import json
import pathlib
import subprocess
import sys

from jobs import corpora

sys.path.append(str(corpora.ROOT / 'bench/dedup_peers'))
import quality  # noqa: E402

THRESHOLD, SAMPLE = 0.8, 500


def unpacked_bytes(path):
    if path.suffix == '.gz':
        return gzip.decompress(path.read_bytes())
    if path.suffix == '.zst':
        return subprocess.run(['zstd', '-q', '-d', '-c', path], check=True, stdout=subprocess.PIPE).stdout
    return path.read_bytes()


def written_rows(folder):
    """The lines of all files of a written corpus, in the order of their names."""
    files = sorted(p for p in folder.rglob('part-*') if p.is_file())
    return [line for path in files for line in unpacked_bytes(path).splitlines(keepends=True)]


def lines_of(path):
    return path.read_text(encoding='utf-8').splitlines()


def json_rows(path):
    return list(map(json.loads, lines_of(path)))


def pairs_of(out):
    return {tuple(sorted((int(r['a']), int(r['b'])))): r['similarity'] for r in json_rows(out / 'pairs.jsonl')}


def true_pairs(program, rows, work):
    """All pairs, by the complete join, whose answer every job is checked against a plain count."""
    out = work / 'truth'
    subprocess.run([str(program), 'dedup', str(rows.folder / 'plain'), '--threshold', str(THRESHOLD), '--pairs', 'all',
                    '--out', str(out), '--quiet'], check=True, stdout=subprocess.DEVNULL)
    return set(pairs_of(out))


def check_pairs(rows, out):
    if rows.counted is None:
        rows.counted = quality.counted_pairs(lambda: iter(rows.texts), THRESHOLD, SAMPLE)
    return quality.differences(pairs_of(out), *rows.counted)


def check_rows(rows, out, written):
    """Pairs, and the rows that were written: those of the input without the dropped ones, each byte the same."""
    wrong = check_pairs(rows, out)
    if written.exists():
        dropped = set(lines_of(out / 'drop.txt'))
        if written_rows(written) != [row for n, row in enumerate(rows.rows) if str(n) not in dropped]:
            wrong.append('the written corpus is not the input without what was dropped')
    return wrong


def check_units(rows, written):
    """A paragraph stands once, at its first place; those of fewer words than a shingle stay."""
    seen, kept = set(), []
    for text in rows.texts:
        for unit in corpora.paragraphs(text):
            if len(unit.split()) < quality.SHINGLE_WORDS or unit not in seen:
                kept.append(unit)
            seen.add(unit)
    found = [unit.strip() for row in written_rows(written) for unit in json.loads(row)['text'].split('\n\n')]
    return [] if [unit for unit in found if unit] == kept else ['the paragraphs that were written are not the distinct ones']


def check_leaks(rows, out):
    found = {row['item'] for row in json_rows(out / 'leaks.jsonl')}
    return [] if found == rows.leaking else ['%d items leak, %d were found' % (len(rows.leaking), len(found))]


def check_pages(pages, out, written):
    """Records that were written are those of the input in order, less those that were dropped; an exact copy leaves a
    revisit record."""
    dropped = json.loads((out / 'summary.json').read_text())['documents']['dropped']
    before, after = (unpacked_bytes(path).split(b'WARC/1.0\r\n')[1:] for path in (pages, next(written.rglob('*.warc.gz'))))
    kept, position = [record for record in after if b'WARC-Type: revisit' not in record], iter(before)
    if dropped == 0 or not all(record in position for record in kept) or len(before) - len(kept) != dropped:
        return ['%d records of %d stay, %d were dropped' % (len(kept), len(before), dropped)]
    return []
