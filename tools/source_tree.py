"""What the check tools share: walking the tree and reporting findings. Standard library only."""
import pathlib
import sys

SKIPPED_FOLDERS = {'.git', '.venv', '__pycache__', '.cache', '.vscode'}


def root_from_arguments(doc):
    """The tree to check: the only argument, else the repository this file belongs to."""
    if len(sys.argv) > 2 or (len(sys.argv) == 2 and sys.argv[1].startswith('-')):
        print(doc, file=sys.stderr)
        sys.exit(2)
    if len(sys.argv) == 2:
        root = pathlib.Path(sys.argv[1])
        if not root.is_dir():
            sys.exit('%s: no such folder' % root)
        return root.resolve()
    return pathlib.Path(__file__).resolve().parent.parent


def walk(root, suffixes=None):
    """The files of the tree in path order, without build folders and version control."""
    def visit(folder):
        for entry in sorted(folder.iterdir()):
            if entry.is_symlink() or entry.name in SKIPPED_FOLDERS:
                continue
            if entry.is_dir():
                if not (folder == root and entry.name.startswith('build')):
                    yield from visit(entry)
            elif suffixes is None or entry.suffix in suffixes:
                yield entry
    yield from visit(root)


class Findings:
    """Collects what is wrong; `finish` prints it and exits with 1 when there is anything."""

    def __init__(self, root):
        self.root, self.lines, self.warnings = root, [], []

    def _place(self, path, line):
        name = path.relative_to(self.root).as_posix() if isinstance(path, pathlib.Path) else path
        return '%s:%d' % (name, line) if line else name

    def add(self, path, message, line=0):
        self.lines.append('%s: %s' % (self._place(path, line), message))

    def warn(self, path, message, line=0):
        self.warnings.append('%s: %s' % (self._place(path, line), message))

    def finish(self, checked):
        for line in self.warnings:
            print('warning: ' + line)
        for line in self.lines:
            print('error: ' + line)
        name = pathlib.Path(sys.argv[0]).name
        if self.lines:
            print('%s: %d errors in %s' % (name, len(self.lines), checked))
            sys.exit(1)
        print('%s: %s, all good' % (name, checked))
