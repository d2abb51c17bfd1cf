#!/usr/bin/env python3
"""twinset beside other deduplicators, each answer held against the complete truth: bench/dedup_peers/run.py BUILD

Every tool reads the same words in the same hour, at Jaccard .8 of word 5-shingles. The truth is twinset's complete
join; a plain count of shared shingles checks it on a sample of documents. An answer of ours that is wrong is an
error, and so is the exit code; a peer that cannot be had is said with its reason.

Corpora: synthetic rows of tools/make_synthetic, and real pages: --pages, else those that TWINSET_BENCH_JSONL names
(JSON lines with "text"), else Boost's documentation of the shared data (TWINSET_SHARED_DATA or ../shared/data) if it
is there. Pages may be all that twinset reads: a file, a folder, a WARC file, or an archive tar.*, which is unpacked.

Everything is made in BUILD/bench-peers: environments, corpora, results.json. A tool that takes more than two
minutes runs once, else --runs times, and the tools take turns; medians count. --page writes docs/benchmarks-peers.md
with its plots and its numbers from the results, --page-only does so without measuring anything.
"""
import argparse
import fcntl
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import page  # noqa: E402
import peers  # noqa: E402
import quality  # noqa: E402
from measurement import machine  # noqa: E402
from measurement.command import measured  # noqa: E402

# The method that finds every pair; its name stands here alone.
COMPLETE = 'complete'
THRESHOLD = 0.8
OURS = (('twinset, complete', COMPLETE), ('twinset, MinHash', 'minhash'))
LEAST_RECALL = {COMPLETE: 1.0, 'minhash': 0.98}  # of pairs; its precision must be 1
LONG_SECONDS = 120
SHARED_PAGES = 'multiversion/boost_1.74_1.81.tar.xz'


# ---- corpora ---------------------------------------------------------------------

def write_words(program, source, target):
    """The words of every document of the source as rows with their number; texts that make no shingle are left out."""
    with subprocess.Popen([str(program), 'text', '--json', '--show-tokens', str(source)], stdout=subprocess.PIPE) as run, \
            open(target, 'w', encoding='utf-8') as out:
        rows = 0
        for line in run.stdout:
            tokens = json.loads(line)['tokens']
            if len(tokens) >= quality.SHINGLE_WORDS:
                out.write(json.dumps({'id': str(rows), 'text': ' '.join(tokens)}, ensure_ascii=False) + '\n')
                rows += 1
    if run.returncode != 0 or rows < 2:
        sys.exit('bench-peers: %d documents in %s' % (rows, source))


def synthetic(folder, program, documents):
    raw, words = folder / 'synthetic.raw.jsonl', folder / ('synthetic-%d.jsonl' % documents)
    with open(raw, 'wb') as file:
        subprocess.run([sys.executable, str(ROOT / 'tools/make_synthetic'), '-n', str(documents)], check=True, stdout=file)
    write_words(program, raw, words)
    raw.unlink()
    return words


def corpus_name(source):
    return re.sub(r'\W+', '-', re.sub(r'\.(tar|jsonl|warc|arc)(\.\w+)?$', '', source.name)) or 'pages'


def real_pages(folder, program, source):
    name = corpus_name(source)
    words, unpacked = folder / (name + '.jsonl'), folder / (name + '.unpacked')
    if '.tar' in source.suffixes or source.suffix in ('.tar', '.tgz'):
        shutil.rmtree(unpacked, ignore_errors=True)
        with tarfile.open(source) as archive:
            archive.extractall(unpacked)
    write_words(program, unpacked if unpacked.exists() else source, words)
    shutil.rmtree(unpacked, ignore_errors=True)
    return words


def pages_asked(arguments):
    if arguments.pages:
        return arguments.pages
    if os.environ.get('TWINSET_BENCH_JSONL'):
        return [pathlib.Path(os.environ['TWINSET_BENCH_JSONL'])]
    shared = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA') or ROOT.parent / 'shared/data') / SHARED_PAGES
    return [shared] if shared.exists() else []


def corpora(arguments, folder, program):
    """(name, file of words) of each corpus, made when its turn comes."""
    if arguments.documents:
        yield 'synthetic', synthetic(folder, program, arguments.documents)
    for source in pages_asked(arguments):
        yield corpus_name(source), real_pages(folder, program, source)


def texts_of(corpus):
    def texts():
        with open(corpus, encoding='utf-8') as file:
            for line in file:
                yield json.loads(line)['text']
    return texts


# ---- runs ------------------------------------------------------------------------

def run_ours(program, method, corpus, threads, limit, work):
    command = [program, 'dedup', corpus, '--out', work / 'out', '--pairs', 'all', '--quiet', '--method', method,
               '--threshold', THRESHOLD, '--threads', threads]
    taken = measured(command, threads, limit, work)
    if 'error' not in taken:
        with open(work / 'out/pairs.jsonl', encoding='utf-8') as file:
            rows = [json.loads(line) for line in file]
        taken['similarity'] = {tuple(sorted((int(r['a']), int(r['b'])))): r['similarity'] for r in rows}
        taken.update(seconds=taken['ended'] - taken['started'], kind='pairs', answer=set(taken['similarity']),
                     settings='every pair is verified',
                     stages=json.loads((work / 'out/summary.json').read_text())['run']['stage_seconds'])
    return command, taken


def run_peer(row, python, corpus, threads, limit, work):
    command = peers.command_of(row, python, corpus, work / 'answer', threads, work)
    taken = measured(command, threads, limit, work)
    if 'error' not in taken:
        said = json.loads((work / 'answer.json').read_text())
        taken.update(seconds=said['finished'] - taken['started'] - said['excluded'], kind=said['kind'],
                     settings=said['settings'], stages=said['stages'],
                     answer=quality.read_answer(said['kind'], work / 'answer.txt'))
    return command, taken


def plain_command(command):
    """The command without the paths of this machine."""
    words = []
    for word in map(str, command):
        name = pathlib.PurePath(word).name
        words.append(word if '/' not in word else 'python' if name.startswith('python') else name)
    return ' '.join(words)


class Contestant:
    """One row of a table: its runs on one corpus, and what came out of them."""

    def __init__(self, label, threads, run):
        self.label, self.threads, self.run, self.taken, self.command, self.judged = label, threads, run, [], '', None

    def wants(self, turn):
        return turn == 0 or ('error' not in self.taken[0] and self.taken[0]['seconds'] <= LONG_SECONDS)

    def take_turn(self, corpus, limit, work, truth):
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        self.command, taken = self.run(corpus, self.threads, limit, work)
        shutil.rmtree(work)
        if 'error' not in taken:
            self.judged = quality.judge(taken['kind'], taken.pop('answer'), truth)
        taken.pop('similarity', None)
        self.taken.append(taken)
        print('  %-32s %d thread%s %s' % (self.label, self.threads, ' ' if self.threads == 1 else 's', taken.get('error')
              or '%8.2f s, documents: precision %.4f, recall %.4f' % (taken['seconds'],
              self.judged['documents']['precision'], self.judged['documents']['recall'])), flush=True)

    def as_json(self):
        good = [t for t in self.taken if 'error' not in t]
        result = {'label': self.label, 'threads': self.threads, 'command': plain_command(self.command)}
        if len(good) < len(self.taken) or not good:
            return {**result, 'error': next(t['error'] for t in self.taken if 'error' in t)}
        median = {key: statistics.median(t[key] for t in good) for key in ('seconds', 'cpu_seconds', 'peak_bytes')}
        middle = sorted(good, key=lambda t: t['seconds'])[(len(good) - 1) // 2]  # so that its stages add up
        return {**result, **median, 'runs': [t['seconds'] for t in good], 'stages': middle['stages'], 'kind': good[0]['kind'],
                'settings': good[0]['settings'], **self.judged}


def truth_of(program, corpus, limit, work, sample):
    """({pair: Jaccard}, what the check says): the complete join, and the plain count on a sample of documents."""
    work.mkdir(parents=True, exist_ok=True)
    taken = run_ours(program, COMPLETE, corpus, len(os.sched_getaffinity(0)), limit, work)[1]
    shutil.rmtree(work)
    if 'error' in taken:
        sys.exit('bench-peers: no truth: ' + taken['error'])
    truth = taken['similarity']
    counted, rows = quality.counted_pairs(texts_of(corpus), THRESHOLD, sample)
    wrong = quality.differences(truth, counted, rows)
    return truth, {'documents': len(rows), 'pairs': len(counted), 'differences': len(wrong)}, wrong


def judge_ours(contestants):
    """Sentences about what of ours is wrong."""
    wrong = []
    for (label, method) in OURS:
        for one in (c for c in contestants if c.label == label):
            if one.judged is None:
                wrong.append('%s, %d threads: %s' % (label, one.threads, one.taken[0]['error']))
            elif one.judged['pairs']['precision'] != 1 or one.judged['pairs']['recall'] < LEAST_RECALL[method]:
                wrong.append('%s, %d threads: precision %.6f, recall %.6f' % (
                    label, one.threads, one.judged['pairs']['precision'], one.judged['pairs']['recall']))
    return wrong


def measure_corpus(name, corpus, arguments, program, environments, folder):
    work, every = folder / 'run', len(os.sched_getaffinity(0))
    truth, check, wrong = truth_of(program, corpus, arguments.limit, work, arguments.sample)
    texts = texts_of(corpus)
    result = {'name': name, 'documents': sum(1 for _ in texts()), 'bytes': sum(len(t.encode()) for t in texts()),
              'true_pairs': len(truth), 'true_documents': len(quality.members(truth)), 'check': check}
    print('%s: %d documents, %.1f MB of words, %d true pairs; counted for %d documents: %d pairs, %d differences' % (
        name, result['documents'], result['bytes'] / 1e6, len(truth), check['documents'], check['pairs'], len(wrong)),
        flush=True)
    contestants = [Contestant(label, threads, lambda c, t, limit, w, m=method: run_ours(program, m, c, t, limit, w))
                   for label, method in OURS for threads in sorted({1, every})]
    contestants += [Contestant(row.label, threads, lambda c, t, limit, w, r=row: run_peer(
        r, environments[r.peer], c, t, limit, w))
        for row in peers.ROWS if row.peer in environments for threads in peers.threads_of(row)]
    for turn in range(arguments.runs):
        for one in contestants:
            if one.wants(turn):
                one.take_turn(corpus, arguments.limit, work, set(truth))
    result['results'] = [one.as_json() for one in contestants]
    return result, wrong + judge_ours(contestants)


# ---- the whole run ---------------------------------------------------------------

def install(names, folder):
    """{peer: interpreter} and what the page says about each."""
    environments, said = {}, []
    for peer in peers.PEERS:
        if peer.name not in names:
            continue
        row = {'name': peer.name, 'packages': list(peer.packages), 'about': peer.about}
        try:
            environments[peer.name], row['installed'] = peers.python_of(peer, folder / 'environments')
        except peers.Unavailable as reason:
            row['unavailable'] = str(reason)
            print('SKIPPED %s: %s' % (peer.name, reason), flush=True)
        said.append(row)
    return environments, said


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('-n', '--documents', type=int, default=20000, help='of the synthetic corpus; 0: without it')
    parser.add_argument('--pages', type=pathlib.Path, nargs='+', default=[], help='real pages')
    parser.add_argument('--folder', type=pathlib.Path, help='instead of BUILD/bench-peers')
    parser.add_argument('--peers', metavar='NAME,...', help='only these')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--limit', type=int, default=900, help='seconds after which a run is stopped')
    parser.add_argument('--sample', type=int, default=1000, help='documents whose pairs are counted plainly')
    parser.add_argument('--page', action='store_true', help='write the page from the results')
    parser.add_argument('--page-only', type=pathlib.Path, metavar='JSON', help='write the page from these results')
    arguments = parser.parse_args()
    known = [peer.name for peer in peers.PEERS]
    arguments.peers = known if arguments.peers is None else list(filter(None, arguments.peers.split(',')))
    for name in arguments.peers:
        if name not in known:
            parser.error('no peer %s: %s' % (name, ', '.join(known)))
    return arguments


def main():
    arguments = parse_arguments()
    if arguments.page_only:
        page.write(json.loads(arguments.page_only.read_text(encoding='utf-8')), ROOT / 'docs')
        return
    build = arguments.build.resolve()
    program, folder = build / 'twinset', (arguments.folder or build / 'bench-peers').resolve()
    (folder / 'corpora').mkdir(parents=True, exist_ok=True)
    lock = open(folder / 'lock', 'w')
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit('bench-peers: another run uses %s' % folder)
    environments, said = install(arguments.peers, folder)
    results = {'machine': machine.facts(program), 'settings': {'threshold': THRESHOLD, 'words': quality.SHINGLE_WORDS,
               'runs': arguments.runs, 'limit_seconds': arguments.limit}, 'peers': said, 'corpora': []}
    wrong = []
    for name, corpus in corpora(arguments, folder / 'corpora', program):
        result, problems = measure_corpus(name, corpus, arguments, program, environments, folder)
        results['corpora'].append(result)
        wrong += ['%s: %s' % (name, problem) for problem in problems]
        results['machine']['load_after'] = os.getloadavg()[0]
        (folder / 'results.json').write_text(json.dumps(results, indent=1, ensure_ascii=False) + '\n', encoding='utf-8')
    if wrong:
        sys.exit('wrong answers:\n' + '\n'.join(wrong[:20]))
    if arguments.page:
        page.write(results, ROOT / 'docs')


if __name__ == '__main__':
    main()
