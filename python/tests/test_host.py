"""What the package promises the process that it runs in."""

from __future__ import annotations

import multiprocessing
import os
import signal
import re
import subprocess
import sys
import threading
import time
import unittest

import support
import twinset

TEXTS = support.texts(2, 300)


def pairs_of(texts: list[str]) -> list:
    return list(twinset.dedup(texts).pairs)


class Processes(unittest.TestCase):
    def test_fork_and_spawn(self):
        expected = pairs_of(TEXTS)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(pairs_of, [TEXTS] * 3), [expected] * 3)

    def test_threads(self):
        expected, found = pairs_of(TEXTS), []
        threads = [threading.Thread(target=lambda: found.append(pairs_of(TEXTS))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)

    def test_ctrl_c_ends_a_run_within_a_second(self):
        code = (
            "import itertools, signal, twinset\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored in a shell's background
            "print('begun', flush=True)\n"
            "twinset.dedup(f'{i} ' * 50 for i in itertools.count())\n"
        )
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "begun\n")
        time.sleep(0.5)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=20)
        self.assertLess(time.monotonic() - begin, 5)  # a second, on a machine that does other things
        self.assertIn("KeyboardInterrupt", errors)

    def test_code_of_the_caller_runs_on_its_thread(self):
        seen = set()

        def rows():
            for text in TEXTS:
                seen.add(threading.get_ident())
                yield text

        twinset.dedup(rows(), progress=lambda now: seen.add(threading.get_ident()))
        self.assertEqual(seen, {threading.get_ident()})

    def test_a_function_that_raises_ends_the_run(self):
        def fail(now):
            raise ZeroDivisionError("as asked")

        with self.assertRaises(ZeroDivisionError):
            twinset.dedup(TEXTS, progress=fail)


class Command(unittest.TestCase):
    def run_module(self, *words: str, **more):
        return subprocess.run([sys.executable, "-m", "twinset", *words], capture_output=True, **more)

    def test_is_the_program(self):
        for words in (["version"], ["help"], ["dedup", "-h"], ["no-such"], ["dedup", "--nope", "x"]):
            ours = self.run_module(*words)
            theirs = subprocess.run([support.PROGRAM, *words], capture_output=True)
            # The module has not the server, which needs a library of its own.
            said = re.sub(rb"Not built here.*?\n\n", b"", ours.stdout, flags=re.S)
            expected = theirs.stdout.replace(b", serve, view\n", b"\n")
            self.assertEqual((ours.returncode, said, ours.stderr), (theirs.returncode, expected, theirs.stderr))
        self.assertIn(b"twinset-server", self.run_module("serve", "x").stderr)

    def test_imports_nothing_that_is_not_needed(self):
        heavy = {"numpy", "pandas", "pyarrow", "json", "tempfile", "typing", "sysconfig"}
        code = (
            "import sys, twinset.__main__, twinset._tables; twinset._tables.name_tables('/nowhere'); "
            f"print(sorted(set(sys.modules) & {heavy}))"
        )
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, "[]\n")

    def test_commands_are_functions(self):
        self.assertIn("leak", dir(twinset))
        self.assertGreater(len(twinset.methods()), 10)
        self.assertEqual(os.path.basename(support.PROGRAM), "twinset")

    def test_a_line_longer_than_the_room_comes_whole(self):
        import json
        import tempfile

        long = "word " * 1_200_000  # 6 MB, of a buffer of 4
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for text in ("first", long, "last"):
                file.write(json.dumps({"text": text}) + "\n")
            file.flush()
            self.assertEqual([len(row["text"]) for row in twinset.texts(file.name)], [5, len(long), 4])
            some = twinset.texts(file.name)
            next(some)
            some.close()  # ends the command

    def test_rows_of_several_threads_come_whole_and_in_order(self):
        import json
        import tempfile

        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for i in range(4000):
                row = {"id": f"n{i}", "text": f"words of document {i} " * 30}
                file.write(json.dumps(row) + "\n" if i % 1000 else "no row\n")
            file.flush()
            code = (
                "import sys, warnings, twinset\n"
                "with warnings.catch_warnings(record=True) as told:\n"
                "    ids = [row['id'] for row in twinset.texts(sys.argv[1], threads=4)]\n"
                "assert ids == [f'n{i}' for i in range(4000) if i % 1000], len(ids)\n"
                "assert len(told) == 5, told\n"
            )
            done = subprocess.run([sys.executable, "-c", code, file.name], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_rows_are_lists_however_many(self):
        import tempfile

        from twinset import _command

        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("one two three four five six\n")
            file.flush()
            self.assertIsInstance(_command.call("sketch", (file.name,), {}, False), list)

    def test_a_row_outside_of_a_column_is_refused(self):
        column = twinset.dedup(["a b c", "a b c"]).pairs["a"]
        rows = twinset._native.column_of([5])
        with self.assertRaises(IndexError):
            column.take(rows)

    def test_texts_of_a_page(self):
        row = twinset.text("<html><title>T</title><body><p>" + "Some words of a page. " * 20 + "</p></body></html>")
        self.assertIn("Some words", row["text"])
        self.assertEqual(row["title"], "T")


class Sketches(unittest.TestCase):
    def test_as_the_command(self):
        import json
        import tempfile

        import numpy

        sketches = twinset.sketch(TEXTS[:50], method="minhash")
        values = sketches if not isinstance(sketches, tuple) else None
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for text in TEXTS[:50]:
                file.write(json.dumps({"text": text}) + "\n")
            file.flush()
            out = subprocess.run([support.PROGRAM, "sketch", file.name, "--method", "minhash", "--json"],
                                 capture_output=True, text=True, check=True).stdout
        rows = [json.loads(line)["sketch"] for line in out.splitlines()]
        if values is None:
            values, offsets = sketches
            ours = [values[offsets[i]:offsets[i + 1]] for i in range(50)]
        else:
            ours = list(values)
        for row, mine in zip(rows, ours):
            self.assertEqual(row, "".join(f"{v:08x}" for v in numpy.asarray(mine)))

    def test_similarity(self):
        self.assertEqual(twinset.similarity("a b c d e f", "a b c d e f"), 1.0)
        self.assertEqual(twinset.similarity("a b c d e f", "u v w x y z"), 0.0)

    def test_hamming_pairs(self):
        found = twinset.hamming_pairs([0, 1, 0xFF, 3], distance=2)
        self.assertEqual(list(found), [(0, 1, 1), (0, 3, 2), (1, 3, 1)])


if __name__ == "__main__":
    unittest.main()
