"""Where the real corpora lie, and what the cases on them share."""
import gzip
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA') or ROOT.parent / 'shared/data').resolve()
BOOST = 'multiversion/boost_1.74_1.81.tar.xz'
SAME_URL = 'multiversion/same_url_pairs.tsv.gz'
GUIDES = 'multiversion/installation_guide_amd64_i386_arm64_6lang.tar.xz'
HANDBOOK = 'i18n/debian_handbook_de_ja_zhCN.tar.xz'
POSTGRESQL = 'sites/postgresql_doc_15.tar.xz'
ARTICLES = 'pairs/minhash_articles/articles_1000'
ARCHIVES = 'warc'
LABELLED = ['pairs/s3_labelled_terabyte.jsonl.gz', 'pairs/canonical_link_labelled_cw09.jsonl.gz',
            'pairs/canonical_link_labelled_cc1511_A.jsonl.gz']


def say(*parts):
    print('        ' + ' '.join(str(part) for part in parts))


def percent(part, whole):
    return 100 * part / whole


def same_url_pairs(start):
    with gzip.open(DATA / SAME_URL, 'rt', encoding='utf-8') as rows:
        for line in list(rows)[1:]:
            package_a, package_b, path_a, path_b = line.split('\t')[:4]
            if package_a.startswith(start):
                yield package_a + '/' + path_a, package_b + '/' + path_b
