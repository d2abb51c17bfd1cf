"""Packages of others in an environment of their own: what the runners that compare with them share."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

from measured import Skipped


def interpreter_with(name, packages, modules):
    """The interpreter of the environment `name`, below the folder for temporary files, in which the
    modules can be imported; Skipped where the packages cannot be installed."""
    environment = pathlib.Path(tempfile.gettempdir()) / ('twinset-test-' + name)
    interpreter = environment / 'bin/python'
    if not interpreter.exists():
        subprocess.run([sys.executable, '-m', 'venv', environment], check=True)
    ready = subprocess.run([interpreter, '-c', 'import ' + modules], stderr=subprocess.DEVNULL)
    if ready.returncode != 0:
        install = subprocess.run([interpreter, '-m', 'pip', 'install', '--quiet', *packages],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if install.returncode != 0:
            raise Skipped('the packages cannot be installed: ' + install.stdout.strip()[-200:])
    return interpreter


def run_again_with(name, packages, module):
    """Nothing where the module can be imported; else this program begins anew with an interpreter that
    has it. Skipped where the packages cannot be installed."""
    if importlib.util.find_spec(module) is None:
        interpreter = str(interpreter_with(name, packages, module))
        os.execv(interpreter, [interpreter, *sys.argv])
