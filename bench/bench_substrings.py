#!/usr/bin/env python3
"""Repeated passages beside the suffix array of Lee et al. 2022: bench/bench_substrings.py BUILD --rival FOLDER

FOLDER is a checkout of google-research/deduplicate-text-datasets in which `cargo build` was run, and --python one that has
numpy and, to be measured as well, text-dedup 0.4.0, whose suffix_array calls that checkout. The checkout is written to.

Three questions, each to all of them on one processor. `bytes`: real text in which each byte is a token for twinset (it
reads a Han character in place of each), so that all are asked for the same N bytes in a row. `words`: the same text as
each is used, N tokens beside L bytes. `cost`: made rows of --megabytes, without text-dedup, which takes what the checkout
takes and some more. In the first two the answer of twinset must be that
of the definition, which is counted here window by window, and what others call repeated is divided into classes by
definitions, too; an answer of ours that is wrong ends it with 1. --texts: what twinset reads; by default the pages of Boost
in the examples. Prints Markdown, and writes results.json into BUILD/bench-substrings.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from measurement import machine  # noqa: E402
from measurement.command import measured  # noqa: E402
from measurement.page_text import megabytes, number, table  # noqa: E402

SAMPLE = HERE.parent / 'examples/data/boost-docs.warc.gz'
LIMIT = 3600
WORD = re.compile(rb'[A-Za-z0-9]+')


# ---- texts ----------------------------------------------------------------------------------------------------------

def real_texts(program, source, size):
    """About `size` bytes of ASCII in which a word is a token: documents of all parts of the source."""
    with subprocess.Popen([program, 'text', '--json', source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        texts = [json.loads(line)['text'] for line in run.stdout]
    texts = [re.sub(r"(?<=\w)[.,:;'_](?=\w)", ' ', re.sub(r'[^ -~\n]', ' ', text)).encode() for text in texts]
    step = max(1, sum(map(len, texts)) // size)
    return texts[::step]


def made_texts(size):
    """Rows of 300 random words, of which a quarter are passages that stand elsewhere, too."""
    drawn = random.Random(1)
    words = ['%x' % drawn.getrandbits(24) for _ in range(50_000)]
    passages = [' '.join(drawn.choices(words, k=drawn.randrange(60, 240))) for _ in range(size // 16_000)]
    texts, made = [], 0
    while made < size:
        text = ' '.join(drawn.choices(words, k=150))
        if drawn.random() < .5:
            text += ' ' + drawn.choice(passages)
        text += ' ' + ' '.join(drawn.choices(words, k=150))
        texts.append(text.encode())
        made += len(text)
    return texts


def as_tokens(text):
    """A Han character for each byte: each is a token, and three bytes long."""
    return text.decode('latin-1').translate({byte: chr(0x4E00 + byte) for byte in range(256)})


def write_rows(path, texts):
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(json.dumps({'text': text}, ensure_ascii=False) + '\n' for text in texts)
    return path


# ---- what is repeated, by definition --------------------------------------------------------------------------------

def by_definition(texts, spans, n, apart, key=lambda text, begin, end: text[begin:end]):
    """For each text, which of its tokens stand in a window of n that stands twice; `apart`: in two that do not overlap."""
    first, repeated = {}, set()
    for number_, (text, tokens) in enumerate(zip(texts, spans)):
        for at in range(len(tokens) - n + 1):
            window = hash(key(text, tokens[at][0], tokens[at + n - 1][1]))
            document, place = first.setdefault(window, (number_, at))
            if document != number_ or place != at and (not apart or at - place >= n):
                repeated.add(window)
    marks = []
    for text, tokens in zip(texts, spans):
        flags, marked = bytearray(len(tokens)), 0
        for at in range(len(tokens) - n + 1):
            if hash(key(text, tokens[at][0], tokens[at + n - 1][1])) in repeated:
                begin = max(at, marked)
                flags[begin:at + n] = b'\1' * (at + n - begin)
                marked = at + n
        marks.append(flags)
    return b''.join(marks)


def of_ranges(texts, spans, ranges):
    """For each token, whether all of it is in ranges of (text, begin, end) bytes."""
    covered = [bytearray(len(text)) for text in texts]
    for text, begin, end in ranges:
        covered[text][begin:end] = b'\1' * (min(end, len(texts[text])) - begin)
    return b''.join(bytes(0 not in flags[begin:end] for begin, end in tokens) for flags, tokens in zip(covered, spans))


def count(marks):
    return int.from_bytes(marks, 'big').bit_count()


def both(left, right):
    return (int.from_bytes(left, 'big') & int.from_bytes(right, 'big')).to_bytes(len(left), 'big')


def without(left, right):
    return (int.from_bytes(left, 'big') & ~int.from_bytes(right, 'big')).to_bytes(len(left), 'big')


# ---- the tools ------------------------------------------------------------------------------------------------------

def ours(program, rows, n, width, work):
    """What was measured, and the ranges in bytes of the texts; one of ours has `width` bytes in the row for each."""
    out = work / 'out'
    shutil.rmtree(out, ignore_errors=True)
    taken = measured([program, 'dedup', rows, '--out', out, '--unit', 'substring', '--min-tokens', n, '--unit-action',
                      'drop-all', '--threads', 1, '--memory', '2G', '--quiet'], 1, LIMIT, work)
    if 'error' in taken:
        sys.exit('twinset: ' + taken['error'])
    with open(out / 'cuts.jsonl', encoding='utf-8') as file:
        cuts = map(json.loads, file)
        return taken, [(cut['ordinal'], cut['source_begin'] // width, cut['source_end'] // width) for cut in cuts]


def of_documents(begins, texts, found):
    """Ranges of bytes of a file as ranges of the texts that begin there; what spans several is divided."""
    ranges, at = [], 0
    for begin, end in found:
        while at + 1 < len(begins) and begins[at + 1] <= begin:
            at += 1
        for text in range(at, len(begins)):
            if begins[text] >= end:
                break
            from_, to = max(begin - begins[text], 0), min(end - begins[text], len(texts[text]))
            if from_ < to:
                ranges.append((text, from_, to))
    return ranges


def found_ranges(path):
    lines = path.read_text().partition('out\n')[2].splitlines()
    return [tuple(map(int, line.split())) for line in lines]


def in_one_file(texts, separated):
    """All texts, in front of each a separator of its own as deduplicate-text-datasets makes it, and where they begin."""
    parts, begins, at = [], [], 0
    for number_, text in enumerate(texts):
        separator = b'\xff\xff' + struct.pack('<I', number_ + 1) if separated else b''
        parts += [separator, text]
        begins.append(at + len(separator))
        at += len(separator) + len(text)
    return b''.join(parts), begins


def suffix_array(asked, texts, length, work):
    """As its README says."""
    data = work / 'data'
    joined, begins = in_one_file(texts, True)
    data.write_bytes(joined)
    (asked.rival / 'tmp').mkdir(exist_ok=True)
    shutil.rmtree(work / 'cache', ignore_errors=True)
    flags = '--data-file %s --cache-dir %s --length-threshold %d' % (
        shlex.quote(str(data)), shlex.quote(str(work / 'cache')), length)
    script = ('cd %s && %s scripts/make_suffix_array.py %s && target/debug/dedup_dataset self-similar %s --num-threads 1 && '
              'target/debug/dedup_dataset collect %s > %s' % (
                  *map(shlex.quote, map(str, (asked.rival, asked.python, data))), flags, flags, work / 'found'))
    taken = measured(['sh', '-c', script], 1, LIMIT, work)
    if 'error' in taken:
        return taken, []
    return taken, of_documents(begins, texts, found_ranges(work / 'found'))


def text_dedup(asked, rows, texts, length, work):
    """Its program on the rows. It puts nothing between two texts."""
    for name in ('td-cache', 'td-out'):
        shutil.rmtree(work / name, ignore_errors=True)
    script = ('cd %s && PATH=%s:$PATH HF_HOME=%s %s -m text_dedup.suffix_array --path json --data_files %s --split train '
              '--column text --google_repo_path %s --cache_dir %s --output %s --k %d --num_proc 1 --no-clean_cache' % (
                  work, asked.python.parent, work / 'td-home', asked.python, rows, asked.rival, work / 'td-cache',
                  work / 'td-out', length))
    taken = measured(['sh', '-c', script], 1, LIMIT, work)
    if 'error' in taken:
        return taken, []
    ranges = found_ranges(asked.rival / 'output/temp_output.txt')
    return taken, of_documents(in_one_file(texts, False)[1], texts, ranges)


# ---- questions ------------------------------------------------------------------------------------------------------

def compare(asked, name, texts, spans, rows, width, n, length, rules):
    """Runs all of them. `rules`: what is repeated by definition for us, and why a token is in one answer alone."""
    work = asked.folder / name
    result = {'question': name, 'bytes': sum(map(len, texts)), 'documents': len(texts), 'tokens': n, 'length': length}
    taken, ranges = ours(asked.program, rows, n, width, work)
    tools = {'twinset': (taken, ranges), 'deduplicate-text-datasets': suffix_array(asked, texts, length, work)}
    if asked.has_text_dedup and rules is not None:
        tools['text-dedup'] = text_dedup(asked, write_rows(work / 'plain.jsonl', [text.decode() for text in texts]), texts,
                                         length, work)
    result['tools'] = {tool: dict(taken) for tool, (taken, _) in tools.items()}
    for tool, (taken, ranges) in tools.items():
        result['tools'][tool]['repeated_bytes'] = sum(end - begin for _, begin, end in ranges)
    if rules is None:
        return result
    found = {tool: of_ranges(texts, spans, ranges) for tool, (_, ranges) in tools.items()}
    truth, only_ours, only_theirs = rules
    result['wrong'] = count(without(found['twinset'], truth)) + count(without(truth, found['twinset']))
    result['all'], result['found'] = len(truth), count(truth)
    for tool, marks in found.items():
        if tool == 'twinset' or 'error' in result['tools'][tool]:
            continue
        classes = result['tools'][tool]['classes'] = {'both': count(both(marks, truth))}
        for side, rest, reasons in (('only twinset', without(truth, marks), only_ours),
                                    ('only ' + tool, without(marks, truth), only_theirs)):
            for reason, of_reason in reasons:
                classes[side + ': ' + reason] = count(both(rest, of_reason))
                rest = without(rest, of_reason)
            classes[side + ': for no reason known'] = count(rest)
    return result


def each_byte(text):
    return [(at, at + 1) for at in range(len(text))]


def byte_question(asked, texts):
    n = asked.bytes
    (asked.folder / 'bytes').mkdir(exist_ok=True)
    spans = list(map(each_byte, texts))
    truth = by_definition(texts, spans, n, True)

    def seams(separated):
        """What stands twice in a file of all texts."""
        joined, begins = in_one_file(texts, separated)
        marks = by_definition([joined], [each_byte(joined)], n, False)
        return b''.join(marks[begin:begin + len(text)] for begin, text in zip(begins, texts))
    rows = write_rows(asked.folder / 'bytes/rows.jsonl', map(as_tokens, texts))
    return compare(asked, 'bytes', texts, spans, rows, 3, n, n, (
        truth, [], [('it stands twice only where it overlaps itself', by_definition(texts, spans, n, False)),
                    ('a window has a part of the separator before its text', seams(True)),
                    ('a window goes on into the next text', seams(False))]))


def word_question(asked, texts):
    n, length = asked.tokens, asked.length
    (asked.folder / 'words').mkdir(exist_ok=True)
    spans = [[found.span() for found in WORD.finditer(text)] for text in texts]

    def words(text, begin, end):
        return b' '.join(WORD.findall(text, begin, end)).lower()
    truth = by_definition(texts, spans, n, True, words)
    rows = write_rows(asked.folder / 'words/rows.jsonl', [text.decode() for text in texts])
    return compare(asked, 'words', texts, spans, rows, 1, n, length, (
        truth,
        [('another spelling, case or spacing', without(truth, by_definition(texts, spans, n, True))),
         ('%d tokens that are shorter than %d bytes' % (n, length), truth)],
        [('it stands twice only where it overlaps itself', by_definition(texts, spans, n, False, words)),
         ('%d bytes of fewer than %d tokens' % (length, n), b'\1' * len(truth))]))


def cost_question(asked):
    (asked.folder / 'cost').mkdir(exist_ok=True)
    texts = made_texts(asked.megabytes * 10**6)
    rows = write_rows(asked.folder / 'cost/rows.jsonl', [text.decode() for text in texts])
    return compare(asked, 'cost', texts, None, rows, 1, asked.tokens, asked.length, None)


def page_of(results):
    for result in results:
        size = result['bytes'] / 1e6
        print('\n%s: %s documents, %s MB, %d tokens beside %d bytes\n' % (
            result['question'], '{:,}'.format(result['documents']), number(size), result['tokens'], result['length']))
        rows = []
        for tool, taken in result['tools'].items():
            if 'error' in taken:
                rows.append([tool, taken['error'], '', '', '', ''])
                continue
            rows.append([tool, number(taken['cpu_seconds']), number(size / taken['cpu_seconds']), megabytes(taken['peak_bytes']),
                         megabytes(taken['written_bytes']), megabytes(taken['repeated_bytes'])])
        print('\n'.join(table(['tool', 'processor s', 'MB/s', 'peak, MB', 'written, MB', 'repeated, MB'], rows)))
        for tool, taken in result['tools'].items():
            if 'classes' in taken:
                print('\n'.join(table(['beside ' + tool, 'of {:,}'.format(result['all'])],
                                      [[name, '{:,}'.format(value)] for name, value in taken['classes'].items()])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--rival', type=pathlib.Path, required=True)
    parser.add_argument('--python', type=pathlib.Path, default=pathlib.Path(sys.executable))
    parser.add_argument('--texts', type=pathlib.Path, default=SAMPLE)
    parser.add_argument('--sample', type=int, default=4, help='megabytes of them')
    parser.add_argument('--bytes', type=int, default=100, help='N of the question of bytes')
    parser.add_argument('--tokens', type=int, default=50, help='N of words')
    parser.add_argument('--length', type=int, default=300, help='L beside them')
    parser.add_argument('--megabytes', type=int, default=200, help='of made rows')
    parser.add_argument('--only', choices=('bytes', 'words', 'cost'))
    asked = parser.parse_args()
    asked.rival, asked.program = asked.rival.resolve(), asked.build.resolve() / 'twinset'
    asked.python = pathlib.Path(os.path.abspath(asked.python))  # the link of an environment leads out of it
    asked.folder = asked.build.resolve() / 'bench-substrings'
    asked.folder.mkdir(exist_ok=True)
    asked.has_text_dedup = subprocess.run([asked.python, '-c', 'import text_dedup'], stderr=subprocess.DEVNULL).returncode == 0
    results = []
    if asked.only != 'cost':
        texts = real_texts(asked.program, asked.texts, asked.sample * 10**6)
    for name, ask in (('bytes', lambda: byte_question(asked, texts)), ('words', lambda: word_question(asked, texts)),
                      ('cost', lambda: cost_question(asked))):
        if asked.only in (None, name):
            results.append(ask())
    (asked.folder / 'results.json').write_text(json.dumps({'machine': machine.facts(asked.program), 'results': results}, indent=1))
    page_of(results)
    wrong = [result['question'] for result in results if result.get('wrong')]
    if wrong:
        sys.exit('an answer of twinset is wrong: ' + ', '.join(wrong))


if __name__ == '__main__':
    main()
