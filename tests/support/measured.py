"""Runs the program and measures it: what the end-to-end runners of tests/*/run.py share.

The peak of a run is the ru_maxrss that wait4 reports. Linux lets it begin with the resident set of
the process that forked, so a runner that measures must stay small itself: it makes large inputs in a
stream or in a process of its own.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback

MEGABYTE = 1 << 20
BUDGET = 64 * MEGABYTE
# Peak resident set <= budget + 64 MB on text input.
PROMISED_PEAK = BUDGET + 64 * MEGABYTE
PASSED, FAILED, SKIPPED = 0, 1, 2
AT_BUDGET = ('--memory', '64M', '--threads', '2')


class Skipped(Exception):
    """Raised by a case that cannot run here; its text is the reason."""


def require(condition, *explanation):
    if not condition:
        raise AssertionError(' '.join(str(part) for part in explanation) or 'not as promised')


class Run:
    """A finished run of the program: code, stdout, stderr, seconds and peak (bytes)."""

    def __init__(self, command, cwd, feed=None, timeout=600, **popen):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            started = time.monotonic()
            process = subprocess.Popen([str(part) for part in command], cwd=cwd, stdout=out,
                                       stderr=err, stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                                       **popen)
            feeder = threading.Thread(target=self._feed, args=(process, feed)) if feed else None
            if feeder:
                feeder.start()
            watchdog = threading.Timer(timeout, process.kill)
            watchdog.start()
            _, status, usage = os.wait4(process.pid, 0)
            watchdog.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            if feeder:
                feeder.join()
            self.code = process.returncode
            self.seconds = time.monotonic() - started
            self.peak = usage.ru_maxrss * 1024
            self.stdout, self.stderr = self._text(out), self._text(err)

    @staticmethod
    def _feed(process, feed):
        try:
            for piece in feed:
                process.stdin.write(piece)
            process.stdin.close()
        except BrokenPipeError:
            pass  # the program may stop reading; its exit code tells why

    @staticmethod
    def _text(file):
        file.seek(0)
        return file.read().decode('utf-8', 'replace')

    def ended(self, code, *words):
        """The exit code, and that the message has every word."""
        require(self.code == code, 'exit %d instead of %d: %s' % (self.code, code, self.stderr[-2000:]))
        for word in words:
            require(word in self.stderr, 'no %r in the message: %s' % (word, self.stderr[-2000:]))
        return self

    def within_memory(self):
        require(self.peak <= PROMISED_PEAK, 'peak %.1f MB, promised %.1f MB'
                % (self.peak / MEGABYTE, PROMISED_PEAK / MEGABYTE))
        return self


class Place:
    """The folder of one case, removed after it, and the program run in it."""

    def __init__(self, program, folder):
        self.program, self.folder, self.runs = program, pathlib.Path(folder), []

    def path(self, name):
        return self.folder / name

    def write(self, name, content):
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, 'wb') as file:
            for piece in [content] if isinstance(content, bytes) else content:
                file.write(piece)
        return path

    def run(self, *arguments, **options):
        self.runs.append(Run([self.program, *arguments], self.folder, **options))
        return self.runs[-1]

    def dedup(self, *arguments, out='out', **options):
        return self.run('dedup', *arguments, '--out', out, '--quiet', **options)

    def lines(self, name, out='out'):
        return (self.folder / out / name).read_text(encoding='utf-8').splitlines()

    def rows(self, name, out='out'):
        return [json.loads(line) for line in self.lines(name, out)]

    def summary(self, out='out'):
        return json.loads((self.folder / out / 'summary.json').read_text(encoding='utf-8'))

    def promised(self, out='out'):
        """Everything of a result folder that must be the same bytes, as name: hash."""
        hashes = {}
        for path in sorted((self.folder / out).rglob('*')):
            if not path.is_file():
                continue
            digest = hashlib.sha256()
            if path.name == 'summary.json':
                summary = json.loads(path.read_text(encoding='utf-8'))
                require('run' in summary, 'summary.json has no run object')
                del summary['run']
                digest.update(json.dumps(summary).encode())
            elif path.name == 'report.html':
                page = path.read_text(encoding='utf-8')
                digest.update(re.sub(r'^<!-- run -->$.*?^<!-- /run -->$', '', page, flags=re.M | re.S).encode())
            else:
                with open(path, 'rb') as file:
                    while piece := file.read(MEGABYTE):
                        digest.update(piece)
            hashes[path.relative_to(self.folder / out).as_posix()] = digest.hexdigest()
        require('summary.json' in hashes, 'no finished run in', out)
        return hashes

    def same_bytes(self, one, other):
        a, b = self.promised(one), self.promised(other)
        different = sorted(name for name in {*a, *b} if a.get(name) != b.get(name))
        require(not different, '%s and %s differ in %s' % (one, other, ', '.join(different)))

    def counts_add_up(self, out='out'):
        records, documents = (self.summary(out)[key] for key in ('records', 'documents'))
        skipped = sum(records['skipped'].values())
        require(sum(records['revisit'].values()) == records['skipped'].get('revisit', 0),
                'revisits do not add up:', records)
        require(records['read'] == records['documents'] + skipped + records['quarantined'],
                'records do not add up:', records)
        require(records['documents'] == documents['read'] == documents['kept'] + documents['dropped'],
                'documents do not add up:', documents)
        require(len(self.lines('keep.txt', out)) == documents['kept']
                and len(self.lines('drop.txt', out)) == documents['dropped'],
                'keep.txt and drop.txt have other counts than summary.json')
        return records


class Suite:
    """Runs cases, each in a folder of its own, and counts them."""

    def __init__(self, program):
        self.program = program
        self.passed = self.failed = self.skipped = 0

    def run(self, name, case):
        """The case runs in a process of its own, so that what it holds is in no other case's peak."""
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            try:
                verdict = self._run_here(name, case)
                sys.stdout.flush()
            except BaseException:
                verdict = FAILED
            os._exit(verdict)
        verdict = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self.passed += verdict == PASSED
        self.skipped += verdict == SKIPPED
        self.failed += verdict not in (PASSED, SKIPPED)

    def _run_here(self, name, case):
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix='twinset-test-') as folder:
            os.chmod(folder, 0o755)
            place = Place(self.program, folder)
            try:
                case(place)
            except Skipped as reason:
                print('SKIPPED %s: %s' % (name, reason))
                return SKIPPED
            except Exception as error:  # a case that breaks must not end the others
                print('FAILED  %s: %s' % (name, error))
                if not isinstance(error, AssertionError):
                    traceback.print_exc(file=sys.stdout)
                return FAILED
            peak = max((run.peak for run in place.runs), default=0)
            print('ok      %-40s %6.1f s  peak %4d MB' % (name, time.monotonic() - started,
                                                          peak // MEGABYTE))
            return PASSED

    def skip(self, name, reason):
        self.skipped += 1
        print('SKIPPED %s: %s' % (name, reason), flush=True)

    def finish(self):
        print('%d passed, %d failed' % (self.passed, self.failed)
              + (', %d skipped' % self.skipped if self.skipped else ''))
        return 1 if self.failed else 0


def suite_from_arguments(usage):
    """(suite, whether the long form is asked for) of `run.py BUILD_DIR [--long]`."""
    arguments = sys.argv[1:]
    long = '--long' in arguments or os.environ.get('TWINSET_LONG', '') not in ('', '0')
    rest = [argument for argument in arguments if argument != '--long']
    if len(rest) != 1 or rest[0].startswith('-'):
        sys.exit(usage)
    program = (pathlib.Path(rest[0]) / 'twinset').resolve()
    if not shutil.which(str(program)):
        sys.exit('no program %s: build first' % program)
    return Suite(program), long
