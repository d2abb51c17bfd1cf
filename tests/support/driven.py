"""A browser that is driven: Chromium over the pipe of its own protocol (--remote-debugging-pipe), without a driver.

    with Browser() as browser:
        page = browser.open('http://127.0.0.1:7411/', width=390, dark=True)
        page.press('Tab')
        page.value('document.activeElement.tagName')
"""
import functools
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time

import browser as stills
from measured import Skipped, require

KEYS = {'Tab': (9, ''), 'Enter': (13, '\r'), 'Space': (32, ' '), 'ArrowDown': (40, ''), 'End': (35, '')}
# What a reader who sees nothing, or has no mouse, would stumble over.
SERIOUS = ('serious', 'critical')


@functools.cache
def axe():
    """The source of axe-core; Skipped where it is not installed."""
    root = subprocess.run(['npm', 'root', '--global'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout.strip() if stills.shutil.which('npm') else ''
    path = pathlib.Path(root or '/nowhere') / 'axe-core/axe.min.js'
    if not path.exists():
        raise Skipped('no axe-core: tools/install_dependencies axe')
    return path.read_text(encoding='utf-8')


class Browser:
    def __enter__(self):
        if stills.chromium() is None:
            raise Skipped('no Chromium: tools/install_dependencies test')
        self.profile = tempfile.TemporaryDirectory(prefix='twinset-browser-', ignore_cleanup_errors=True)
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def take():
            # In this order: either may be 3 or 4 already.
            spare = os.dup(from_write)
            os.dup2(to_read, 3)
            os.dup2(spare, 4)

        flags = [flag for flag in stills.FLAGS if not flag.startswith('--host-resolver')]
        self.process = subprocess.Popen(
            [stills.chromium(), *flags, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
             '--user-data-dir=' + self.profile.name, '--remote-debugging-pipe', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=take,
            close_fds=False, env={**os.environ, 'HOME': self.profile.name})
        os.close(to_read)
        os.close(from_write)
        self.to, self.source, self.held, self.number = to_write, from_read, b'', 0
        self.events = []
        return self

    def __exit__(self, *_):
        try:
            self.call('Browser.close')  # its other processes end too
            self.process.wait(10)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.source)
        self.profile.cleanup()

    def _next(self, deadline):
        while b'\0' not in self.held:
            if not select.select([self.source], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError('the browser does not answer')
            piece = os.read(self.source, 1 << 20)
            require(piece, 'the browser has ended')
            self.held += piece
        message, self.held = self.held.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, session=None, seconds=30, **parameters):
        self.number += 1
        number = self.number
        message = {'id': number, 'method': method, 'params': parameters}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.to, data):]
        deadline = time.monotonic() + seconds
        while True:
            answer = self._next(deadline)
            if answer.get('id') == number:
                require('error' not in answer, method, answer.get('error'))
                return answer['result']
            if 'method' in answer:
                self.events.append(answer)

    def wait(self, event, session, seconds=30):
        deadline = time.monotonic() + seconds
        while True:
            for at, seen in enumerate(self.events):
                if seen['method'] == event and seen.get('sessionId') == session:
                    del self.events[at]
                    return seen['params']
            self.events.append(self._next(deadline))

    def open(self, address, width=1280, dark=False, height=900):
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        page = Page(self, session, target)
        page.call('Page.enable')
        page.call('Runtime.enable')
        page.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.call('Emulation.setEmulatedMedia',
                  features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])
        page.go(address)
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def close(self):
        self.browser.call('Target.closeTarget', targetId=self.target)

    def loaded(self):
        self.browser.wait('Page.loadEventFired', self.session)

    def go(self, address):
        self.browser.events.clear()
        self.call('Page.navigate', url=address)
        self.loaded()

    def value(self, expression):
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        require('exceptionDetails' not in answer, expression[:100], answer.get('exceptionDetails'))
        return answer['result'].get('value')

    def press(self, key):
        code, text = KEYS[key]
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=' ' if key == 'Space' else key, code=key,
                      windowsVirtualKeyCode=code, **({'text': text} if text and kind == 'keyDown' else {}))

    def enter(self):
        """The key that follows a link or sends a form; back when the next page is there."""
        self.browser.events.clear()
        self.press('Enter')
        self.loaded()

    def type(self, text):
        self.call('Input.insertText', text=text)

    def tab_to(self, test, most=60):
        """Goes on by the key Tab until the script `test` says that the element `at` is the one."""
        for _ in range(most):
            self.press('Tab')
            if self.value('(at => %s)(document.activeElement)' % test):
                require(self.value('document.activeElement.matches(":focus-visible") && '
                                   'getComputedStyle(document.activeElement).outlineStyle !== "none"'),
                        'nothing shows where the keys are:', self.value('document.activeElement.outerHTML')[:200])
                return
        raise AssertionError('the keys do not reach ' + test)

    def file(self, selector, path):
        root = self.call('DOM.getDocument')['root']['nodeId']
        node = self.call('DOM.querySelector', nodeId=root, selector=selector)['nodeId']
        self.call('DOM.setFileInputFiles', files=[str(path)], nodeId=node)

    def findings(self):
        """What axe-core finds of weight, a line each."""
        self.value(axe() + '; 0')
        found = self.value('axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations.map(one => '
                           '[one.impact, one.id + ": " + one.help + ": " + one.nodes[0].html.slice(0, 200)]))')
        return [what for impact, what in found if impact in SERIOUS]

    def wider_than_the_window(self):
        return self.value('document.documentElement.scrollWidth > innerWidth')
