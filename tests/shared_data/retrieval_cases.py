"""Judgements of the Web Tracks with the duplicate groups of ClueWeb09, and the systems that columns of
features make: every number again by code of this file."""
import collections
import itertools
import json
import math
import struct
import tarfile

from corpora import DATA, say
from measured import require

ARCHIVES = ['trec.tar.xz', 'trec_clueweb09.tar.xz']
GROUPS = 'dup_groups/clueweb09.jsonl'
RULES = {'max': max, 'drop': lambda grades: grades[0] if len(set(grades)) == 1 else None,
         'first': lambda grades: grades[0],
         'majority': lambda grades: max(set(grades), key=lambda grade: (grades.count(grade), grade))}


def unpack(place):
    for name in ARCHIVES:
        with tarfile.open(DATA / name) as archive:
            archive.extractall(place.folder)
    return sorted(place.folder.glob('qrels/web.*')), sorted(place.folder.glob('features/fold*.txt'))


def judged(paths):
    """(topic, document): grade, in the order of the files."""
    grades = {}
    for path in paths:
        for row in map(str.split, path.read_text().splitlines()):
            topic, document, grade = (row[0], row[1], row[2]) if len(row) == 5 else (row[0], row[2], row[3])
            grades.setdefault((topic, document), int(grade))
    return grades


def groups_of(place):
    with open(place.path(GROUPS), encoding='utf-8') as lines:
        return [json.loads(line)['ids'] for line in lines]


def transfer(place, paths, *flags):
    told = place.run('qrels', 'transfer', *paths, '--duplicates', GROUPS, '--json', '--overwrite', *flags).ended(0)
    return json.loads(told.stdout)


def judgement_groups(place):
    """4,389 topic-groups, and what each rule transfers."""
    paths, _ = unpack(place)
    told = transfer(place, paths)
    require((told['groups_agree'], told['groups_conflict']) == (3857, 532), 'groups', told['groups_agree'],
            told['groups_conflict'])
    require(told['judged_in_links'] == 14071, 'judged ids in groups', told['judged_in_links'])
    zero = transfer(place, paths, '--negative-as-zero')
    require((zero['groups_agree'], zero['groups_conflict']) == (3887, 502), 'groups with max(0, g)')
    grades, groups = judged(paths), groups_of(place)
    topics = collections.defaultdict(set)
    for topic, document in grades:
        topics[document].add(topic)
    order = {key: n for n, key in enumerate(grades)}
    for rule, decide in RULES.items():
        expected = {}
        for ids in groups:
            for topic in set().union(*(topics[i] for i in ids)):
                known = sorted((order[topic, i], grades[topic, i]) for i in ids if (topic, i) in grades)
                grade = decide([grade for _, grade in known])
                for target in ids:
                    if (topic, target) not in grades and grade is not None:
                        expected[topic, target] = grade
        told = transfer(place, paths, '--conflict', rule, '--out', 'out.qrels', '--log', 'log.jsonl')
        written = judged([place.path('out.qrels')])
        require({key: grade for key, grade in written.items() if key not in grades} == expected, rule)
        require(all(written[key] == grade for key, grade in grades.items()), rule, 'changed a judgement')
        require(told['transferred'] == len(expected) == told['rules'][rule]['judgements'], rule, told['transferred'])
        with open(place.path('log.jsonl'), encoding='utf-8') as lines:
            actions = collections.Counter(json.loads(line)['action'] for line in lines)
        require(actions['transferred'] == told['transferred'] and actions['merged'] == told['merged']
                and actions['refused-judged'] == told['refused_judged']
                and actions['refused-conflict'] == told['refused_conflict'], 'the log has', dict(actions))
        say(rule, told['transferred'], 'transferred by grade',
            dict(sorted(collections.Counter(expected.values()).items())))


def float32(text):
    return struct.unpack('f', struct.pack('f', float(text)))[0]


def feature_rows(paths):
    """topic: [(document, grade, values)]"""
    topics = collections.defaultdict(list)
    for path in paths:
        with open(path, encoding='utf-8') as lines:
            for line in lines:
                values, _, comment = line.partition('#')
                grade, topic, *columns = values.split()
                topics[topic[4:]].append((comment.split('=')[1].strip(), int(grade),
                                          [float32(column.split(':')[1]) for column in columns]))
    return topics


def ndcg10(documents, grades):
    def gain(ordered):
        return sum(grade / math.log2(rank + 2) for rank, grade in enumerate(ordered[:10]) if grade > 0)
    best = gain(sorted(grades.values(), reverse=True))
    return gain([grades[document] for document in documents]) / best if best else 0.0


def tau_b(x, y):
    sign = lambda a, b: (a > b) - (a < b)
    pairs = [(sign(x[i], x[k]), sign(y[i], y[k])) for i, k in itertools.combinations(range(len(x)), 2)]
    return sum(a * b for a, b in pairs) / math.sqrt(sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs))


def collapsed_systems(place):
    """nDCG@10 of 42 systems before and after their duplicates are taken away."""
    _, features = unpack(place)
    place.run('runs', 'make', *features, '--out', 'systems', '--quiet').ended(0)
    told = place.run('runs', 'compare', *sorted(place.folder.glob('systems/*.run')), '--qrels', 'systems/labels.qrels',
                     '--duplicates', GROUPS, '--measures', 'ndcg_cut_10', '--draws', '1000', '--json').ended(0)
    row = json.loads(told.stdout)
    topics = feature_rows(features)
    group_of = {document: n for n, ids in enumerate(groups_of(place)) for document in ids}
    means, tied = {}, {}
    for column in range(42):
        before, after, different = [], [], 0
        for rows in topics.values():
            grades = {document: grade for document, grade, _ in rows}
            different += len({values[column] for _, _, values in rows})
            ranked = [document for _, document in sorted(((values[column], document) for document, _, values in rows),
                                                         reverse=True)]
            seen, kept = set(), []
            for document in ranked:
                group = group_of.get(document, document)
                if group not in seen:
                    kept.append(document)
                seen.add(group)
            before.append(ndcg10(ranked, grades))
            after.append(ndcg10(kept, grades))
        name = 'feature-%02d' % (column + 1)
        means[name] = sum(before) / len(before), sum(after) / len(after)
        tied[name] = 1 - different / sum(map(len, topics.values()))
    for system in row['systems'] + row['apart']:
        first, second = means[system['run']]
        require(abs(system['first'] - first) < 1e-9 and abs(system['second'] - second) < 1e-9, 'nDCG of',
                system['run'], 'is', first, second, 'not', system['first'], system['second'])
    apart = sorted(system['run'] for system in row['apart'])
    require(apart == sorted(name for name, share in tied.items() if share > .5) and len(apart) == 20, 'apart', apart)
    require([name for name, share in sorted(tied.items()) if share > .9]
            == ['feature-%02d' % column for column in (3, 5, 6, 8)], 'columns that hardly rank')
    ours = [means[system['run']] for system in row['systems']]
    x, y = [first for first, _ in ours], [second for _, second in ours]
    require(abs(row['tau_b'] - tau_b(x, y)) < 1e-12, 'tau_b', row['tau_b'], tau_b(x, y))
    swaps = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in itertools.combinations(ours, 2))
    require(row['swapped'] == swaps, 'swaps', row['swapped'], swaps)
    say('nDCG@10 %.4f -> %.4f, tau_b %.4f, tau_ap %.4f,' % (sum(x) / len(x), sum(y) / len(y), row['tau_b'],
                                                            row['tau_ap']),
        row['swapped'], 'of', row['pairs'], 'pairs swapped; t', row['t'])
