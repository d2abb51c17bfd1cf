"""Pages as a browser shows them: measured by Chromium, without network, all in one start."""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

# Runs in a page of its own; every report stands in a frame of the width that is asked for. The reports themselves
# forbid scripts, so this looks at them from outside.
HARNESS = r'''<!DOCTYPE html><meta charset="utf-8"><body><pre id="found"></pre><script>
const PAGES = %s;
function luminance(c) {
  const part = c.slice(0, 3).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * part[0] + .7152 * part[1] + .0722 * part[2];
}
function colour(text) { return (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number); }
function ground(element, view) {
  for (; element; element = element.parentElement) {
    const c = colour(view.getComputedStyle(element).backgroundColor);
    if (c.length < 4 || c[3] > .99) return c;
  }
  return [255, 255, 255];
}
function contrast(a, b) {
  const x = luminance(a), y = luminance(b);
  return (Math.max(x, y) + .05) / (Math.min(x, y) + .05);
}
function measure(frame, page) {
  const doc = frame.contentDocument, view = frame.contentWindow, bad = [];
  const say = (what, element, value) =>
    bad.push(what + ' ' + value + ': <' + element.tagName + ' ' + (element.className.baseVal ?? element.className) + '> ' +
             element.textContent.slice(0, 60));
  for (const details of doc.querySelectorAll('details')) details.open = true;
  const root = doc.documentElement;
  if (root.scrollWidth > page.width) bad.push('the page is ' + root.scrollWidth + ' wide');
  for (const element of doc.body.querySelectorAll('*')) {
    if (element.closest('.wide') && !element.matches('.wide')) continue;
    const box = element.getBoundingClientRect();
    if (box.right > page.width + 1 && !element.closest('svg')) say('sticks out to', element, box.right);
  }
  // In a wide window all columns of a table are seen at once.
  for (const box of page.width < 1280 ? [] : doc.querySelectorAll('.wide'))
    if (box.scrollWidth > box.clientWidth + 1) say('a table cut off', box, box.scrollWidth);
  // In a narrow one a table with one or two columns of names shows some of its numbers without being moved.
  // Pages of steps are left out: their names are pieces of text as long as these are.
  for (const box of page.name.startsWith('steps ') ? [] : doc.querySelectorAll('.wide')) {
    const number = box.querySelector('tbody tr td.n');
    if (number && number.cellIndex <= 2 && number.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)
      say('a table that shows no number', box, number.getBoundingClientRect().right);
  }
  for (const caption of doc.querySelectorAll('caption')) {
    if (caption.getBoundingClientRect().right > page.width) say('cut off', caption, caption.getBoundingClientRect().right);
  }
  const probe = doc.createElement('span');
  probe.textContent = '000000';
  probe.style.cssText = 'position:absolute;white-space:nowrap';
  for (const cell of doc.querySelectorAll('th, td')) {
    cell.append(probe);
    const six = probe.getBoundingClientRect().width;
    probe.remove();
    const style = view.getComputedStyle(cell);
    const inner = cell.getBoundingClientRect().width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (inner < six - .5) say('a column of', cell, inner);
  }
  const walk = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT);
  let least = 99, small = 99;
  for (let node; (node = walk.nextNode());) {
    const element = node.parentElement, style = view.getComputedStyle(element);
    if (!node.data.trim() || element.closest('title, desc, style') || style.display === 'none') continue;
    const drawn = element.closest('svg') !== null;
    const ratio = contrast(colour(drawn ? style.fill : style.color), ground(drawn ? element.closest('figure') : element, view));
    least = Math.min(least, ratio);
    if (ratio < 4.5) say('contrast', element, ratio.toFixed(2));
    if (element.closest('td, th') && !element.closest('.long, .id')) {
      for (const word of node.data.matchAll(/[A-Za-z0-9]{2,16}/g)) {
        const range = doc.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const rows = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
        if (rows.size > 1) say('a word broken:', element, word[0]);
      }
    }
    if (!drawn) continue;
    const height = parseFloat(style.fontSize) * element.closest('svg').getBoundingClientRect().width /
                   element.closest('svg').viewBox.baseVal.width;
    small = Math.min(small, height);
    if (height < 9.5) say('letters of', element, height.toFixed(1));
    const box = element.getBoundingClientRect(), around = element.closest('svg').getBoundingClientRect();
    if (box.left < around.left - 1 || box.right > around.right + 1) say('cut off in a drawing', element, box.left);
  }
  return {name: page.name, width: page.width, dark: page.dark, bad: bad.slice(0, 8), contrast: least, letters: small,
          ground: ground(doc.body, view), lead: doc.querySelector('.lead')?.textContent ?? '',
          texts: doc.body.textContent.length};
}
const found = [];
let open = PAGES.length;
for (const page of PAGES) {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'border:0;width:' + page.width + 'px;height:800px';
  frame.onload = () => {
    try { found.push(measure(frame, page)); } catch (error) { found.push({name: page.name, bad: ['' + error]}); }
    frame.remove();
    if (--open === 0) document.getElementById('found').textContent = JSON.stringify(found);
  };
  frame.srcdoc = page.html;
  document.body.append(frame);
}
</script>'''
FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars',
         '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions',
         '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND']


def chromium():
    """The browser, or None where there is none."""
    return shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')


def in_scheme(page, dark):
    """The page as a reader with that setting gets it. Another media query is another page: it must be found."""
    query = '(prefers-color-scheme: dark)'
    if page.count(query) != 1:
        raise AssertionError('the page does not follow the colours that the reader has set')
    return page.replace(query, 'all' if dark else 'not all')


def start(arguments, seconds=300):
    with tempfile.TemporaryDirectory(prefix='twinset-browser-') as profile:
        return subprocess.run([chromium(), *FLAGS, '--user-data-dir=' + profile, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=seconds, check=True,
                              env={**os.environ, 'HOME': profile}).stdout.decode()


def measure(pages, widths=(390, 1280)):
    """What is wrong with each of {name: html}, at each width, light and dark: a list of dictionaries."""
    wanted = [{'name': name, 'width': width, 'dark': dark, 'html': in_scheme(page, dark)}
              for name, page in pages.items() for width in widths for dark in (False, True)]
    with tempfile.TemporaryDirectory(prefix='twinset-look-') as folder:
        harness = pathlib.Path(folder) / 'harness.html'
        # A page may say </script>; in JSON the slash may be escaped.
        harness.write_text(HARNESS % json.dumps(wanted).replace('<', '\\u003c'), encoding='utf-8')
        dumped = start(['--window-size=1400,900', '--virtual-time-budget=60000', '--dump-dom', harness.as_uri()])
    match = re.search(r'<pre id="found">(.*?)</pre>', dumped, re.S)
    found = json.loads(html.unescape(match.group(1))) if match and match.group(1) else []
    if len(found) != len(wanted):
        raise AssertionError('the browser has measured %d of %d pages' % (len(found), len(wanted)))
    return found


def screenshot(page, width, dark, to, height=2400):
    with tempfile.TemporaryDirectory(prefix='twinset-shot-') as folder:
        path = pathlib.Path(folder) / 'page.html'
        # A window is never narrower than 500: the page stands in a frame.
        path.write_text('<!DOCTYPE html><body style="margin:0"><iframe style="border:0;width:%dpx;height:%dpx" srcdoc="%s">'
                        % (width, height, html.escape(in_scheme(page, dark), quote=True)), encoding='utf-8')
        start(['--window-size=%d,%d' % (max(width, 500), height), '--screenshot=%s' % to, path.as_uri()])
