#include "report/html_style.h"

namespace twinset {

const std::string_view kPageStyle = R"(<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #59626d; --line: #dfe3e8;
  --card: #f5f7f9; --add: #d3f1d8; --del: #ffdccf; --mark: #fdeeb5; --warn: #fff3d6; --edge: #b36b00; --shade: #0002;
  --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #b04a8a; --s4: #e69f00; --s5: #56b4e9;
  --s6: #1b1f24; --s7: #7a3e9d; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e8eaed; --soft: #a9b2bc;
  --line: #353b43; --card: #1e2227; --add: #12432d; --del: #5a2616; --mark: #4a3d0c; --warn: #3b2f14;
  --edge: #e0a030; --shade: #fff3; --s0: #5db4f0; --s1: #ff8c4a; --s2: #33c79a; --s3: #e58cc3; --s4: #f0c14b;
  --s5: #8fd0ff; --s6: #e8eaed; --s7: #c79bf0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
h1, h2, h3, h4 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; }
p { margin: .5rem 0; max-width: 46rem; overflow-wrap: anywhere; unicode-bidi: isolate; }
.lead { font-size: 1.15rem; margin: .2rem 0 1.6rem; }
.lead b { font-weight: 650; }
.note { color: var(--soft); font-size: .92rem; }
.warning { background: var(--warn); border-left: .25rem solid var(--edge); border-radius: .3rem;
  padding: .5rem .8rem; }
.facts { display: flex; flex-wrap: wrap; gap: .9rem; margin: 1.2rem 0; }
.facts div { flex: 1 1 11rem; max-width: 20rem; background: var(--card); border-radius: .6rem; padding: .9rem 1rem;
  min-width: 0; }
.facts dt { color: var(--soft); font-size: .88rem; }
.facts dd { margin: .1rem 0 0; font-size: 1.6rem; font-weight: 620; line-height: 1.3;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.facts small { display: block; font-size: .88rem; font-weight: 400; color: var(--soft); }
figure { margin: 1.2rem 0 1.6rem; }
figcaption { font-weight: 600; margin-bottom: .3rem; overflow-wrap: anywhere; }
figure svg { display: block; width: 100%; max-width: 46rem; height: auto; }
.lead + figure svg, .facts + figure svg { max-width: none; }
figure svg.shares { height: 1.5rem; max-width: none; border-radius: .4rem; }
figure .key { display: inline-block; width: 1.75rem; height: .75rem; margin-right: .45rem; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0;
  margin: .5rem 0; font-size: .92rem; }
.legend li { overflow-wrap: anywhere; min-width: 0; }
.wide { overflow-x: auto; margin: .6rem 0 1.4rem; background:
  linear-gradient(90deg, var(--paper) 40%, transparent) left / 2rem 100% no-repeat local,
  linear-gradient(270deg, var(--paper) 40%, transparent) right / 2rem 100% no-repeat local,
  linear-gradient(90deg, var(--shade), transparent) left / .7rem 100% no-repeat,
  linear-gradient(270deg, var(--shade), transparent) right / .7rem 100% no-repeat; }
table { border-collapse: collapse; font-size: .95rem; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; max-width: calc(100vw - 2.5rem);
  overflow-wrap: anywhere; }
th, td { text-align: left; vertical-align: top; padding: .4rem 1.1rem .4rem 0; min-width: 9ch;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word; unicode-bidi: isolate; }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; overflow-wrap: normal; }
tbody th { font-weight: 400; color: var(--soft); }
.long { min-width: 16rem; overflow-wrap: anywhere; }
.n { text-align: right; white-space: nowrap; overflow-wrap: normal; font-variant-numeric: tabular-nums; }
thead .n { white-space: normal; min-width: 6.5rem; }
.id { font: .84rem/1.45 ui-monospace, SFMono-Regular, Menlo, monospace; color: var(--soft);
  overflow-wrap: anywhere; }
td .id { display: block; }
article { border: 1px solid var(--line); border-radius: .6rem; margin: 1.1rem 0; overflow: hidden; }
article header { display: flex; flex-wrap: wrap; gap: .3rem .7rem; align-items: baseline;
  padding: .65rem 1rem; background: var(--card); }
article h3 { margin: 0 .3rem 0 0; font-variant-numeric: tabular-nums; }
.tag { font-size: .84rem; border: 1px solid var(--line); border-radius: 1rem; padding: .02rem .65rem;
  color: var(--soft); background: var(--paper); overflow-wrap: anywhere; }
.two { display: grid; grid-template-columns: 1fr 1fr; }
.two > div { padding: .8rem 1rem; min-width: 0; }
.two > div + div { border-left: 1px solid var(--line); }
.two .name { font-weight: 600; margin: 0; }
.two p.id { margin: 0 0 .5rem; }
.two .text { margin: 0; white-space: pre-line; overflow-wrap: anywhere; }
article > .note { margin: 0; padding: .5rem 1rem; border-top: 1px solid var(--line); max-width: none; }
ins, del, mark { text-decoration: none; color: inherit; border-radius: .2rem; padding: .05em .1em;
  -webkit-box-decoration-break: clone; box-decoration-break: clone; }
ins { background: var(--add); } del { background: var(--del); } mark { background: var(--mark); }
.skip { color: var(--soft); font-style: italic; }
details { margin: .8rem 0; }
summary { cursor: pointer; color: var(--soft); }
text { fill: var(--soft); font-size: 13px; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: var(--line); } .axis { stroke: var(--soft); }
.line { fill: none; stroke: var(--series); stroke-width: 2; }
.line.more { stroke-dasharray: 6 3; }
.mark, .bar { fill: var(--series); } .mark { stroke: var(--series); stroke-width: 0; stroke-linejoin: round; }
.pale { fill: var(--soft); opacity: .38; } .frame { fill: none; stroke: var(--s1); stroke-width: 2; }
.mark.more { fill: var(--paper); stroke-width: 1; } .ring { fill: none; stroke: var(--series); stroke-width: 2; }
.band { fill: var(--series); opacity: .18; }
.s0 { --series: var(--s0); } .s1 { --series: var(--s1); } .s2 { --series: var(--s2); }
.s3 { --series: var(--s3); } .s4 { --series: var(--s4); } .s5 { --series: var(--s5); }
.s6 { --series: var(--s6); } .s7 { --series: var(--s7); }
@media (max-width: 40rem) {
  main { padding: 1.5rem 1rem 3rem; } h1 { font-size: 1.5rem; } h2 { margin-top: 2.2rem; }
  .lead { font-size: 1.08rem; }
  .facts { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; } .facts div { padding: .7rem .8rem; }
  .facts dd { font-size: 1.35rem; }
  .two { grid-template-columns: 1fr; } .two > div + div { border-left: 0; border-top: 1px solid var(--line); }
  th, td { padding-right: .6rem; min-width: 8ch; } thead .n { min-width: 8ch; } .long { min-width: 9.5rem; }
  text { font-size: 21px; } figure .mark { stroke-width: 5; } figure .line, .ring { stroke-width: 3.5; }
  figure .key .mark, figure .key .line { stroke-width: 1; }
}
@media (min-width: 80rem) { main { max-width: 78rem; } .lead + figure svg, .facts + figure svg:not(.shares) { max-width: 65.5rem; } }
@media (min-width: 66rem) {
  figure:not(:has(.shares)):has(+ figure), figure:not(:has(.shares)) + figure { display: inline-block;
    vertical-align: top; width: calc(50% - 1.4rem); margin-right: 1.2rem; }
}
@media (min-width: 66rem) { .lead + figure text, .facts + figure text { font-size: 9px; } }
@media print { main { max-width: none; padding: 0; } article, figure, tr { break-inside: avoid; } }
</style>
)";

const std::string_view kServedStyle = R"(
a { color: var(--s0); text-underline-offset: .15em; overflow-wrap: anywhere; }
form { margin: 1.2rem 0 1.6rem; }
label { display: block; font-weight: 600; margin: .8rem 0 .3rem; }
.row { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.row > div { flex: 1 1 9rem; min-width: 0; }
.row input, .row select { height: 2.9rem; }
.row button { align-self: flex-start; margin-top: 2.65rem; height: 2.9rem; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: .6rem 0 1.2rem; }
nav b { font-weight: 650; }
.text a { color: inherit; }
input, textarea, select { width: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft);
  border-radius: .5rem; padding: .6rem .8rem; }
textarea { font-size: .95rem; line-height: 1.5; resize: vertical; }
form .note { margin: .3rem 0 0; }
button { font: inherit; font-weight: 600; color: var(--paper); background: var(--s0); border: 0; border-radius: .5rem;
  padding: .6rem 1.4rem; margin-top: .9rem; cursor: pointer; }
:focus-visible { outline: .2rem solid var(--s1); outline-offset: .15rem; }
)";

std::string ServedStyleSheet() {
  constexpr std::string_view kOpen = "<style>\n", kClose = "</style>\n";
  std::string_view page = kPageStyle;
  page.remove_prefix(kOpen.size());
  page.remove_suffix(kClose.size());
  return std::string(page) + std::string(kServedStyle);
}

const std::string_view kDrawingStyle = R"(<style>
text { fill: #444; font: 13px sans-serif; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: #ddd; } .axis { stroke: #444; }
.line { fill: none; stroke-width: 2; } .line.more { stroke-dasharray: 6 3; }
.band { opacity: .18; } .ring { fill: none; stroke-width: 2; }
.bar.s0, .mark.s0, .band.s0 { fill: #0072b2; } .line.s0, .ring.s0 { stroke: #0072b2; }
.bar.s1, .mark.s1, .band.s1 { fill: #d55e00; } .line.s1, .ring.s1 { stroke: #d55e00; }
.bar.s2, .mark.s2, .band.s2 { fill: #009e73; } .line.s2, .ring.s2 { stroke: #009e73; }
.bar.s3, .mark.s3, .band.s3 { fill: #b04a8a; } .line.s3, .ring.s3 { stroke: #b04a8a; }
.bar.s4, .mark.s4, .band.s4 { fill: #e69f00; } .line.s4, .ring.s4 { stroke: #e69f00; }
.bar.s5, .mark.s5, .band.s5 { fill: #56b4e9; } .line.s5, .ring.s5 { stroke: #56b4e9; }
.bar.s6, .mark.s6, .band.s6 { fill: #1b1f24; } .line.s6, .ring.s6 { stroke: #1b1f24; }
.bar.s7, .mark.s7, .band.s7 { fill: #7a3e9d; } .line.s7, .ring.s7 { stroke: #7a3e9d; }
.mark.more { fill: #fff !important; stroke: #444; }
.pale { fill: #bbb; } .frame { fill: none; stroke: #d55e00; stroke-width: 2; }
</style>
)";

}  // namespace twinset
