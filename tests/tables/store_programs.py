"""Stores that others wrote, which serve buckets on the loopback."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from pyarrow import fs

# Where they are installed, which takes minutes the first time.
PROGRAMS = pathlib.Path(os.environ['TWINSET_PROGRAM']).parent / 'stores'


def installed(tool, remedy, name, *words, **environment):
    """The program that a package manager has put below PROGRAMS; its version stands in its path."""
    folder = PROGRAMS / words[-1].replace('/', '-')
    program = next(folder.rglob(name), None)
    if program is None:
        if shutil.which(tool) is None:
            raise AssertionError('%s is built by %s, which is not here: %s' % (name, tool, remedy))
        subprocess.run([tool, *words], check=True, cwd='/', env={**os.environ, **{
            key: value % folder for key, value in environment.items()}})
        program = next(folder.rglob(name))
    return program


def by_go(module):
    return installed('go', 'put Go 1.25 or later on PATH', module.rpartition('@')[0].rpartition('/')[2], 'install', module,
                     GOBIN='%s')


class Program:
    """One that listens on a port of the loopback until it is closed."""
    FOLDER_END = ''

    def __init__(self):
        with socket.create_server(('127.0.0.1', 0)) as found:
            self.port = found.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.folder.name)
        with open(self.place / 'log', 'wb') as log:
            self.child = subprocess.Popen(self.command(), env={**os.environ, **self.settings()}, stdin=subprocess.DEVNULL,
                                          stdout=log, stderr=log)
        self.wait()

    def settings(self):
        return {}

    def wait(self):
        for _ in range(300):
            try:
                socket.create_connection(('127.0.0.1', self.port), 1).close()
                return
            except OSError:
                time.sleep(.1)
            if self.child.poll() is not None:
                break
        self.close()
        raise AssertionError('%s does not listen' % self.command()[0])

    def below(self, name):
        folder = self.place / name
        folder.mkdir(exist_ok=True)
        return folder

    def put(self, key, content):
        with self.system.open_output_stream(key, compression=None) as object_:  # not by the end of the name
            object_.write(content)

    def close(self):
        self.child.kill()
        self.child.wait()
        self.folder.cleanup()


class S3Program(Program):
    SCHEME = 's3://'
    KEY, SECRET = 'public-name', 'secret-of-the-test'

    def __init__(self):
        super().__init__()
        self.system = fs.S3FileSystem(access_key=self.KEY, secret_key=self.SECRET, region='us-east-1', scheme='http',
                                      endpoint_override='127.0.0.1:%d' % self.port, allow_bucket_creation=True)
        self.system.create_dir('lake')

    def environment(self, secret=SECRET):
        return dict(os.environ, AWS_ENDPOINT_URL='http://127.0.0.1:%d' % self.port, AWS_REGION='us-east-1',
                    AWS_ACCESS_KEY_ID=self.KEY, AWS_SECRET_ACCESS_KEY=secret)


class Versitygw(S3Program):
    def command(self):
        return [by_go('github.com/versity/versitygw/cmd/versitygw@v1.8.0'), '--port', '127.0.0.1:%d' % self.port, '--quiet',
                'posix', '--sidecar', self.below('attributes'), self.below('objects')]

    def settings(self):
        return {'ROOT_ACCESS_KEY': self.KEY, 'ROOT_SECRET_KEY': self.SECRET}


class S3sFs(S3Program):
    FOLDER_END = '/'  # at the name of a folder alone it fails with status 500

    def command(self):
        program = installed('cargo', 'put Rust on PATH', 's3s-fs', 'install', '--features', 'binary', '--locked',
                            's3s-fs@0.14.1', CARGO_INSTALL_ROOT='%s')
        return [program, '--host', '127.0.0.1', '--port', str(self.port), '--access-key', self.KEY, '--secret-key',
                self.SECRET, self.below('objects')]


class FakeGcs(Program):
    SCHEME = 'gs://'

    def __init__(self):
        super().__init__()
        self.system = fs.GcsFileSystem(anonymous=True, scheme='http', endpoint_override='127.0.0.1:%d' % self.port,
                                       project_id='test')
        self.system.create_dir('lake')

    def command(self):
        return [by_go('github.com/fsouza/fake-gcs-server@v1.56.1'), '-scheme', 'http', '-host', '127.0.0.1', '-port',
                str(self.port), '-public-host', '127.0.0.1:%d' % self.port, '-backend', 'memory', '-log-level', 'error']

    def environment(self):
        return dict(os.environ, STORAGE_EMULATOR_HOST='http://127.0.0.1:%d' % self.port,
                    CLOUDSDK_AUTH_DISABLE_CREDENTIALS='true')
