"""How each command is made to write: one recipe for every flag that names a folder or file to write.

A recipe reads `source` (the file or folder that must not be harmed) and writes `target`.
"""
import json
import subprocess

# Flags with the value FILE or DIR that only say what is read.
READS = {'--rules', '--lexicon', '--short-lexicon', '--ignore', '--fields', '--replay', '--queries', '--second-pool',
         '--networks-file', '--exclude-file', '--hosts', '--nodes', '--page', '--factors',
         '--pairs', '--duplicates', '--judged', '--ids', '--labels', '--qrels', '--against-qrels', '--topics',
         '--trademarks', '--landings', '--key', '--add', '--config', '--files-from',
         '--trusted-key', '--suffixes', '--calibration', '--dead', '--test', '--visits',
         '--trusted', '--answers', '--blacklist', '--spam', '--texts', '--read-token-file', '--write-token-file'}
# Of serve: a log is appended to, if it is one; indexes are made below a folder that is there, as index snapshot makes them.
SERVED = {'--access-log', '--snapshots'}
# Flags of commands that write through the door of another: index export --save runs dedup --save, and what index and
# view put below --tmp is a folder of a name of its own that goes again (tests/cli/cases/index-export-save.case).
BY_OTHER_DOORS = {('index', '--save'), ('index', '--tmp'), ('view', '--tmp'), ('plan', '--tmp'),
                  ('hamming', '--tmp')}

# Recipes whose source may be "-".
READ_STANDARD_INPUT = {'dedup SOURCE --out', 'match SOURCE --out', 'engine build --out',
                       'lexicon build --out', 'walk SOURCE --out', 'auction page --out',
                       'qrels merge --out', 'runs compare --out'}

# What earlier layouts took for a proof that a folder is twinset's.
PROOFS = {'dedup': '.work/journal.jsonl', 'match': 'clusters.jsonl', 'evaluate': 'evaluation.json',
          'engine': 'engine.json', 'sample': 'probes.jsonl', 'walk': 'sample.jsonl',
          'report': 'report.html', 'traps': 'traps.jsonl', 'estimate': 'page.json',
          'runs': 'systems.csv', 'urls': 'tlds.csv', 'mirrors': 'mirrors.jsonl', 'leak': 'leaks.jsonl', 'study': 'numbers.csv',
          'change': 'changes.csv',
          'assess': 'sample.json', 'predict': 'rules.jsonl', 'patch': 'inputs.jsonl', 'seeds': 'seeds.txt'}


class Recipe:
    """kind: 'folder' of results; 'file', replaced with --overwrite if the command has that flag;
    'record', a file that is added to; 'work', where work files come and go; 'recut', beside a saved run or a shard."""

    def __init__(self, command, flag, kind, source, argv, flags=('--overwrite',), runs=True):
        self.command, self.flag, self.kind, self.source = command, flag, kind, source
        self.argv = argv
        self.flags = flags    # of --overwrite and --resume, those that it has
        self.runs = runs      # a good run needs nothing but the material
        self.name = ' '.join(argv('SOURCE', 'TARGET')[:2]) + ' ' + flag


BOTH = ('--overwrite', '--resume')
RECIPES = [
    Recipe('dedup', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['dedup', s, '--out', t, '-q', '--report'], BOTH),
    Recipe('dedup', '--write', 'folder', 'a.jsonl',
           lambda s, t: ['dedup', s, '--out', 'results', '--write', t, '-q'], BOTH),
    Recipe('dedup', '--attributes', 'folder', 'a.jsonl',
           lambda s, t: ['dedup', s, '--out', 'results', '--attributes', t, '-q'], BOTH),
    Recipe('dedup', '--tmp', 'work', 'docs',
           lambda s, t: ['dedup', s, '--out', 'results', '--tmp', t, '-q'], BOTH),
    Recipe('dedup', '--save', 'folder', 'a.jsonl',
           lambda s, t: ['dedup', s, '--out', 'results', '--save', t, '-q'], BOTH),
    Recipe('recut', '--out', 'recut', 'run',
           lambda s, t: ['recut', s, '--out', t, '-q', '--report']),
    Recipe('recut', '--tmp', 'recut', 'run',
           lambda s, t: ['recut', s, '--out', 'results', '--tmp', t, '-q']),
    Recipe('merge', '--out', 'recut', 'shard', lambda s, t: ['merge', s, '--out', t, '-q', '--report'], BOTH),
    Recipe('merge', '--tmp', 'recut', 'shard', lambda s, t: ['merge', s, '--out', 'results', '--tmp', t, '-q'], BOTH),
    Recipe('merge', '--save', 'recut', 'shard', lambda s, t: ['merge', s, '--out', 'results', '--save', t, '-q'], BOTH),
    Recipe('dedup', '--out', 'recut', 'run',
           lambda s, t: ['dedup', 'in/a.jsonl', '--add', s, '--out', t, '-q'], BOTH),
    Recipe('dedup', '--save', 'recut', 'run',
           lambda s, t: ['dedup', 'in/a.jsonl', '--add', s, '--out', 'results', '--save', t, '-q'],
           BOTH),
    Recipe('match', '--tmp', 'recut', 'run',
           lambda s, t: ['match', 'in/a.jsonl', '--against', s, '--out', 'results', '--tmp', t,
                         '-q'], BOTH),
    Recipe('match', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['match', s, '--against', 'in/b.jsonl', '--out', t, '-q'], BOTH),
    Recipe('match', '--write', 'folder', 'b.jsonl',
           lambda s, t: ['match', 'in/a.jsonl', '--against', s, '--out', 'results', '--write', t,
                         '-q'], BOTH),
    Recipe('match', '--attributes', 'folder', 'b.jsonl',
           lambda s, t: ['match', 'in/a.jsonl', '--against', s, '--out', 'results', '--attributes', t,
                         '-q'], BOTH),
    Recipe('match', '--tmp', 'work', 'docs',
           lambda s, t: ['match', s, '--against', 'in/b.jsonl', '--out', 'results', '--tmp', t,
                         '-q'], BOTH),
    Recipe('report', '--figures', 'folder', 'a.jsonl',
           lambda s, t: ['report', 'in/dups', s, '--figures', t, '-q']),
    Recipe('evaluate', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['evaluate', s, '--methods', 'minhash', '--out', t, '-q']),
    Recipe('evaluate', '--tmp', 'work', 'docs',
           lambda s, t: ['evaluate', s, '--methods', 'minhash', '--out', 'results', '--tmp', t,
                         '-q']),
    Recipe('tune', '--tmp', 'work', 'docs',
           lambda s, t: ['tune', s, '--tmp', t, '-q'], ()),
    Recipe('lexicon', '--out', 'file', 'a.jsonl',
           lambda s, t: ['lexicon', 'build', s, '--drop-common', '0', '--drop-rare', '0', '--out',
                         t, '-q']),
    Recipe('plan', '--calibrate', 'file', 'a.jsonl',
           lambda s, t: ['plan', '--calibrate', t, '--documents', '200', '--method', 'minhash', '-q'], ()),
    Recipe('engine', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['engine', 'build', s, '--out', t, '-q']),
    Recipe('engine', '--record', 'record', 'engine/index.sqlite',
           lambda s, t: ['engine', 'query', 'in/engine', 'harbour', '--record', t], ()),
    Recipe('sample', '--out', 'folder', 'words',
           lambda s, t: ['sample', 'in/engine', '--lexicon', s, '--size', '2', '--out', t, '-q',
                         '--report'], BOTH),
    Recipe('sample', '--out', 'folder', 'networks',
           lambda s, t: ['sample', '--sampler', 'random-ip', '--networks-file', s, '--port', '9',
                         '--probes', '1', '--timeout', '200', '--out', t, '-q'], BOTH),
    Recipe('walk', '--out', 'folder', 'edges',
           lambda s, t: ['walk', s, '--steps', '50', '--size', '5', '--in-links', '3', '--out', t,
                         '-q', '--report']),
    Recipe('walk', '--out', 'file', 'edges',
           lambda s, t: ['walk', s, '--rank', 'pagerank', '--out', t, '-q']),
    Recipe('walk', '--record', 'record', 'engine/index.sqlite',
           lambda s, t: ['walk', 'http://127.0.0.1:9/', '--back-links', 'in/engine', '--record', t,
                         '--out', 'results', '-q'], (), runs=False),
    Recipe('explain', '--html', 'file', 'a.jsonl',
           lambda s, t: ['explain', '--in', s, '0', '1', '--html', t], ()),
    Recipe('estimate', '--html', 'file', 'overlaps.csv',
           lambda s, t: ['estimate', 'relative', s, '--html', t], ()),
    Recipe('estimate', '--out', 'folder', 'overlaps.csv',
           lambda s, t: ['estimate', 'relative', s, '--out', t]),
    Recipe('rescue', '--record', 'record', 'a.jsonl',
           lambda s, t: ['rescue', '--all', '--from', s, '--in', 'in/engine', '--record', t, '-q'],
           ()),
    Recipe('traps', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['traps', s, '--least-urls', '2', '--out', t, '-q', '--report']),
    Recipe('traps', '--tmp', 'work', 'docs',
           lambda s, t: ['traps', s, '--least-urls', '2', '--tmp', t, '-q'], ()),
    Recipe('traps', '--record', 'record', 'a.jsonl',
           lambda s, t: ['traps', s, '--probe', '--record', t, '-q'], ()),
    Recipe('urls', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['urls', s, 'in/b.jsonl', '--out', t, '-q', '--report']),
    Recipe('urls', '--tmp', 'work', 'docs',
           lambda s, t: ['urls', s, 'in/b.jsonl', '--tmp', t, '-q'], ()),
    Recipe('mirrors', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['mirrors', 'in/dups', s, '--out', t, '-q', '--report']),
    Recipe('leak', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['leak', s, '--test', 'in/b.jsonl', '--out', t, '-q', '--report'], BOTH),
    Recipe('leak', '--write', 'folder', 'a.jsonl',
           lambda s, t: ['leak', s, '--test', 'in/b.jsonl', '--write', t, '-q'], BOTH),
    Recipe('leak', '--write', 'folder', 'a.jsonl',
           lambda s, t: ['leak', s, '--test', 'in/b.jsonl', '--out', 'results', '--write', t, '-q'], BOTH),
    Recipe('leak', '--tmp', 'work', 'docs',
           lambda s, t: ['leak', s, '--test', 'in/b.jsonl', '--out', 'results', '--tmp', t, '-q'], BOTH),
    Recipe('study', '--out', 'folder', 'study.toml',
           lambda s, t: ['study', s, '--out', t, '-q'], BOTH),
    Recipe('study', '--tmp', 'work', 'docs',
           lambda s, t: ['study', 'in/docs.toml', '--out', 'results', '--tmp', t, '-q'], BOTH),
    Recipe('change', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['change', s, 'in/b.jsonl', '--dates', '2024-01-01,2024-02-01', '--out', t, '-q', '--report']),
    Recipe('change', '--tmp', 'work', 'docs',
           lambda s, t: ['change', s, 'in/b.jsonl', '--dates', '2024-01-01,2024-02-01', '--tmp', t, '-q'], ()),
    Recipe('assess', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['assess', 'in/dups', '--in', s, '--out', t, '-q']),
    Recipe('predict', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['predict', 'in/dups', s, '--out', t, '-q', '--report']),
    Recipe('patch', '--out', 'file', 'a.jsonl',
           lambda s, t: ['patch', 'make', 'in/dups', s, '--out', t, '-q']),
    Recipe('patch', '--out', 'folder', 'a.jsonl',
           lambda s, t: ['patch', 'apply', 'in/p', s, '--out', t, '-q'], BOTH),
    Recipe('patch', '--write', 'folder', 'a.jsonl',
           lambda s, t: ['patch', 'apply', 'in/p', s, '--out', 'results', '--write', t, '-q'], BOTH),
    Recipe('patch', '--tmp', 'work', 'docs',
           lambda s, t: ['patch', 'apply', 'in/p', s, '--out', 'results', '--tmp', t, '--allow-mismatch', '-q'], BOTH),
    Recipe('seeds', '--out', 'folder', 'edges',
           lambda s, t: ['seeds', 'pick', s, '--nodes', 'in/named', '--add', 'in/addresses', '--out', t, '-q', '--report']),
    Recipe('seeds', '--out', 'folder', 'edges',
           lambda s, t: ['seeds', 'overlap', 'in/nodes', 'in/nodes', s, '--out', t, '-q', '--report']),
    Recipe('runs', '--tmp', 'work', 'docs',
           lambda s, t: ['runs', 'collapse', 'in/ids.run', '--texts', s, '--out', 'results', '--overwrite',
                         '--tmp', t, '-q'], ()),
    Recipe('auction', '--out', 'file', 'bids.csv',
           lambda s, t: ['auction', 'page', s, '--engine', 'in/engine', '--query', 'harbour',
                         '--out', t, '-q']),
    Recipe('qrels', '--out', 'file', 'judged.qrels',
           lambda s, t: ['qrels', 'merge', s, '--out', t, '-q']),
    Recipe('qrels', '--log', 'file', 'judged.qrels',
           lambda s, t: ['qrels', 'transfer', s, '--duplicates', 'in/same.tsv', '--log', t, '-q']),
    Recipe('runs', '--out', 'file', 'a.run',
           lambda s, t: ['runs', 'collapse', s, '--duplicates', 'in/same.tsv', '--out', t, '-q']),
    Recipe('runs', '--log', 'file', 'a.run',
           lambda s, t: ['runs', 'collapse', s, '--duplicates', 'in/same.tsv', '--out', 'results',
                         '--log', t, '-q']),
    Recipe('runs', '--out', 'folder', 'a.run',
           lambda s, t: ['runs', 'compare', s, '--qrels', 'in/judged.qrels', '--duplicates',
                         'in/same.tsv', '--out', t, '-q']),
    Recipe('runs', '--out', 'folder', 'a.run',
           lambda s, t: ['runs', 'transfer', s, 'in/b.run', '--pairs', 'in/same.tsv', '--out', t,
                         '-q']),
]

TEXT = ('the village lies by the sea and has a harbour with nine boats and a lighthouse that is '
        'painted %s so that ships find the narrow way between the rocks at night')


def make_material(program, folder):
    """What the recipes read, in a new folder."""
    folder.mkdir()
    (folder / 'docs').mkdir()
    for name in ('a.jsonl', 'b.jsonl', 'docs/c.jsonl'):
        rows = [{'id': str(i), 'url': 'http://%s.example/%d' % (name[-7], i),
                 'text': TEXT % colour} for i, colour in enumerate(('red', 'red', 'white'))]
        (folder / name).write_text(''.join(json.dumps(row) + '\n' for row in rows))
    (folder / 'a.qrels').write_text('1 0 0 1\n1 0 2 0\n')
    for name, inputs in (('study', 'a.jsonl'), ('docs', 'docs')):
        (folder / (name + '.toml')).write_text(
            'content = ["all"]\n[a]\ninputs = "%s"\nqrels = "a.qrels"\n[b]\ninputs = "a.jsonl"\n'
            '[candidates]\nmixes = ["word:2"]\ncomplete = false\n' % inputs)
    (folder / 'docs/page.txt').write_text(TEXT % 'green')
    (folder / 'edges').write_text('0 1\n1 0\n2 1\n3 1\n1 2\n')
    (folder / 'nodes').write_text('0\n3\n')
    (folder / 'named').write_text(''.join('%d http://n.example/%d\n' % (n, n) for n in range(4)))
    (folder / 'addresses').write_text('http://a.example/\n')
    (folder / 'ids.run').write_text('1 Q0 0 1 2 t\n1 Q0 1 2 1 t\n')
    (folder / 'networks').write_text('127.0.0.8/32\n')
    (folder / 'overlaps.csv').write_text('x,y,fraction_of_x_in_y\nA,B,0.5\nB,A,0.25\n')
    (folder / 'bids.csv').write_text('advertiser,bid,ctr,keywords,title,landing\n'
                                     'Leaf,1.20,0.05,harbour,Boats,https://leaf.example/\n')
    (folder / 'judged.qrels').write_text('1 0 a 1\n1 0 b 0\n')
    (folder / 'same.tsv').write_text('a\tb\t0.9\n')
    for name in ('a', 'b'):
        (folder / (name + '.run')).write_text('1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n')
    (folder / 'run.key').write_text('0f' * 16)
    (folder / 'run.key').chmod(0o600)
    for argv in (['lexicon', 'build', folder / 'a.jsonl', '--drop-common', '0', '--drop-rare', '0',
                  '--out', folder / 'words', '-q'],
                 ['dedup', folder / 'a.jsonl', '--out', folder / 'dups', '--save', folder / 'run', '-q',
                  '--report'],
                 ['dedup', folder / 'a.jsonl', '--shard', '0/1', '--key', folder / 'run.key', '--save', folder / 'shard',
                  '-q'],
                 ['patch', 'make', folder / 'dups', '--out', folder / 'p', '-q'],
                 ['engine', 'build', folder / 'a.jsonl', '--out', folder / 'engine', '-q']):
        subprocess.run([program, *map(str, argv)], check=True, capture_output=True, timeout=60)
