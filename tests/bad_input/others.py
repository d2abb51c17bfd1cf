"""Cases of other users of the machine, and of what the system grants: folders and keys that somebody else made or may
change, inputs that not everybody may read, a small stack."""
import os
import shutil
import stat

from measured import Run, Skipped, require
from records import BACK, FRONT
from surroundings import NOBODY


def needs_root():
    if os.geteuid() != 0:
        raise Skipped('only root can give files to another user')


def unfinished(place, out='out', *more):
    """The work folder below --tmp of a run that --strict has ended."""
    place.path('tmp').mkdir(exist_ok=True)
    os.chmod(place.path('tmp'), 0o1777)
    place.write('bad.jsonl', FRONT + b'nonsense\n' + BACK)
    place.dedup('bad.jsonl', '--strict', '--tmp', 'tmp', *more, out=out).ended(1, '--strict')
    work, = place.path('tmp').glob('.twinset-*')
    return work


def work_folder_of_another(place):
    needs_root()
    work = unfinished(place)
    os.chown(work, NOBODY, NOBODY)
    for again in ('--overwrite', '--resume'):
        place.dedup('bad.jsonl', '--strict', '--tmp', 'tmp', again).ended(2, 'belongs to another user', work.name, '--tmp')
    # Made first, by who knew the name.
    shutil.rmtree(work)
    shutil.rmtree(place.path('out'))
    work.mkdir(0o700)
    os.chown(work, NOBODY, NOBODY)
    place.write('good.jsonl', FRONT + BACK)
    place.dedup('good.jsonl', '--tmp', 'tmp').ended(2, 'belongs to another user')
    require(not any(work.iterdir()), 'something was written there')


def work_folder_that_others_write(place):
    work = unfinished(place)
    require(stat.S_IMODE(work.stat().st_mode) == 0o700, 'the mode of', work)
    os.chmod(work, 0o777)
    place.dedup('bad.jsonl', '--tmp', 'tmp', '--overwrite').ended(2, 'others may write', 'mode 0777')
    work.rename(place.path('elsewhere'))
    work.symlink_to(place.path('elsewhere'))
    place.dedup('bad.jsonl', '--tmp', 'tmp', '--overwrite').ended(2, 'is a link')
    work.unlink()
    place.dedup('bad.jsonl', '--tmp', 'tmp', '--overwrite').ended(0)
    require(not any(place.path('tmp').iterdir()), 'the work folder is left')


def run_that_another_began(place):
    needs_root()
    unfinished(place)
    os.chown(place.path('out/.twinset'), NOBODY, NOBODY)
    place.dedup('bad.jsonl', '--strict', '--tmp', 'tmp', '--resume').ended(2, 'belongs to another user', 'out')


def keys_that_others_know(place):
    work = unfinished(place)
    key = work / 'verify.key'
    require(stat.S_IMODE(key.stat().st_mode) == 0o600, 'the mode of', key)
    os.chmod(key, 0o644)
    place.dedup('bad.jsonl', '--strict', '--tmp', 'tmp', '--resume').ended(2, 'verify.key', 'mode 0644', 'chmod 600')
    place.write('good.jsonl', FRONT + BACK)
    place.dedup('good.jsonl', '--save', 'saved', out='first').ended(0)
    key = place.path('saved/verify.key')
    for mode, code in ((0o600, 0), (0o640, 0), (0o604, 2), (0o660, 2)):
        os.chmod(key, mode)
        run = place.run('match', 'good.jsonl', '--against', 'saved', '--out', 'match-%o' % mode, '--quiet').ended(code)
        require(code == 0 or 'verify.key' in run.stderr, 'not named:', run.stderr)
    os.chmod(key, 0o600)
    key.rename(place.path('key'))
    key.symlink_to(place.path('key'))
    place.run('match', 'good.jsonl', '--against', 'saved', '--out', 'linked', '--quiet').ended(2, 'no plain file')


def modes_of_what_is_written(place):
    """Nobody may read what is made of an input who may not read that."""
    def mode(path):
        return stat.S_IMODE(place.path(path).stat().st_mode)
    for name, given, wanted in (('private', 0o600, 0o600), ('group', 0o640, 0o640), ('all', 0o666, 0o644),
                                ('mine', 0o400, 0o600)):
        os.chmod(place.write('in/%s.jsonl' % name, FRONT + BACK), given)
        wrote = 'clean-%s/%s.jsonl' % (name, name)
        source = 'in/%s.jsonl' % name
        place.dedup(source, '--write', 'clean-' + name, '--attributes', 'beside-' + name, out='out-' + name).ended(0)
        require(mode(wrote) == wanted, name, oct(mode(wrote)))
        beside, = [path for path in place.path('beside-' + name).rglob('*.jsonl') if path.is_file()]
        require(stat.S_IMODE(beside.stat().st_mode) == wanted, name, beside)
        place.dedup(source, '--unit', 'paragraph', '--write', 'units-' + name, out='cut-' + name).ended(0)
        require(mode('units-%s/%s.jsonl' % (name, name)) == wanted, 'units of', name)
        place.run('match', source, '--against', 'in/all.jsonl' if name == 'mine' else source, '--write',
                  'new-' + name, '--out', 'match-' + name, '--quiet').ended(0)
        require(mode('new-%s/%s.jsonl' % (name, name)) == wanted, 'match of', name)
    place.run('patch', 'make', 'out-private', '--out', 'p', '--quiet').ended(0)
    place.run('patch', 'apply', 'p', 'in/private.jsonl', '--write', 'patched', '--out', 'applied', '--quiet').ended(0)
    require(mode('patched/private.jsonl') == 0o600, 'of a patch')
    place.dedup('in', '--attributes', 'one.jsonl', out='out-one').ended(0)
    require(mode('one.jsonl') == 0o600, 'of all inputs together')


def small_stack(place):
    place.write('good.jsonl', FRONT + BACK)
    place.write('page.html', b'<html><body>' + b'<div>' * 400 + b'<p>a page of some words to read</p></body></html>')
    limited = ['bash', '-c', 'ulimit -s 64; exec "$@"', 'limited', place.program]
    for number, words in enumerate((
            ['dedup', 'good.jsonl', 'page.html', '--report', '--threads', '3'],
            ['match', 'good.jsonl', '--against', 'good.jsonl'],
            ['leak', 'good.jsonl', '--test', 'good.jsonl'])):
        run = Run([*limited, *words, '--out', 'small-%d' % number, '--quiet'], place.folder)
        place.runs.append(run)
        run.ended(0)
    for words in (['version'], ['sketch', 'good.jsonl'], ['text', 'page.html'], ['dedup', 'good.jsonl', '--dry-run']):
        run = Run([*limited, *words], place.folder)
        place.runs.append(run)
        run.ended(0)


CASES = [work_folder_of_another, work_folder_that_others_write, run_that_another_began, keys_that_others_know,
         modes_of_what_is_written, small_stack]
