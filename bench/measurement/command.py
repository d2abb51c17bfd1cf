"""Runs one command and notes what it took: measured(COMMAND, THREADS, SECONDS, WORK), which starts

    command.py RESULT THREADS SECONDS COMMAND...

RESULT gets {"started": monotonic clock, "ended", "cpu_seconds", "peak_bytes", "written_bytes", "code"}; RESULT.log
what the command says. With THREADS = 1 the command and all it starts stand on one processor, whatever they ask for.
After SECONDS it is stopped and "code" is null. The peak is the largest sum of the resident sets of all processes of the
command (pages that they share count in each), taken every 20 ms, or what the kernel noted for the first of them if that
is more. Processor seconds are those of the command and what it waited for, or the sum of what was last seen of each
process if that is more: nobody waits for a virtual machine or a fork server. Written are the bytes of the pages that the
command and what it waited for made for a disk, also of files that it removed before they got there; a file system in
memory has none.

It is a process of its own, so that the peak does not begin with what the caller holds.
"""
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

THREAD_VARIABLES = ('OMP_NUM_THREADS', 'RAYON_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS')
PAGE_BYTES, TICKS = os.sysconf('SC_PAGE_SIZE'), os.sysconf('SC_CLK_TCK')


def reason_of(output):
    """The last words of a failed program that say something, without addresses and paths."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and 'notice' not in line]
    errors = [line for line in lines if line.startswith('ERROR')] or lines
    text = re.sub(r'\w+://\S+', '(address)', errors[-1] if errors else 'it said nothing')
    return re.sub(r'(?<![\w.])/\S+', '(path)', text)[:200]


def measured(command, threads, limit, work):
    """What RESULT says of the command; `error` says in one line why it has no answer. RESULT stands in the folder `work`."""
    result = work / 'measured.json'
    subprocess.run([sys.executable, __file__, str(result), str(threads), str(limit), *map(str, command)], check=True)
    taken = json.loads(result.read_text())
    if taken['code'] is None:
        taken['error'] = 'stopped after %d s' % limit
    elif taken['code'] != 0:
        taken['error'] = reason_of((work / 'measured.json.log').read_text(errors='replace'))
    return taken


def tree(pid):
    """The process and all below it."""
    found, waiting = [], [pid]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        try:
            for task in os.listdir('/proc/%d/task' % pid):
                with open('/proc/%d/task/%s/children' % (pid, task)) as file:
                    waiting += map(int, file.read().split())
        except OSError:
            pass  # it has ended
    return found


def resident_bytes(pid):
    try:
        with open('/proc/%d/statm' % pid) as file:
            return int(file.read().split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        return 0


def processor_seconds(pid):
    """Of the process itself, without its children; None when it has ended."""
    try:
        with open('/proc/%d/stat' % pid) as file:
            fields = file.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, IndexError):
        return None


class Watch(threading.Thread):
    """Looks at the tree of a process until it is told to stop, and ends all of it after `limit` seconds."""

    def __init__(self, pid, limit):
        super().__init__(daemon=True)
        self.pid, self.deadline = pid, time.monotonic() + limit
        self.peak, self.seconds, self.too_long, self.over = 0, {}, False, threading.Event()

    def run(self):
        while not self.over.wait(0.02):
            pids = tree(self.pid)
            self.peak = max(self.peak, sum(map(resident_bytes, pids)))
            for pid in pids:
                seconds = processor_seconds(pid)
                if seconds is not None:
                    self.seconds[pid] = seconds
            if time.monotonic() > self.deadline and not self.over.is_set():
                self.too_long = True
                for pid in reversed(pids):
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass


def main():
    result, threads, limit, *command = sys.argv[1:]
    environment = dict(os.environ, **{name: threads for name in THREAD_VARIABLES})
    processors = os.sched_getaffinity(0) if threads != '1' else {max(os.sched_getaffinity(0))}
    with open(result + '.log', 'wb') as log:
        started = time.monotonic()
        environment['BENCH_STARTED'] = repr(started)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   env=environment, preexec_fn=lambda: os.sched_setaffinity(0, processors))
        watch = Watch(process.pid, float(limit))
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        ended = time.monotonic()
        watch.over.set()
        watch.join()
    with open(result, 'w', encoding='utf-8') as file:
        json.dump({'started': started, 'ended': ended,
                   'cpu_seconds': max(usage.ru_utime + usage.ru_stime, sum(watch.seconds.values())),
                   'peak_bytes': max(watch.peak, usage.ru_maxrss * 1024), 'written_bytes': usage.ru_oublock * 512,
                   'code': None if watch.too_long else os.waitstatus_to_exitcode(status)}, file)


if __name__ == '__main__':
    main()
