#!/usr/bin/env python3
"""`runs eval` and `runs compare` beside pytrec_eval, ir_measures and SciPy: tests/retrieval/run.py BUILD_DIR

Installs them into an environment of their own below the folder for temporary files; where that is
impossible the cases are named as skipped. Random judgements and runs have negative grades, equal
scores, scores that are equal as 32-bit floats only, documents without judgements and topics of one
side; the real ones are those of the shared data, where it is.
"""
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests/support'))
sys.path.insert(0, str(ROOT / 'tests/shared_data'))
from corpora import DATA
from measured import Skipped, require, suite_from_arguments
from packages import interpreter_with

PACKAGES = ('pytrec-eval-terrier==0.5.11', 'ir-measures==0.4.3', 'scipy==1.17.1')
MEASURES = ('map', 'ndcg', 'ndcg_cut_5', 'ndcg_cut_10', 'ndcg_cut_20', 'P_5', 'P_10', 'recip_rank', 'bpref',
            'num_ret', 'num_rel', 'num_rel_ret')
TOLERANCE = 1e-9

# Of each qrels, run and relevance level: {topic: {measure: value}}.
PYTREC_EVAL = r'''
import json, sys, pytrec_eval
def rows(path):
    return [line.split() for line in open(path, encoding='utf-8') if line.split()]
names = {'map', 'ndcg', 'ndcg_cut', 'P', 'recip_rank', 'bpref', 'num_ret', 'num_rel', 'num_rel_ret'}
answers = []
for judged, ranked, level in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
    qrels, run = {}, {}
    for row in rows(judged):
        topic, document, grade = (row[0], row[2], row[3]) if len(row) == 4 else row[:3]
        qrels.setdefault(topic, {}).setdefault(document, int(grade))
    for topic, _, document, _, score, _ in rows(ranked):
        run.setdefault(topic, {})[document] = float(score)
    answers.append(pytrec_eval.RelevanceEvaluator(qrels, names, int(level)).evaluate(run))
print(json.dumps(answers))
'''

IR_MEASURES = r'''
import json, sys, ir_measures
from ir_measures import AP, Bpref, P, RR, nDCG
names = {'map': AP, 'ndcg': nDCG, 'ndcg_cut_10': nDCG@10, 'P_10': P@10, 'recip_rank': RR, 'bpref': Bpref}
qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))
run = list(ir_measures.read_trec_run(sys.argv[2]))
told = {measure: name for name, measure in names.items()}
values = {}
for metric in ir_measures.iter_calc(list(names.values()), qrels, run):
    values.setdefault(metric.query_id, {})[told[metric.measure]] = metric.value
print(json.dumps(values))
'''

SCIPY = r'''
import json, sys
from scipy import stats
rows = json.load(sys.stdin)
print(json.dumps({'tau': stats.kendalltau(rows['x'], rows['y']).statistic,
                  'p': [stats.ttest_rel(a, b).pvalue for a, b in rows['pairs']]}))
'''


def ask(program, *arguments, feed=None):
    python = interpreter_with('retrieval', PACKAGES, 'pytrec_eval, ir_measures, scipy')
    return json.loads(subprocess.run([python, '-W', 'ignore', '-c', program, *map(str, arguments)], check=True,
                                     stdout=subprocess.PIPE, input=feed, text=True).stdout)


def judgements(chance, topics, documents):
    lines = []
    for topic in range(topics):
        lines.append('%d 0 judged %d\n' % (topic, chance.randrange(2)))  # of negative grades alone pytrec_eval crashes
        for document in chance.sample(range(documents), chance.randrange(1, documents)):
            lines.append('%d 0 d%03d %d\n' % (topic, document, chance.choice((-2, -1, 0, 0, 0, 1, 1, 2, 3))))
    return ''.join(lines)


def ranking(chance, topics, documents):
    lines = []
    for topic in range(1, topics + 1):  # one that is not judged, one that is missing
        for document in chance.sample(range(documents + 20), chance.randrange(1, documents)):
            score = chance.choice((chance.randrange(8), chance.random(), 0.1 + 1e-12 * chance.randrange(9),
                                   -chance.random() * 1e6))
            lines.append('%d Q0 d%03d 0 %r system\n' % (topic, document, score))
    return ''.join(lines)


def by_topic(place, run, qrels, *flags):
    told = place.run('runs', 'eval', run, '--qrels', qrels, '--by-topic', '--json', *flags).ended(0)
    return {row['topic']: row for row in map(json.loads, told.stdout.splitlines())}


def same_values(ours, theirs, names, label):
    topics = set(ours) - {'all'}
    require(topics == set(theirs), label, 'topics differ:', sorted(topics ^ set(theirs))[:5])
    for topic, values in theirs.items():
        for name in names:
            require(abs(ours[topic][name] - values[name]) < TOLERANCE, label, 'topic', topic, name, 'is',
                    values[name], 'not', ours[topic][name])
    return len(theirs)


def as_pytrec_eval(place, questions):
    """For each qrels, run and level; returns how many topics each has."""
    counts = []
    for (qrels, run, level), theirs in zip(questions, ask(PYTREC_EVAL, *sum(questions, ()))):
        ours = by_topic(place, run, qrels, '--measures', ','.join(MEASURES), '--relevance-level', str(level))
        counts.append(same_values(ours, theirs, MEASURES, 'level %d' % level))
        for name in MEASURES:
            values = [topic[name] for topic in theirs.values()]
            mean = sum(values) if name.startswith('num_') else sum(values) / len(values)
            require(abs(ours['all'][name] - mean) < TOLERANCE, 'mean of', name)
    return counts


def random_files(place):
    questions = []
    for seed in range(6):
        chance = random.Random(seed)
        qrels = place.write('q%d' % seed, judgements(chance, 12, 60).encode())
        run = place.write('r%d' % seed, ranking(chance, 12, 60).encode())
        questions += [(qrels, run, 1), (qrels, run, 2)]
    as_pytrec_eval(place, questions)
    names = ('map', 'ndcg', 'ndcg_cut_10', 'P_10', 'recip_rank', 'bpref')
    ours = by_topic(place, run, qrels, '--measures', ','.join(names), '--all-topics')
    theirs = ask(IR_MEASURES, qrels, run)
    common = {topic: values for topic, values in theirs.items() if topic in ours}
    require(len(common) > 5, 'too few topics in common')
    same_values({topic: ours[topic] for topic in common}, common, names, 'ir_measures')


def rank_biased_precision(place):
    """By the formula, and condensed lists by taking lines out of the file."""
    chance = random.Random(9)
    qrels = place.write('q', judgements(chance, 5, 40).encode())
    text = ranking(chance, 5, 40)
    run = place.write('r', text.encode())
    grades = {(row[0], row[2]): int(row[3]) for row in map(str.split, qrels.read_text().splitlines())}
    judged = [line for line in text.splitlines(True) if tuple(line.split()[:3:2]) in grades]
    condensed = place.write('condensed', ''.join(judged).encode())
    topics = set(row.split()[0] for row in judged)
    ours, other = by_topic(place, run, qrels, '--condensed'), by_topic(place, condensed, qrels)
    for topic in topics & set(ours):
        for name in ('map', 'ndcg', 'bpref', 'rbp', 'recip_rank'):
            require(ours[topic][name] == other[topic][name], 'condensed', topic, name)
    # Distinct integer scores: the order needs no rule for ties.
    lines = ['1 Q0 d%03d 0 %d t\n' % (n, 100 - n) for n in range(30)]
    plain = place.write('plain', ''.join(lines).encode())
    value = by_topic(place, plain, qrels, '--persistence', '0.7')['1']['rbp']
    true = sum(.3 * .7 ** n for n in range(30) if grades.get(('1', 'd%03d' % n), 0) >= 1)
    require(abs(value - true) < 1e-12, 'rbp is', true, 'not', value)


def all_signs(x, y):
    """The randomisation test over every pattern of signs."""
    differences = [a - b for a, b in zip(x, y)]
    sums = [abs(sum(sign * d for sign, d in zip(signs, differences)))
            for signs in itertools.product((1, -1), repeat=len(differences))]
    return sum(value >= sums[0] - 1e-12 for value in sums) / len(sums)


def comparison(place):
    chance = random.Random(5)
    first = place.write('first', judgements(chance, 11, 60).encode())
    second = place.write('second', judgements(chance, 11, 60).encode())
    runs = [place.write('s%d.run' % n, ranking(chance, 10, 60).encode()) for n in range(6)]
    told = place.run('runs', 'compare', *runs, '--qrels', first, '--against-qrels', second, '--measures', 'map',
                     '--most-tied', '1', '--out', 'out', '--json').ended(0)
    row = json.loads(told.stdout)
    systems = row['systems']
    with open(place.path('out/pairs.csv'), encoding='utf-8') as file:
        names, *lines = [line.rstrip('\n').split(',') for line in file]
    values = {}
    for run in runs:
        rows = by_topic(place, run, first, '--measures', 'map', '--all-topics')
        values[run.stem] = [rows[str(topic)]['map'] for topic in range(1, 11)]
    pairs = [dict(zip(names, line)) for line in lines]
    require(len(pairs) == 15, 'pairs', len(pairs))
    answer = ask(SCIPY, feed=json.dumps({'x': [s['first'] for s in systems], 'y': [s['second'] for s in systems],
                                         'pairs': [[values[p['a']], values[p['b']]] for p in pairs]}))
    require(abs(row['tau_b'] - answer['tau']) < TOLERANCE, 'tau_b', row['tau_b'], answer['tau'])
    for pair, p in zip(pairs, answer['p']):
        require(abs(float(pair['first_p']) - p) < TOLERANCE, 'paired t of', pair['a'], pair['b'], pair['first_p'], p)
        random_p = all_signs(values[pair['a']], values[pair['b']])
        require(abs(float(pair['first_random_p']) - random_p) < TOLERANCE, 'randomisation of', pair['a'], pair['b'])


def real_files(place):
    archives = [DATA / 'trec.tar.xz', DATA / 'trec_clueweb09.tar.xz']
    if not all(path.exists() for path in archives):
        raise Skipped('no shared data')
    for path in archives:
        with tarfile.open(path) as archive:
            archive.extractall(place.folder)
    features = sorted(place.folder.glob('features/fold*.txt'))
    place.run('runs', 'make', *features, '--out', 'systems', '--quiet').ended(0)
    qrels = place.write('all.qrels', [path.read_bytes() for path in sorted(place.folder.glob('qrels/web.*'))])
    runs = [place.path('systems/feature-%02d.run' % column) for column in (2, 5, 11, 15)]
    counts = as_pytrec_eval(place, [(judged, run, 1) for judged in (place.path('systems/labels.qrels'), qrels)
                                    for run in runs])
    require(counts == 4 * [36] + 4 * [31], 'topics', counts)


def main():
    suite, _ = suite_from_arguments(__doc__)
    suite.run('random files', random_files)
    suite.run('rank-biased precision, condensed lists', rank_biased_precision)
    suite.run('comparison', comparison)
    suite.run('real files', real_files)
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
