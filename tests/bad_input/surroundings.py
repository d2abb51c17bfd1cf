"""Cases of bad surroundings: files that may not be read or written, that vanish, a disk that is full."""
import os
import pathlib
import subprocess
import sys
import threading
import time

from measured import AT_BUDGET, PROMISED_PEAK, Run, Skipped, require
from records import BACK, FRONT, TEXT, good_came_out, row

NOBODY = 65534
MAKE_SYNTHETIC = pathlib.Path(__file__).resolve().parent.parent.parent / 'tools' / 'make_synthetic'


def as_nobody(place):
    """Options that run the program without the rights of root, who may everything."""
    if os.geteuid() != 0:
        return {}
    drop = {'user': NOBODY, 'group': NOBODY, 'extra_groups': []}
    try:
        if Run([place.program, 'version'], place.folder, **drop).code != 0:
            raise PermissionError
    except PermissionError:
        raise Skipped('root may read everything, and nobody may not run the program') from None
    os.chown(place.folder, NOBODY, NOBODY)
    return drop


def no_permission(place):
    options = as_nobody(place)
    place.write('good.jsonl', FRONT + BACK)
    os.chmod(place.write('locked.jsonl', FRONT), 0)
    place.dedup('good.jsonl', 'locked.jsonl', **options).ended(1, 'locked.jsonl', 'ermission')
    require(not place.path('out').exists(), 'something was written')
    place.path('locked').mkdir(mode=0)
    place.write('folder/good.jsonl', FRONT)
    os.chmod(place.path('locked'), 0)
    place.dedup('good.jsonl', 'locked', **options).ended(1, 'locked', 'ermission')


def unwritable_output(place):
    options = as_nobody(place)
    place.write('good.jsonl', FRONT + BACK)
    place.path('locked').mkdir()
    os.chmod(place.path('locked'), 0o555)
    if os.geteuid() == 0:
        os.chown(place.path('locked'), 0, 0)
    place.dedup('good.jsonl', out='locked/out', **options).ended(1, 'locked/out', 'ermission')
    place.dedup('good.jsonl', out='good.jsonl/out', **options).ended(1, 'good.jsonl/out')
    place.dedup('good.jsonl', '--write', 'locked/clean', **options).ended(1, 'locked/clean')
    require(place.path('good.jsonl').read_bytes() == FRONT + BACK, 'the input changed')
    require(not place.path('out/summary.json').exists(), 'it claims to be done')


def no_such_input(place):
    place.write('good.jsonl', FRONT + BACK)
    place.dedup('good.jsonl', 'gone.jsonl').ended(1, 'gone.jsonl', 'No such file')
    require(not place.path('out').exists(), 'something was written')
    place.path('broken').symlink_to('gone.jsonl')
    place.dedup('broken').ended(1, 'broken')
    run = place.dedup('*.warc.gz')
    require(run.code in (1, 2) and '*.warc.gz' in run.stderr, 'a glob without a match:', run.stderr)


def vanished_input(place):
    """The second input is there when the run begins, and gone when its turn comes."""
    second = place.write('second.jsonl', row('late', 'nobody will read this'))

    def pieces():
        yield FRONT
        until = time.monotonic() + 60
        while not place.path('out/.work').exists() and time.monotonic() < until:
            time.sleep(.02)
        time.sleep(.5)  # until all inputs were looked at
        second.unlink()
        yield BACK
    place.dedup('-', 'second.jsonl', feed=pieces()).ended(1, 'second.jsonl')
    good_came_out(place)
    summary = place.summary()
    require(summary['complete'] is False, 'complete', summary['complete'])
    require(summary['incomplete_sources'] == ['second.jsonl'], summary['incomplete_sources'])


def named_pipe(place):
    """A pipe as input is read to its end or refused; the program never hangs on it."""
    pipe = place.path('pipe')
    os.mkfifo(pipe)

    def fill():
        try:
            with open(pipe, 'wb') as file:
                file.write(FRONT + BACK)
        except BrokenPipeError:
            pass
    writer = threading.Thread(target=fill, daemon=True)
    writer.start()
    try:
        run = place.dedup('pipe', timeout=10)
        require(run.code in (0, 1, 2), 'hung or crashed: exit', run.code)
        if run.code == 0:
            good_came_out(place)
        else:
            require('pipe' in run.stderr, run.stderr)
    finally:
        if writer.is_alive():  # nobody read: open the other end, so that the writer ends
            os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
            writer.join(10)


def output_exists(place):
    place.write('good.jsonl', FRONT + BACK)
    place.write('out/mine.txt', b'precious')
    place.dedup('good.jsonl').ended(2, 'out', 'exists', '--overwrite')
    require(sorted(os.listdir(place.path('out'))) == ['mine.txt'], 'the folder changed')
    place.dedup('good.jsonl', out='done').ended(0)
    before = place.promised('done')
    place.dedup('good.jsonl', '--threshold', '0.5', out='done').ended(2, 'exists')
    require(place.promised('done') == before, 'the folder changed')
    place.dedup('good.jsonl', '--overwrite', out='done').ended(0)
    require(place.promised('done') == before, 'not the same after --overwrite')


def unlike(number):
    """Texts that have no shingle in common."""
    return TEXT.replace(' ', '%d ' % number)


def alike(number):
    """Texts that have all but the last shingle in common: each two of them are a pair."""
    return '%s copy %d' % (TEXT, number)


def many_rows(count, text=unlike):
    """Three copies of each text."""
    for start in range(0, count, 5000):
        yield b''.join(row('document-number-%d' % n, text(n // 3)) for n in range(start, start + 5000))


def synthetic_rows(count):
    with subprocess.Popen([sys.executable, MAKE_SYNTHETIC, '-n', str(count)], stdout=subprocess.PIPE) as tool:
        yield from tool.stdout
    require(tool.returncode == 0, 'make_synthetic ended with', tool.returncode)


def on_full_disk(place, rows, arguments, folder, megabytes, *message):
    """A run on a file system that fills up fails, and ends with the same bytes once there is room."""
    if os.geteuid() != 0:
        raise Skipped('only root can mount a small file system')
    place.write('rows.jsonl', rows)
    common = ['rows.jsonl', *AT_BUDGET, '--pairs', 'star', *arguments]
    place.dedup(*common, out='reference').ended(0)
    place.path(folder).mkdir()
    mount = ['mount', '-t', 'tmpfs', '-o', 'size=%dm' % megabytes, 'tmpfs', str(place.path(folder))]
    if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skipped('cannot mount a small file system here')
    try:
        command = common if folder == 'small' else [*common, '--tmp', folder]
        out = 'small/out' if folder == 'small' else 'out'
        run = place.dedup(*command, out=out).ended(1, *message, 'No space left', '--resume')
        require(not (place.folder / out / 'summary.json').exists(), 'it claims to be done')
        require(run.peak <= PROMISED_PEAK, 'peak', run.peak)
        place.dedup(*command, '--resume', out=out).ended(1, *message, 'No space left')
        subprocess.run(['mount', '-o', 'remount,size=256m', str(place.path(folder))], check=True)
        place.dedup(*command, '--resume', out=out).ended(0)
        place.same_bytes('reference', out)
    finally:
        subprocess.run(['umount', '-l', str(place.path(folder))], check=False)


def full_disk_for_results(place):
    on_full_disk(place, many_rows(40_000), [], 'small', 2, 'small/out')


def full_disk_for_work(place):
    """With hot buckets, which a complete join does not have."""
    on_full_disk(place, many_rows(40_000, alike), ['--method', 'minhash'], 'work', 2, 'work/.twinset-')
    hot = place.summary()['hot_buckets']
    require(hot['pairs_possible'] > 100_000_000, 'no hot buckets:', hot)


def full_disk_for_slices(place):
    """There is room for what the stages before leave, not for the slices of the complete join beside it."""
    on_full_disk(place, synthetic_rows(12_000), ['--threshold', '0.3'], 'work', 31, 'work/.twinset-', '/prefixes-')


def full_disk_for_hot_elements(place):
    """There is no room for the elements that all documents of a cluster of thousands have."""
    on_full_disk(place, many_rows(40_000, alike), ['--shingle', 'word:1'], 'work', 19, 'work/.twinset-', '/hot')


def full_disk_for_files(place):
    """Without root: a limit on the size of files stands for the full disk."""
    place.write('rows.jsonl', many_rows(40_000))
    place.dedup('rows.jsonl', *AT_BUDGET, out='reference').ended(0)
    limited = ['bash', '-c', 'trap "" XFSZ; ulimit -f 1024; exec "$@"', 'limited']
    command = [place.program, 'dedup', 'rows.jsonl', *AT_BUDGET, '--out', 'out', '--quiet']
    run = Run([*limited, *command], place.folder).ended(1, 'out', 'too large')
    require(not place.path('out/summary.json').exists(), 'it claims to be done')
    place.runs.append(run)
    place.run(*command[1:], '--resume').ended(0)
    place.same_bytes('reference', 'out')


CASES = [no_permission, unwritable_output, no_such_input, vanished_input, named_pipe, output_exists,
         full_disk_for_results, full_disk_for_work, full_disk_for_slices, full_disk_for_hot_elements,
         full_disk_for_files]
