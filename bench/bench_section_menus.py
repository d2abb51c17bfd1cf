#!/usr/bin/env python3
"""Are pages safe whose sections have menus inside the content? bench/bench_section_menus.py BUILD_DIR [options]

Makes sites (training/section_templates.py) of which no page is in the training of the models, deduplicates
each with the defaults, and holds the run against the texts that are the pages' own:

  wrong   dropped pages whose own text shares less than half (Jaccard of word 5-shingles) with that of the
          page kept for them
  found   of the pairs whose own texts share at least .8, the share that the run lists

`family` has no menus: its lists and tables are content of near-duplicate pages. With --before PROGRAM
the same of another build. With limits the exit code is 1 where a site breaks them.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'training'))
import section_templates  # noqa: E402

SITES = (*section_templates.SITES, 'family')
THRESHOLD, LOST = 0.8, 0.5

Counts = collections.namedtuple('Counts', 'pages dropped wrong pairs found')


def shingles(text):
    words = re.findall(r'\w+', text.casefold())
    return frozenset(tuple(words[i:i + 5]) for i in range(max(1, len(words) - 4)))


def jaccard(a, b):
    return len(a & b) / len(a | b)


def near_pairs(sets):
    """Pairs of at least THRESHOLD, by counting what each two share."""
    where = collections.defaultdict(list)
    pairs = set()
    for i, one in enumerate(sets):
        shared = collections.Counter(j for shingle in one for j in where[shingle])
        pairs.update((j, i) for j, both in shared.items()
                     if both >= THRESHOLD * (len(one) + len(sets[j]) - both))
        for shingle in one:
            where[shingle].append(i)
    return pairs


def write_pages(pages, path):
    with path.open('w') as out:
        for page in pages:
            row = {'id': page.name, 'url': 'https://reference.example/%s.html' % page.name, 'html': page.data}
            out.write(json.dumps(row) + '\n')


def run_counts(program, source, out, pages, sets, truth, options=()):
    command = [str(program), 'dedup', str(source), '--html-field', 'html', '--pairs', 'all', '--out', str(out), '--overwrite',
               *options]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError('%s: exit %d: %s' % (' '.join(command), run.returncode, run.stderr.strip()))
    rows = [json.loads(line) for line in (out / 'clusters.jsonl').open()]
    dropped = [(int(row['id']), int(row['cluster'])) for row in rows if not row['is_representative']]
    wrong = sum(jaccard(sets[page], sets[kept]) < LOST for page, kept in dropped)
    listed = {tuple(sorted((int(row['a']), int(row['b']))))
              for row in map(json.loads, (out / 'pairs.jsonl').open())}
    return Counts(len(pages), len(dropped), wrong, len(truth), len(truth & listed))


def study(site, programs, count, seed, most_section=section_templates.MOST_SECTION, options=()):
    """Counts of each program on one site; everything it writes is gone afterwards."""
    pages = section_templates.pages_of(site, count, seed, most_section)
    sets = [shingles(page.own) for page in pages]
    truth = near_pairs(sets)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        write_pages(pages, work / 'pages.jsonl')
        return [run_counts(program, work / 'pages.jsonl', work / 'out', pages, sets, truth, options)
                for program in programs]


def wrong_share(counts):
    return counts.wrong / max(1, counts.dropped)


def found_share(counts):
    return counts.found / max(1, counts.pairs)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--before', type=pathlib.Path, metavar='PROGRAM')
    parser.add_argument('--sites', default=','.join(SITES), help='of: ' + ' '.join(SITES))
    parser.add_argument('--pages', type=int, default=4400)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--max-wrong', type=float, help='most dropped pages that are wrong, as a share of those dropped')
    parser.add_argument('--min-found', type=float, help='least share of pairs')
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    programs = [arguments.build.resolve() / 'twinset']
    names = ['now']
    if arguments.before:
        programs.append(arguments.before.resolve())
        names.append('before')
    print('%-9s %6s %6s' % ('site', 'pages', 'pairs'), *('| %-28s' % name for name in names))
    print('%-23s' % '', *('| %6s %6s %7s %6s' % ('drop', 'wrong', 'share', 'found') for _ in names))
    broken = []
    for site in arguments.sites.split(','):
        rows = study(site, programs, arguments.pages, arguments.seed)
        print('%-9s %6d %6d' % (site, rows[0].pages, rows[0].pairs), *(
            '| %6d %6d %7.4f %6.3f' % (row.dropped, row.wrong, wrong_share(row), found_share(row)) for row in rows), flush=True)
        now = rows[0]
        if arguments.max_wrong is not None and wrong_share(now) > arguments.max_wrong:
            broken.append('%s: %d of %d drops are wrong' % (site, now.wrong, now.dropped))
        if arguments.min_found is not None and found_share(now) < arguments.min_found:
            broken.append('%s: %d of %d pairs are found' % (site, now.found, now.pairs))
    if broken:
        sys.exit('\n'.join(broken))


if __name__ == '__main__':
    main()
