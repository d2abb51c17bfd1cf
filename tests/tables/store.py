"""An object store of S3 in this process, which can fail."""
import logging
import os
import threading
import urllib.request

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server


class Quiet(WSGIRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log(self, *_):
        pass


class Store:
    """`busy`: so many requests are answered with 503 before the next one is served; `cut`: so many bodies of more than
    1,000 bytes end in their midst; `left`: so many requests are served before `refusals` others, if it is set, or all are refused."""

    def __init__(self):
        logging.getLogger('werkzeug').setLevel(logging.ERROR)
        self.busy = self.cut = 0
        self.held = None  # an event: requests wait for it
        self.asked = 0  # requests
        self.left = self.refusals = None
        self.refuses = ('GET', 'HEAD', 'PUT', 'POST', 'DELETE')  # these methods, when nothing is left
        self.gets = []
        self.told_password = False  # that of the proxy of our helper
        self.inner = DomainDispatcherApplication(create_backend_app)
        self.server = make_server('127.0.0.1', 0, self.serve, threaded=True, request_handler=Quiet)
        self.url = 'http://127.0.0.1:%d' % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, environ, start):
        self.asked += 1
        if self.held is not None:
            self.held.wait(60)
        if environ['REQUEST_METHOD'] == 'GET':
            self.gets.append(environ['PATH_INFO'])
        self.told_password = self.told_password or 'HTTP_PROXY_AUTHORIZATION' in environ
        if self.left is not None:
            self.left -= 1
            if self.left < 0 and self.refusals != 0 and environ['REQUEST_METHOD'] in self.refuses:
                self.refusals = self.refusals and self.refusals - 1
                start('403 Forbidden', [('Content-Length', '0')])
                return [b'']
        if self.busy > 0:
            self.busy -= 1
            start('503 Slow Down', [('Content-Length', '0')])
            return [b'']
        body = self.inner(environ, start)
        if environ['REQUEST_METHOD'] != 'GET' or self.cut == 0:
            return body
        whole = b''.join(body)
        if len(whole) < 1000:
            return [whole]
        self.cut -= 1
        return self.halves(whole)

    @staticmethod
    def halves(whole):
        yield whole[:len(whole) // 2]
        raise ConnectionResetError

    def put(self, key, content=b''):
        fields = {'Content-Type': 'application/octet-stream', 'Authorization': 'AWS4-HMAC-SHA256 Credential='
                  'k/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0'}
        urllib.request.urlopen(urllib.request.Request('%s/%s' % (self.url, key), content, fields, method='PUT')).read()

    def delete(self, key):
        fields = {'Authorization': 'AWS4-HMAC-SHA256 Credential=k/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, '
                  'Signature=0'}
        urllib.request.urlopen(urllib.request.Request('%s/%s' % (self.url, key), None, fields, method='DELETE')).read()

    def environment(self):
        return dict(os.environ, AWS_ENDPOINT_URL=self.url, AWS_REGION='us-east-1', AWS_ACCESS_KEY_ID='public-name',
                    AWS_SECRET_ACCESS_KEY='secret-of-the-test')

    def close(self):
        self.server.shutdown()
