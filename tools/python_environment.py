"""Virtual environments of Python below a build folder."""
import subprocess
import sys


def environment_of(place, requirements, python=sys.executable):
    """The interpreter of an environment, which is made anew when what it holds is to change."""
    wanted = requirements.read_bytes()
    mark = place / 'requirements.txt'
    if not mark.exists() or mark.read_bytes() != wanted:
        subprocess.run([python, '-m', 'venv', '--clear', place], check=True)
        subprocess.run([place / 'bin/python', '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check',
                        '-r', requirements], check=True)
        mark.write_bytes(wanted)
    return place / 'bin/python'
