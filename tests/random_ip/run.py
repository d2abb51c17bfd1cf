#!/usr/bin/env python3
"""tests/random_ip/run.py BUILD_DIR: `twinset sample --sampler random-ip` on an internet of 2^20 simulated addresses
(internet.py), whose true numbers are known. Asks loopback alone; bounded in count."""
import json
import os
import subprocess
import sys
import tempfile

from internet import NETWORK, Internet, survey

PROBES = 1500


def run(program, port, out, seed, probes, *more, check=True):
    command = [program, 'sample', '--sampler', 'random-ip', '--networks', NETWORK, '--port',
               str(port), '--probes', str(probes), '--seed', str(seed), '--rate', '0', '--delay',
               '0', '--out', out, '--json', *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if check and done.returncode != 0:
        sys.exit('%s\n%s' % (' '.join(command), done.stderr))
    return done


def expect(condition, what):
    if not condition:
        sys.exit('failed: %s\n0 passed, 1 failed' % what)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = os.path.abspath(sys.argv[1])
    program = os.path.join(build, 'twinset')
    if not os.path.exists(os.path.join(build, 'twinset-http')):
        print('SKIPPED: twinset-http was not built\n0 passed, 0 failed, 1 skipped')
        return
    real, names_text = survey()
    internet = Internet()
    with tempfile.TemporaryDirectory() as folder:
        names = os.path.join(folder, 'hosts')
        with open(names, 'w') as file:
            file.write(names_text)
        # Nothing is asked when no network is stated.
        refused = subprocess.run([program, 'sample', '--sampler', 'random-ip', '--out',
                                  os.path.join(folder, 'none')], capture_output=True, text=True,
                                 timeout=60, check=False)
        expect(refused.returncode == 2 and '--networks' in refused.stderr, refused.stderr)
        expect(internet.requests == 0, 'requests without networks')

        out = os.path.join(folder, 'a')
        summary = json.loads(run(program, internet.port, out, 1, PROBES, '--hosts', names).stdout)
        for what in ('servers', 'sites', 'pages'):
            estimate = summary[what]
            if estimate['low'] is None:  # few servers hold most pages: no interval, and why
                expect(what == 'pages' and estimate['no_interval'], what)
                print('%-8s %9.0f, true %d' % (what, estimate['value'], real[what]))
                continue
            print('%-8s %9.0f in %9.0f .. %9.0f, true %d' % (
                what, estimate['value'], estimate['low'], estimate['high'], real[what]))
            expect(estimate['low'] <= real[what] <= estimate['high'], what)
        expect(summary['outcomes']['login'] > 0 and summary['outcomes']['excluded'] > 0 and
               summary['outcomes']['no-page'] > 0 and summary['outcomes']['elsewhere'] > 0,
               'outcomes: %s' % summary['outcomes'])
        expect(sum(summary['outcomes'].values()) == PROBES, 'every probe has an outcome')
        # One site of several addresses counted as several makes too many pages.
        expect(summary['pages_unweighted'] > summary['pages']['value'], 'weights')
        expect(internet.requests < 50 * PROBES, 'bounded traffic: %d' % internet.requests)

        # A journal that was cut goes on to the same bytes.
        files = ('probes.jsonl', 'sample.jsonl', 'servers.jsonl', 'summary.json')
        whole = {name: open(os.path.join(out, name), 'rb').read() for name in files}
        with open(os.path.join(out, 'probes.jsonl'), 'wb') as file:
            file.write(whole['probes.jsonl'][:len(whole['probes.jsonl']) * 9 // 10])
        run(program, internet.port, out, 1, PROBES, '--hosts', names, '--resume')
        for name in files:
            with open(os.path.join(out, name), 'rb') as file:
                expect(file.read() == whole[name], 'resumed: ' + name)
        other = run(program, internet.port, out, 2, PROBES, '--hosts', names, '--resume',
                    check=False)
        expect(other.returncode == 2, 'another seed resumed')

        # What is excluded is not asked.
        before = internet.requests
        run(program, internet.port, os.path.join(folder, 'b'), 1, 1, '--exclude',
            '127.16.0.1/32,127.16.0.2/31,127.16.0.4/30,127.16.0.8/29,127.16.0.16/28,127.16.0.32/27,'
            '127.16.0.64/26,127.16.0.128/25,127.16.1.0/24,127.16.2.0/23,127.16.4.0/22,127.16.8.0/21,'
            '127.16.16.0/20,127.16.32.0/19,127.16.64.0/18,127.16.128.0/17,127.17.0.0/16,127.18.0.0/15,'
            '127.20.0.0/14,127.24.0.0/13')
        with open(os.path.join(folder, 'b', 'probes.jsonl')) as file:
            rows = file.read().splitlines()
        expect(json.loads(rows[1])['address'] == '127.16.0.0', rows[1])
        expect(internet.requests - before < 100, 'one address')
    print('1 passed, 0 failed')


if __name__ == '__main__':
    main()
