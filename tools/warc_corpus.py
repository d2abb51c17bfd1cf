"""Debian packages of documentation as small web crawls: fetch, select, write WARC.

Used by tools/make_sample and tools/get_corpus. Standard library only. Everything written here
depends on the packages' bytes alone: same packages, same output, byte for byte.
"""
import base64
import gzip
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import uuid
import zlib


class Failure(Exception):
    """A message for the user; the tools print it and exit 1."""


class Page:
    """One page: where it stood on the web, when it was taken, and its bytes."""

    def __init__(self, url, date, mime, body):
        self.url, self.date, self.mime, self.body = url, date, mime, body


def unpack(packages, work):
    """Fetches Debian packages with apt-get and unpacks each into work/NAME.

    Returns {package: (root, version)}. Nothing is installed.
    """
    debs = pathlib.Path(work, 'debs')
    debs.mkdir(parents=True, exist_ok=True)
    # As root apt would hand the download to its own user, who may not write to our folder.
    quiet = ['-qq', '-o', 'APT::Sandbox::User=root'] if os.getuid() == 0 else ['-qq']
    result = subprocess.run(['apt-get', *quiet, 'download', *packages], cwd=debs,
                            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        raise Failure('apt-get download %s failed: %s(run apt-get update; these are Debian 12 '
                      'packages)' % (' '.join(packages), result.stderr))
    found = {}
    for deb in sorted(debs.glob('*.deb')):
        name, version = subprocess.run(
            ['dpkg-deb', '-W', '--showformat', '${Package} ${Version}', str(deb)], check=True,
            capture_output=True, text=True).stdout.split()
        root = pathlib.Path(work, name)
        subprocess.run(['dpkg-deb', '-x', str(deb), str(root)], check=True)
        found[name] = (root, version)
    missing = [p for p in packages if p not in found]
    if missing:
        raise Failure('not delivered by apt-get: %s' % ' '.join(missing))
    return found


def files_below(folder, suffixes):
    """(relative path, bytes) of the files with one of the suffixes, in order of path bytes.

    A suffix followed by .gz matches too: the content is unpacked and the path loses the .gz.
    """
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise Failure('the package has no folder %s' % folder.name)
    rows = []
    for path in folder.rglob('*'):
        if path.is_symlink() or not path.is_file():
            continue
        name = path.relative_to(folder).as_posix()
        packed = name.endswith('.gz')
        plain = name[:-3] if packed else name
        if plain.endswith(tuple(suffixes)):
            body = path.read_bytes()
            rows.append((plain, gzip.decompress(body) if packed else body))
    return sorted(rows, key=lambda row: row[0].encode())


def _member(record):
    """One gzip member with no time and no name in it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(record) + packer.flush()


def _digest(data):
    return 'sha1:' + base64.b32encode(hashlib.sha1(data).digest()).decode()


def _record(headers, block):
    lines = ['WARC/1.0'] + ['%s: %s' % pair for pair in headers]
    lines.append('Content-Length: %d' % len(block))
    return '\r\n'.join(lines).encode() + b'\r\n\r\n' + block + b'\r\n\r\n'


def _record_id(*parts):
    return '<urn:uuid:%s>' % uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(parts))


def write_warc(path, pages, description, name=None):
    """Writes pages as WARC/1.0: a warcinfo record, then one response record per page, each a gzip
    member of its own. `name` is the file name stated inside (default: the path's). Returns the
    number of pages."""
    path = pathlib.Path(path)
    name = name or path.name
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + '.part')
    info_id = _record_id('warcinfo', name)
    count = 0
    with open(part, 'wb') as out:
        for page in pages:
            if count == 0:
                info = ''.join('%s: %s\r\n' % (k, v) for k, v in
                               (('software', 'twinset tools/warc_corpus.py'),
                                ('format', 'WARC File Format 1.0'),
                                ('description', description))).encode()
                out.write(_member(_record([
                    ('WARC-Type', 'warcinfo'), ('WARC-Date', page.date),
                    ('WARC-Record-ID', info_id), ('WARC-Filename', name),
                    ('Content-Type', 'application/warc-fields')], info)))
            head = ('HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n'
                    % (page.mime, len(page.body))).encode()
            block = head + page.body
            out.write(_member(_record([
                ('WARC-Type', 'response'), ('WARC-Target-URI', page.url),
                ('WARC-Date', page.date),
                ('WARC-Record-ID', _record_id('response', page.url, page.date)),
                ('WARC-Warcinfo-ID', info_id),
                ('WARC-Payload-Digest', _digest(page.body)),
                ('WARC-Block-Digest', _digest(block)),
                ('Content-Type', 'application/http; msgtype=response')], block)))
            count += 1
    if count == 0:
        part.unlink()
        raise Failure('no page was selected')
    part.replace(path)
    return count


def write_folder(path, pages):
    """Writes pages as files below a folder, named after their URL. Returns their number."""
    count = 0
    for page in pages:
        target = pathlib.Path(path, page.url.split('://', 1)[1])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(page.body)
        count += 1
    if count == 0:
        raise Failure('no page was selected')
    return count


def html_mime(body):
    """The Content-Type a server would send: the charset only where it is certain."""
    try:
        body.decode('utf-8')
    except UnicodeDecodeError:
        return 'text/html'
    return 'text/html; charset=utf-8'


# The two releases of Boost in Debian 12: package, place in URLs, day of the release.
BOOST = (('libboost1.74-doc', '1_74_0', '2020-08-11T00:00:00Z'),
         ('libboost1.81-doc', '1_81_0', '2022-12-14T00:00:00Z'))


def boost_pages(packages, wanted=lambda path, body: True):
    """The HTML of both releases, older first, under the URLs it has on the web."""
    for package, release, date in BOOST:
        folder = packages[package][0] / ('usr/share/doc/%s/doc/html' % package)
        for path, body in files_below(folder, ('.html', '.htm')):
            if wanted(path, body):
                yield Page('http://www.boost.org/doc/libs/%s/doc/html/%s' % (release, path), date,
                           html_mime(body), body)


def run(main):
    """Calls main() with a temporary folder; prints a Failure as one line and exits 1."""
    work = tempfile.mkdtemp(prefix='twinset-corpus-')
    try:
        main(work)
    except Failure as failure:
        sys.exit('%s: %s' % (os.path.basename(sys.argv[0]), failure))
    finally:
        shutil.rmtree(work, ignore_errors=True)
