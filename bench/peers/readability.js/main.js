// Readability.js for bench/bench_content.py: paths of pages on stdin, lines of JSON on stdout
// (bench/content_peers.py). jsdom, which its documentation recommends, parses them; no script is run and
// nothing is fetched. Options are the defaults. Bytes that are UTF-8 are taken for it, others are decoded
// by jsdom as the page declares, since many pages declare nothing. The cleaned markup is given out: the
// text of it as the library joins it has no space between blocks. Where the library finds no article the
// text is empty, which is no error.
import { readFileSync, writeSync } from 'node:fs';
import { Readability } from '@mozilla/readability';
import { JSDOM, VirtualConsole } from 'jsdom';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const silent = new VirtualConsole();  // Faults in style sheets are no faults of ours.

function decoded(page) {
  try {
    return utf8.decode(page);
  } catch {
    return page;
  }
}

function extract(page) {
  try {
    const { window } = new JSDOM(decoded(page), { url: 'https://page.example/', virtualConsole: silent });
    const article = new Readability(window.document).parse();
    window.close();
    return { html: article?.content ?? '' };
  } catch (error) {
    return { html: '', error: String(error) };
  }
}

function print(row) {
  const line = Buffer.from(JSON.stringify(row) + '\n');
  for (let done = 0; done < line.length;) done += writeSync(1, line, done);
}

const paths = readFileSync(0, 'utf8').split('\n').filter(Boolean);
let spent = 0;
for (const [i, path] of paths.entries()) {
  const page = readFileSync(path);
  if (i === 0) extract(page);  // what is made at first use
  const start = process.cpuUsage();
  const row = extract(page);
  const { user, system } = process.cpuUsage(start);
  spent += user + system;
  print(row);
  await new Promise(setImmediate);  // Trees are not freed before the end of a turn.
}
print({ seconds: spent / 1e6 });
