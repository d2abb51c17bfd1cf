"""What benchmarks share: a command and what it took, bars of a plot, figures of a page."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
from measurement import bars, command, page_text  # noqa: E402


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)

    def measured(self, program, limit=60):
        return command.measured([sys.executable, '-c', program], 1, limit, self.work)

    def log(self):
        return (self.work / 'measured.json.log').read_text()

    def test_time_peak_and_threads(self):
        taken = self.measured('import os, time; x = b"x" * (64 << 20); time.sleep(.2); '
                              'print(len(os.sched_getaffinity(0)), os.environ["OMP_NUM_THREADS"])')
        self.assertEqual(taken['code'], 0)
        self.assertNotIn('error', taken)
        self.assertGreater(taken['peak_bytes'], 64 << 20)
        self.assertGreater(taken['ended'] - taken['started'], 0.2)
        self.assertEqual(self.log(), '1 1\n')

    def test_what_has_no_answer_says_why(self):
        taken = self.measured('print("no disk"); exit(3)')
        self.assertEqual((taken['code'], taken['error']), (3, 'no disk'))
        taken = self.measured('import time; time.sleep(60)', 0.3)
        self.assertIsNone(taken['code'])
        self.assertIn('stopped after', taken['error'])

    def test_bytes_written(self):
        # On a file system in memory both are nothing.
        taken = self.measured(
            'import os, resource; f = open(%r, "wb"); f.write(b"x" * (4 << 20)); f.flush(); os.fsync(f.fileno()); '
            'print(resource.getrusage(resource.RUSAGE_SELF).ru_oublock)' % str(self.work / 'written'))
        own = 512 * int(self.log())
        self.assertTrue(own <= taken['written_bytes'] <= own + (1 << 20), (own, taken))

    def test_processor_time_of_a_process_that_nobody_waited_for(self):
        spin = 'import time\nwhile time.process_time() < .4: pass\ntime.sleep(.2)'
        taken = self.measured('import os, subprocess, sys; p = subprocess.Popen([sys.executable, "-c", %r], stdout=-1); '
                              'p.stdout.read(); os._exit(0)' % spin)
        self.assertGreater(taken['cpu_seconds'], 0.3)

    def test_reasons_have_no_addresses_and_paths(self):
        said = command.reason_of('x\nERROR: none at https://index.example/simple in /somewhere/else for a==1\n[notice] y\n')
        self.assertEqual(said, 'ERROR: none at (address) in (path) for a==1')


class Figures(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual([page_text.number(v) for v in (0, 0.0123, 0.5, 12.34, 1234.5)],
                         ['0', '0.012', '0.50', '12.3', '1234'])

    def test_shares_are_1_and_0_only_where_they_are(self):
        self.assertEqual([page_text.share(v) for v in (1, 0.999999, 0.5, 0.000001, 0)],
                         ['1', '0.9999', '0.5000', '0.0001', '0'])

    def test_stages_that_took_time(self):
        self.assertEqual(page_text.stage_words({'read': 0.5, 'order': 0.0001, 'write': 2}), 'read 0.50, write 2.00')

    def test_bars_stand_where_their_values_are(self):
        axis = bars.Axis([0.2, 40])
        self.assertEqual(axis.ticks, [0.1, 1, 10, 100])
        self.assertAlmostEqual(axis.place(1) - axis.place(0.1), axis.place(100) - axis.place(10))
        self.assertEqual((axis.place(0.1), axis.place(0)), (bars.LABELS, bars.LABELS))
        chart = bars.bar_chart('a < b', ('one',), [('x', True, (10,)), ('y', False, (None,)), ('z', False, (0.2,)),
                                                   ('w', False, (100,))])
        self.assertIn('a &lt; b', chart)
        self.assertIn('width="%.1f"' % ((bars.WIDTH - bars.LABELS - bars.VALUES) * 2 / 3), chart)


class Help(unittest.TestCase):
    def test_every_benchmark_says_how_it_is_called_and_measures_nothing(self):
        commands = [*sorted((ROOT / 'bench').glob('bench_*.py')), ROOT / 'bench/compare_builds.py',
                    ROOT / 'bench/dedup_peers/run.py', ROOT / 'tools/run_bench']
        self.assertGreater(len(commands), 10)
        for path in commands:
            with self.subTest(path.name):
                done = subprocess.run([path, '--help'], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, '^usage: ')


if __name__ == '__main__':
    unittest.main()
