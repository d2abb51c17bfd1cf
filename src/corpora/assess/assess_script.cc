// The script of assess.html and its looks beside those of reports.
#include "assess/assess_page.h"

namespace twinset {

const std::string_view kAssessStyle = R"(<style>
body:not(.shown) .text ins, body:not(.shown) .text del { background: none; }
.text { unicode-bidi: isolate; white-space: pre-wrap; }
#tools { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); }
body.live article { display: none; }
body.live article.now { display: block; }
.questions { padding: .3rem 1rem .7rem; border-top: 1px solid var(--line); }
button, input { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line);
  border-radius: .4rem; padding: .25rem .6rem; margin: .1rem 0; max-width: 100%; }
button[aria-pressed="true"] { background: var(--add); border-color: var(--ink); }
#state { font-weight: 600; }
</style>
)";

const std::string_view kAssessScript = R"('use strict';
(() => {
  const QUESTIONS = ['content', 'appearance'], ANSWERS = ['yes', 'no', 'unsure'];
  const byId = (id) => document.getElementById(id);
  const sample = JSON.parse(byId('sample').textContent);
  const articles = [...document.querySelectorAll('article')];
  const key = 'twinset-labels ' + sample.digest;
  let labels = {}, at = 0, since = Date.now(), trouble = '';

  // Only what this page can have written.
  const cleaned = (label) => {
    const kept = {};
    for (const question of QUESTIONS)
      if (ANSWERS.includes(label[question])) kept[question] = label[question];
    if (typeof label.time === 'string') kept.time = label.time.slice(0, 40);
    if (Number.isFinite(label.seconds)) kept.seconds = label.seconds;
    return kept;
  };
  const take = (rows) => {
    for (const row of rows)
      if (Number.isInteger(row.pair) && row.pair >= 1 && row.pair <= articles.length)
        labels[row.pair] = cleaned(row);
  };
  const rowsOf = () => Object.keys(labels).map(Number).sort((x, y) => x - y).map((pair) => ({
    pair, a: sample.pairs[pair - 1][0], b: sample.pairs[pair - 1][1], ...labels[pair]}));
  const save = () => {
    try {
      localStorage.setItem(key, JSON.stringify({assessor: byId('assessor').value, labels: rowsOf()}));
    } catch (error) {
      trouble = 'This browser keeps nothing: export before you leave.';
    }
  };
  const load = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(key));
      if (!kept) return;
      byId('assessor').value = kept.assessor;
      take(kept.labels);
    } catch (error) {
      trouble = 'What this browser had kept cannot be read.';
    }
  };
  const isDone = (pair) => QUESTIONS.every((question) => labels[pair] && labels[pair][question]);
  const show = () => {
    articles.forEach((article, i) => article.classList.toggle('now', i === at));
    for (const button of articles[at].querySelectorAll('button')) {
      const label = labels[at + 1] || {};
      button.setAttribute('aria-pressed', String(label[button.dataset.question] === button.dataset.answer));
    }
    const done = articles.filter((article, i) => isDone(i + 1)).length;
    byId('state').textContent = 'Pair ' + (at + 1) + ' of ' + articles.length + '; ' + done + ' answered. ' + trouble;
  };
  const go = (to) => {
    at = Math.min(Math.max(to, 0), articles.length - 1);
    since = Date.now();
    show();
    articles[at].scrollIntoView({block: 'nearest'});
  };
  const answer = (question, value) => {
    const label = labels[at + 1] = labels[at + 1] || {};
    const wasDone = isDone(at + 1);
    label[question] = value;
    label.time = new Date().toISOString();
    label.seconds = Math.round((Date.now() - since) / 100) / 10;
    save();
    if (!wasDone && isDone(at + 1) && at + 1 < articles.length) go(at + 1);
    else show();
  };
  const exported = () => {
    const head = JSON.stringify({magic: 'twinset-labels', version: 1, sample: sample.digest,
                                 assessor: byId('assessor').value.trim() || 'nameless'});
    return head.slice(0, -1) + ',"labels":[\n' + rowsOf().map((row) => JSON.stringify(row)).join(',\n') + '\n]}\n';
  };
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([exported()], {type: 'application/json'}));
    link.download = 'labels-' + (byId('assessor').value.replace(/[^A-Za-z0-9-]+/g, '-') || 'nameless') + '.json';
    link.click();
  };
  const imported = async (file) => {
    try {
      const read = JSON.parse(await file.text());
      if (read.magic !== 'twinset-labels' || read.version !== 1) throw new Error('It is no file of labels.');
      if (read.sample !== sample.digest) throw new Error('These are labels of another sample.');
      take(read.labels);
      if (typeof read.assessor === 'string') byId('assessor').value = read.assessor;
      trouble = '';
      save();
    } catch (error) {
      trouble = 'Nothing was imported. ' + error.message;
    }
    show();
  };

  byId('tools').hidden = false;
  for (const questions of document.querySelectorAll('.questions')) questions.hidden = false;
  document.body.classList.add('live');
  document.addEventListener('keydown', (event) => {
    if (event.target === byId('assessor') || event.ctrlKey || event.altKey || event.metaKey) return;
    const digit = '123456'.indexOf(event.key);
    if (event.key.length === 1 && digit >= 0) answer(QUESTIONS[Math.floor(digit / 3)], ANSWERS[digit % 3]);
    else if (event.key === 'ArrowRight') go(at + 1);
    else if (event.key === 'ArrowLeft') go(at - 1);
    else if (event.key === 'd') document.body.classList.toggle('shown');
    else if (event.key === 'e') download();
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button && button.dataset.question) answer(button.dataset.question, button.dataset.answer);
  });
  byId('previous').addEventListener('click', () => go(at - 1));
  byId('next').addEventListener('click', () => go(at + 1));
  byId('differences').addEventListener('click', () => document.body.classList.toggle('shown'));
  byId('export').addEventListener('click', download);
  byId('import').addEventListener('change', (event) => event.target.files[0] && imported(event.target.files[0]));
  byId('assessor').addEventListener('change', save);
  load();
  const open = articles.findIndex((article, i) => !isDone(i + 1));
  go(open < 0 ? 0 : open);
})();
)";

}  // namespace twinset
