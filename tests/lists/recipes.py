"""Every flag and every operand that takes a file, and how each list of lines is read.

A recipe is a shell command over the file LIST; what it prints is the same for a list as it is and for one
with byte order marks and CRLF. Flags that take no list say why.
"""
import json
import subprocess

DOCUMENTS = 'a document or a collection of documents, in any coding'
OWN = 'a file that twinset has written and whose bytes it checks'
OUTPUT = 'a file that is written'
SECRET = 'read by the same door, and refused where others may read it (apps/server/server_test.cc)'


class Recipe:
    """`lines`: the list. `run`: the command. `pipe`: whether a pipe may be given. `name`: of the file."""

    def __init__(self, lines, run, name='LIST', pipe=True):
        self.lines, self.run, self.name, self.pipe = lines, run, name, pipe


PAGES = ['http://n.example/2', 'http://n.example/3']
BIDS = ['advertiser,bid,ctr', 'leaf,1.20,0.05', 'root,0.80,0.06']
SAME = ['a\tb\t0.9', 'a\tc\t0.8']
QRELS = ['1 0 a 1', '1 0 d 0']
PICK = 'twinset seeds pick in/edges --nodes in/named --size 2 -q --out o %s && cat o/seeds.txt'
RANK = 'twinset walk %s --rank pagerank --out o -q --json && cat o'
QUERY = 'twinset auction in/bids.csv --json '
JUDGED = ['{"a":"0","b":"1","label":1}', '{"a":"0","b":"2","label":0}']

# By flag, or by "COMMAND FLAG" where commands read it with different code.
FLAGS = {
    '--config': Recipe(['json = true', '[hamming]', 'distance = 5'], 'twinset hamming in/prints --config LIST'),
    '--files-from': Recipe(['in/a.jsonl', 'in/ b.jsonl'], 'twinset text --files-from LIST --json'),
    'patch --key': Recipe(None, 'twinset patch make in/dups --key LIST --out o -q && echo signed', name='private.pem'),
    '--trusted-key': Recipe(None, 'twinset patch apply in/signed in/a.jsonl --trusted-key LIST --out o -q && echo trusted',
                            name='public.pem'),
    '--key': Recipe(['00112233445566778899aabbccddeeff'], 'twinset dedup in/a.jsonl --key LIST --out o -q && echo done'),
    '--stop-words': Recipe(['village', 'harbour'], 'twinset text in/a.jsonl --show-tokens --json --stop-words LIST',
                           pipe=False),
    '--fields': Recipe(['{"id":"0","rank":1}', '{"id":"1","rank":2}'],
                       'twinset dedup in/a.jsonl --fields LIST --keep max:rank --out o -q && cat o/drop.txt', pipe=False),
    '--nodes': Recipe(['%d http://n.example/%d' % (n, n) for n in range(4)], PICK.replace('in/named', 'LIST') % ''),
    'walk --trusted': Recipe(PAGES, RANK.replace('pagerank', 'trustrank') % 'in/edges --nodes in/named --trusted LIST'),
    'seeds --trusted': Recipe(PAGES, PICK % '--rank trustrank --trusted LIST'),
    '--answers': Recipe(['1 Q0 http://n.example/3 1 2 t', '1 Q0 http://n.example/2 2 1 t'], PICK % '--answers LIST'),
    'seeds --add': Recipe(PAGES, PICK % '--add LIST'),
    '--blacklist': Recipe(['n.example/2', 'n.example/3'], PICK % '--blacklist LIST'),
    '--spam': Recipe(['10 n.example/2', 'n.example/3'], PICK % '--spam LIST'),
    '--dead': Recipe(['http://l.example/0', 'http://l.example/1'], 'twinset mirrors in/dups --dead LIST --json -q'),
    '--visits': Recipe(['url,count', 'http://l.example/0,3', 'http://l.example/1,4'],
                       'twinset change in/a.jsonl in/b2.jsonl --dates 2024-01-01,2024-02-01 --visits LIST --json -q'),
    '--suffixes': Recipe(['// of a test', 'example', 'com'], 'twinset urls in/list.txt in/list.txt --suffixes LIST --out o -q '
                         '&& cat o/domains.csv'),
    'urls --qrels': Recipe(QRELS, 'twinset urls in/list.txt in/list.txt --qrels LIST --json -q | grep judged'),
    'runs --qrels': Recipe(QRELS, 'twinset runs eval in/a.run --qrels LIST --json -q'),
    '--against-qrels': Recipe(QRELS, 'twinset runs compare in/a.run --qrels in/judged.qrels --against-qrels LIST --json -q'),
    '--judged': Recipe(['1 0 b 1', '1 0 c 0'], 'twinset qrels transfer in/judged.qrels --pairs in/same.tsv --judged LIST '
                       '--out o -q && cat o'),
    'plan --calibrate': OUTPUT, 'plan --calibration': 'JSON of plan --calibrate, read by the door of JSON',
    '--ids': Recipe(['a', 'd'], 'twinset qrels check in/judged.qrels --ids LIST --json -q'),
    'qrels --pairs': Recipe(SAME, 'twinset qrels transfer in/judged.qrels --pairs LIST --out o -q && cat o'),
    'runs --pairs': Recipe(SAME, 'twinset runs transfer in/a.run --pairs LIST --out o -q && cat o'),
    'qrels --duplicates': Recipe(SAME, 'twinset qrels transfer in/judged.qrels --duplicates LIST --out o -q && cat o'),
    'runs --duplicates': Recipe(SAME, 'twinset runs collapse in/a.run --duplicates LIST --out o -q && cat o'),
    '--labels': Recipe(['{"a":"a","b":"b","label":1}', '{"a":"a","b":"c","label":1}'],
                       'twinset qrels transfer in/judged.qrels --pairs in/same.tsv --labels LIST --under label '
                       '--out o -q && cat o'),
    '--topics': Recipe(['1:harbour', '2:lighthouse'], 'twinset runs make in/engine --topics LIST --out o -q && cat o/*.run'),
    '--truth': Recipe(JUDGED, 'twinset evaluate in/a.jsonl --methods minhash --truth LIST --json -q --out o | grep judged',
                      pipe=False),
    '--factors': Recipe(['advertiser,factor,value,times', 'leaf,place,1,0.5', 'root,place,2,0.5'], QUERY + '--factors LIST'),
    '--trademarks': Recipe(['term,owner', 'leaf,leaf', 'root,root'], QUERY + '--trademarks LIST'),
    '--landings': Recipe(['landing,visits,ad_revenue', 'http://l.example/,1,1', 'http://m.example/,2,2'], QUERY + '--landings LIST'),
    '--queries': Recipe(['harbour', 'village'], 'twinset sample in/engine --queries LIST --size 2 --out o -q && '
                        'cat o/sample.jsonl', pipe=False),
    '--second-pool': Recipe(['harbour', 'village'], 'twinset sample in/engine --sampler pool-queries --queries in/queries '
                            '--second-pool LIST --size 2 --out o -q && cat o/sample.jsonl', pipe=False),
    '--networks-file': Recipe(['127.0.0.8/32', '127.0.0.9/32'], 'twinset sample --sampler random-ip --networks-file LIST '
                              '--port 9 --probes 2 --timeout 200 --out o -q && cat o/sample.jsonl'),
    '--exclude-file': Recipe(['127.0.0.8/32', '127.0.0.9/32'], 'twinset sample --sampler random-ip --networks 127.0.0.8/30 '
                             '--exclude-file LIST --port 9 --probes 2 --timeout 200 --out o -q && cat o/sample.jsonl'),
    '--hosts': Recipe(['127.0.0.8 a.example', '127.0.0.9 b.example'], 'twinset sample --sampler random-ip --networks '
                      '127.0.0.8/31 --hosts LIST --port 9 --probes 2 --timeout 200 --out o -q && cat o/sample.jsonl'),
    '--rules': Recipe(['{"magic":"twinset-url-rules","version":1}',
                       '{"rule":"parameter","host":"l.example","from":"sid","to":"","support":30,"errors":0,"error_rate":0.0,'
                       '"probability":0.983871,"low":0.886487}'], 'twinset predict in/dups in/list.txt --rules LIST '
                      '--out o -q && cat o/predictions.jsonl'),
    '--page': DOCUMENTS, '--ignore': DOCUMENTS, '--prefer': DOCUMENTS, '--against': DOCUMENTS, '--in': DOCUMENTS,
    '--from': DOCUMENTS, '--test': DOCUMENTS, '--texts': DOCUMENTS,
    'hamming --against': Recipe(['00000000000000ff', '00000000000000fe'], 'twinset hamming in/prints --against LIST -k 3'),
    'runs --against': Recipe(['1 Q0 b 1 2 t', '1 Q0 a 2 1 t'], 'twinset runs compare in/a.run --qrels in/judged.qrels '
                             '--against LIST --json -q', name='a.run', pipe=False),  # runs are told by their names
    '--lexicon': OWN, '--short-lexicon': OWN, '--replay': OWN, '--record': OWN, 'auction --engine': OWN,
    '--html': OUTPUT, '--attributes': OUTPUT, '--log': OUTPUT, '--report': OUTPUT, '--access-log': OUTPUT,
    '--read-token-file': SECRET, '--write-token-file': SECRET,
}

# By command, each operand that is a list; or what the operands are.
OPERANDS = {
    'hamming': [Recipe(['00000000000000ff', '00000000000000fe', '0123456789abcdef'], 'twinset hamming LIST -k 3')],
    'walk': [Recipe(['1 2', '2 3', '3 1', '1 3'], RANK % 'LIST', pipe=False)],
    'seeds': [Recipe(['1 2', '2 3', '3 1', '1 3'], PICK.replace('in/edges', 'LIST') % '', pipe=False),
              Recipe(['1', '2'], 'twinset seeds overlap LIST in/ids in/edges --json -q')],
    'qrels': [Recipe(QRELS, 'twinset qrels merge LIST --out o -q && cat o'),
              Recipe(QRELS, 'twinset qrels stats LIST --json -q'), Recipe(QRELS, 'twinset qrels check LIST --json -q'),
              Recipe(QRELS, 'twinset qrels transfer LIST --pairs in/same.tsv --out o -q && cat o')],
    'runs': [Recipe(['1 Q0 a 1 2 t', '1 Q0 d 2 1 t'], 'twinset runs eval LIST --qrels in/judged.qrels --json -q', pipe=False),
             Recipe(['1 qid:7 1:0.5 2:1 # docid = a', '0 qid:7 1:0.25 2:2 # docid = b'],
                    'twinset runs make LIST --out o -q && cat o/*.run')],
    'urls': [Recipe(['a http://l.example/0', 'http://l.example/1'], 'twinset urls LIST in/list.txt --json -q | grep common'),
             Recipe(['l,example)/ 20200101000000 http://l.example/0 - 200 - 1',
                     'l,example)/ 20200101000000 http://l.example/1 - 200 - 1'],
                    'twinset urls LIST in/list.txt --json -q | grep common')],
    'predict': [Recipe(['http://l.example/0', 'http://l.example/9'], 'twinset predict in/dups LIST --out o -q && '
                       'cat o/predictions.jsonl')],
    'estimate': [Recipe(['x,y,fraction_of_x_in_y', 'A,B,0.5', 'B,A,0.25'], 'twinset estimate relative LIST --json',
                        pipe=False),
                 Recipe(['{"x":"A","y":"B","fraction_of_x_in_y":0.5}', '{"x":"B","y":"A","fraction_of_x_in_y":0.25}'],
                        'twinset estimate relative LIST --json', pipe=False)],
    'auction': [Recipe(BIDS, 'twinset auction LIST --json'), Recipe(BIDS, 'twinset auction run LIST --json'),
                Recipe(['AnonID\tQuery', '1\tharbour', '2\tboats'], 'twinset auction log LIST --json'),
                Recipe(['harbour', 'boats'], 'twinset auction log LIST --json')],
    'study': [Recipe(['content = ["all"]', '[a]', 'inputs = "in/a.jsonl"', 'qrels = "in/a.qrels"', '[b]',
                      'inputs = "in/a.jsonl"', '[candidates]', 'mixes = ["word:2"]', 'complete = false'],
                     'twinset study LIST --out o -q && echo studied', pipe=False)],
    'assess': [Recipe(None, 'twinset assess score in/judge LIST --json -q', name='labels.json')],
    'dedup': DOCUMENTS, 'match': DOCUMENTS, 'merge': OWN, 'recut': OWN, 'report': OWN, 'explain': DOCUMENTS, 'text': DOCUMENTS,
    'evaluate': DOCUMENTS, 'tune': DOCUMENTS, 'plan': DOCUMENTS, 'engine': DOCUMENTS, 'sample': OWN, 'rescue': 'addresses',
    'traps': DOCUMENTS, 'mirrors': OWN, 'leak': DOCUMENTS, 'change': DOCUMENTS, 'patch': OWN, 'sketch': DOCUMENTS,
    'lexicon': DOCUMENTS, 'index': DOCUMENTS, 'serve': OWN, 'view': OWN, 'methods': 'a name', 'presets': 'a name', 'help': 'a name', 'version': 'nothing',
    'man': 'a name', 'completions': 'a name',
}

TEXT = 'the village lies by the sea and has a harbour with nine boats and a lighthouse that is painted %s so that ships find it'
LABEL = """
import json, sys
sample = json.load(open(sys.argv[1] + '/judge/sample.json'))
rows = [{'pair': p['pair'], 'a': p['a'], 'b': p['b'], 'content': 'yes'} for p in sample['pairs']]
label = {'magic': 'twinset-labels', 'version': 1, 'sample': sample['digest'], 'assessor': 'Ann', 'labels': rows}
json.dump(label, open(sys.argv[1] + '/labels.json', 'w'), indent=1)
"""


def make_material(program, folder):
    """What the recipes read beside their list, in a new folder."""
    folder.mkdir()
    for name in ('a.jsonl', ' b.jsonl', 'b2.jsonl'):
        rows = [{'id': str(i), 'url': 'http://l.example/%d' % i, 'text': TEXT % colour}
                for i, colour in enumerate(('red', 'red', 'white'))]
        (folder / name).write_text(''.join(json.dumps(row) + '\n' for row in rows))
    texts = {'edges': '0 1\n1 0\n2 1\n3 1\n1 2\n', 'ids': '1\n3\n', 'bids.csv': '\n'.join(BIDS) + '\n',
             'named': ''.join('%d http://n.example/%d\n' % (n, n) for n in range(4)),
             'list.txt': 'a http://l.example/0\nb http://l.example/1\n', 'a.qrels': '1 0 0 1\n1 0 2 0\n',
             'judged.qrels': '\n'.join(QRELS) + '\n', 'same.tsv': '\n'.join(SAME) + '\n', 'queries': 'harbour\nvillage\n',
             'a.run': '1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n', 'prints': '00000000000000ff\n00000000000000fe\n'}
    for name, text in texts.items():
        (folder / name).write_text(text)
    commands = [['openssl', 'genpkey', '-algorithm', 'ed25519', '-out', folder / 'private.pem'],
                ['openssl', 'pkey', '-in', folder / 'private.pem', '-pubout', '-out', folder / 'public.pem'],
                [program, 'dedup', folder / 'a.jsonl', '--out', folder / 'dups', '-q'],
                [program, 'patch', 'make', folder / 'dups', '--key', folder / 'private.pem', '--out', folder / 'signed', '-q'],
                [program, 'assess', folder / 'dups', '--out', folder / 'judge', '-q'],
                ['python3', '-c', LABEL, folder],
                [program, 'engine', 'build', folder / 'a.jsonl', '--out', folder / 'engine', '-q']]
    for argv in commands:
        subprocess.run(list(map(str, argv)), check=True, capture_output=True, timeout=60)
