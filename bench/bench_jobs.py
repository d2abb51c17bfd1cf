#!/usr/bin/env python3
"""Whole jobs as users run them, from compressed files to compressed files: bench/bench_jobs.py BUILD

Rows of tools/make_synthetic lie in two shards, plain, as gzip and as zstd; pages lie in one WARC.gz. The jobs run with
one thread and with all, they take turns, --runs times; medians count. Every answer is checked: pairs against a plain
count of shared shingles on a sample of documents, written corpora row by row against what the run says that it
dropped, units and leaks against sets that are made here. A wrong answer ends with exit code 1.

--peers adds other tools, which do the job gzip to gzip with their own readers and writers, and one that only reads the
pages; they are installed below BUILD/bench-peers. --pages names other pages than Boost's documentation of the shared
data. --page puts the tables into docs/benchmarks.md.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from jobs import checks, corpora
from measurement import machine
from measurement.command import measured
from measurement.page_text import megabytes, number, share, table

sys.path.append(str(corpora.ROOT / 'bench/dedup_peers'))
import peers  # noqa: E402
import quality  # noqa: E402

LIMIT_SECONDS = 1800
PAGE = corpora.ROOT / 'docs/benchmarks.md'
BEGIN, END = '<!-- made by bench/bench_jobs.py --page -->', '<!-- the end of what it made -->'
GZIP_JOB = 'gzip → gzip'

# Other tools at the job from gzip to gzip, and one that extracts the pages and finds no duplicates.
JOB_PEERS = (
    peers.Row('datatrove', 'datatrove', 'run_datatrove.py', 'job', True),
    peers.Row('text-dedup (writes Arrow)', 'text-dedup', 'run_text_dedup.py', 'job', True),
    peers.Row('rensa, word 5-shingles', 'rensa', 'run_rensa.py', 'job', False),
    peers.Row('rensa, words as in its readme', 'rensa', 'run_rensa.py', 'job-words', False),
)
READER = peers.Peer('FastWARC and Resiliparse', ('fastwarc==2.0.1', 'resiliparse==2.0.1'), None, '')


class Job:
    """A row of the table: its name, what follows `twinset`, its check, and what must run before it."""

    def __init__(self, name, source, arguments, check, before=None):
        self.name, self.source, self.arguments, self.check, self.before = name, source, arguments, check, before
        self.taken = {}

    def run(self, program, threads, work):
        """Sentences about what is wrong."""
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        fill = {'out': work / 'out', 'written': work / 'written', 'saved': work / 'saved'}
        if self.before:
            subprocess.run([str(program), *(str(a).format(**fill) for a in self.before)], check=True,
                           stdout=subprocess.DEVNULL)
        command = [program, *(str(a).format(**fill) for a in self.arguments), '--threads', threads, '--quiet']
        taken = measured(command, threads, LIMIT_SECONDS, work)
        wrong = [taken['error']] if 'error' in taken else self.check(work / 'out', work / 'written')
        taken['seconds'] = taken['ended'] - taken['started']
        self.taken.setdefault(threads, []).append(taken)
        shutil.rmtree(work)
        return ['%s, %d threads: %s' % (self.name, threads, sentence) for sentence in wrong]

    def median(self, threads, key):
        return statistics.median(taken[key] for taken in self.taken[threads])


def jobs_of(rows, pages):
    folder = rows.folder
    dedup = ['dedup', '--threshold', checks.THRESHOLD, '--out', '{out}']
    write = ['--write', '{written}']

    def check(out, written):
        return checks.check_rows(rows, out, written)

    def job(form, more, target):
        return Job('%s → %s' % (form, target), folder / form, [*dedup, '--pairs', 'all', folder / form, *more], check)
    jobs = [job(form, [], 'pairs') for form in corpora.PACKERS] + [job(form, write, form) for form in corpora.PACKERS]
    jobs += [
        Job('repeated paragraphs cut, plain → plain', folder / 'paragraphs',
            ['dedup', folder / 'paragraphs', '--unit', 'paragraph', '--out', '{out}', *write],
            lambda out, written: checks.check_units(rows, written)),
        Job('leak of {:,} items, plain'.format(corpora.ITEMS), folder / 'plain',
            ['leak', folder / 'plain', '--test', folder / 'items', '--out', '{out}'],
            lambda out, written: checks.check_leaks(rows, out)),
        Job('a tenth added to a saved run, plain', folder / 'new',
            [*dedup, '--pairs', 'all', '--add', '{saved}', folder / 'new'], lambda out, written: checks.check_pairs(rows, out),
            ['dedup', folder / 'old', '--threshold', checks.THRESHOLD, '--out', '{out}-old', '--save', '{saved}', '--quiet'])]
    if pages:
        jobs.append(Job('WARC.gz → WARC.gz, main content', pages, [*dedup, pages, *write],
                        lambda out, written: checks.check_pages(pages, out, written)))
    return jobs


# ---- other tools -----------------------------------------------------------------

def run_peer(row, environments, rows, truth, threads, work):
    """What a tool took for the job from gzip to gzip, and how right its documents are."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        python, _ = peers.python_of(next(p for p in peers.PEERS if p.name == row.peer), environments)
    except peers.Unavailable as reason:
        return {'label': row.label, 'error': str(reason)}
    command = peers.command_of(row, python, rows.folder / 'gzip', work / 'answer', threads, work)
    taken = measured(command, threads, LIMIT_SECONDS, work)
    taken.update(label=row.label, threads=threads)
    if 'error' not in taken:
        said = json.loads((work / 'answer.json').read_text())
        answer = quality.read_answer(said['kind'], work / 'answer.txt')
        taken.update(seconds=said['finished'] - taken['started'] - said['excluded'],
                     **quality.judge(said['kind'], answer, truth)['documents'])
    shutil.rmtree(work)
    return taken


def read_pages(pages, environments, work):
    """Extracts the main content of all pages with other tools, and does nothing with it."""
    work.mkdir(parents=True, exist_ok=True)
    try:
        python, _ = peers.python_of(READER, environments)
    except peers.Unavailable as reason:
        return {'label': READER.name, 'error': str(reason)}
    reader = corpora.ROOT / 'bench/jobs/read_pages.py'
    return {'label': READER.name, **measured([python, reader, pages], 1, LIMIT_SECONDS, work)}


# ---- the page --------------------------------------------------------------------

def input_bytes(path):
    files = [path] if path.is_file() else [p for p in path.iterdir() if p.is_file()]
    return sum(p.stat().st_size for p in files)


def job_lines(jobs, every):
    head = ['job', 'MB in', 'processor s, one thread', 's, one thread', 's, %d threads' % every, 'peak MB']
    return table(head, [[job.name, number(input_bytes(job.source) / 1e6), number(job.median(1, 'cpu_seconds')),
                         number(job.median(1, 'seconds')), number(job.median(every, 'seconds')),
                         megabytes(max(job.median(1, 'peak_bytes'), job.median(every, 'peak_bytes')))] for job in jobs])


def peer_lines(ours, found):
    base = ours.median(1, 'cpu_seconds')
    rows = [['**twinset**', number(base), '1', megabytes(ours.median(1, 'peak_bytes')), '1', '1']]
    for taken in found:
        if 'error' in taken:
            rows.append([taken['label'], taken['error'], '', '', '', ''])
        else:
            rows.append([taken['label'], number(taken['cpu_seconds']), number(taken['cpu_seconds'] / base),
                         megabytes(taken['peak_bytes']), share(taken['precision']), share(taken['recall'])])
    return table(['gzip → gzip', 'processor s', '× twinset', 'peak MB', 'documents: precision', 'recall'], rows)


def page_lines(facts, rows, pages, jobs, found, reader):
    every = max(jobs[0].taken)
    lines = [BEGIN, '', 'Made on %(date)s, commit %(commit)s: %(processor)s, %(threads)d threads, %(system)s. The load '
             'before was %(load_before).1f.' % facts, '',
             '{:,} rows, {:.1f} MB, in two shards; {:,} of them are in a pair at .8.'.format(
                 len(rows.rows), rows.megabytes(), rows.paired), '', *job_lines(jobs, every)]
    if found:
        gzip_job = next(job for job in jobs if job.name == GZIP_JOB)
        lines += ['Other tools at the same job, one thread, with the readers and writers that they bring; they verify nothing:', '',
                  *peer_lines(gzip_job, found)]
    if reader and 'error' not in reader:
        lines += ['FastWARC with Resiliparse takes %s processor seconds to read the same WARC file and to extract the main '
                  'content of its pages, without finding a duplicate or writing anything; twinset takes %s for the whole job.'
                  % (number(reader['cpu_seconds']), number(jobs[-1].median(1, 'cpu_seconds'))), '']
    return lines + [END]


def write_page(lines):
    before = PAGE.read_text(encoding='utf-8')
    head, tail = before[:before.index(BEGIN)], before[before.index(END) + len(END):]
    PAGE.write_text(head + '\n'.join(lines) + tail, encoding='utf-8')


# ---- the whole run ---------------------------------------------------------------

def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('-n', '--documents', type=int, default=20000, help='rows; 70,000 are 102 MB')
    parser.add_argument('--pages', type=pathlib.Path, help='a folder of pages, or an archive of it')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--peers', action='store_true', help='also run other tools; installs them')
    parser.add_argument('--page', action='store_true', help='put the tables into docs/benchmarks.md')
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    build = arguments.build.resolve()
    program = build / 'twinset' if (build / 'twinset').exists() else build.parent / 'twinset'
    facts, every, wrong = machine.facts(program), len(os.sched_getaffinity(0)), []
    with tempfile.TemporaryDirectory(prefix='twinset-bench-') as name:
        folder = pathlib.Path(name)
        rows, pages = corpora.Rows(folder, arguments.documents), corpora.pages_of(arguments.pages, folder)
        jobs = jobs_of(rows, pages)
        for _ in range(arguments.runs):
            for job in jobs:
                for threads in sorted({1, every}):
                    wrong += job.run(program, threads, folder / 'run')
        if wrong:
            sys.exit('wrong answers:\n' + '\n'.join(wrong[:20]))
        truth = checks.true_pairs(program, rows, folder / 'run')
        rows.paired = len(quality.members(truth))
        found, reader = [], None
        if arguments.peers:
            environments = build / 'bench-peers/environments'
            found = [run_peer(row, environments, rows, truth, 1, folder / 'run') for row in JOB_PEERS]
            reader = read_pages(pages, environments, folder / 'run') if pages else None
        lines = page_lines(facts, rows, pages, jobs, found, reader)
    print('\n'.join(lines[2:-1]))
    if arguments.page:
        write_page(lines)


if __name__ == '__main__':
    main()
