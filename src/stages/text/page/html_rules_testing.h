// Pages of a rule each, for tests.
#ifndef TWINSET_SRC_STAGES_TEXT_PAGE_HTML_RULES_TESTING_H_
#define TWINSET_SRC_STAGES_TEXT_PAGE_HTML_RULES_TESTING_H_

#include <string_view>

namespace twinset {

struct HtmlRule {
  std::string_view html, text;
};

// Each rule of docs/methods/clean-text.md.
inline constexpr HtmlRule kHtmlRules[] = {
    {"", ""},
    {"plain", "plain"},
    {"<p>one<p>two", "one\ntwo"},
    {"<div>a</div>b<div>c</div>", "a\nb\nc"},
    {"a<br>b<br/><br>c", "a\nb\nc"},
    {"a<b>b</b>c <i> d</i> e", "abc d e"},
    {"  a \t\n b  ", "a b"},
    {"<p> a </p> <p> b </p>", "a\nb"},
    {"<script>x<b>y</script>a", "a"},
    {"<script><!-- <script>x</script> --></script>a", "a"},
    {"<script><!--</script>a", "a"},
    {"<style>p{}</style>a<style>", "a"},
    {"<template><p>x</p></template>a", "a"},
    {"<body><noscript><p>x</p></noscript>a", "a"},
    {"a<!-- x -->b<!-->c<!--->d<!-- y --!>e<!x>f<?y?>g</>h", "abcdefgh"},
    {"<head><title>T</title><meta name=d content=x></head><body>a", "a"},
    {"a<p hidden>x</p>b", "ab"},
    {"<div><span><button style='display:none'/></span></div>b", "b"},
    {"<div hidden>x<template><div></template></div>b", "b"},
    {"<div><b hidden>x<div>y</div>z</b></div>b", "b"},
    {"<p>a<div hidden>x</div>b", "a\nb"},
    {"<p>a<p hidden>x<p>b", "a\nb"},
    {"a<span hidden>x<span>y</span>z</span>b", "ab"},
    {"a<div hidden=''>x<div>y</div>z</div>b", "ab"},
    {"a<input type=hidden value=x>b", "ab"},
    {"a<b style='color:red; DISPLAY : none !important'>x</b>b", "ab"},
    {"a<b style='display:none;display:block'>x</b>b", "axb"},
    {"a<b style='&#100;isplay:none'>x</b>b", "ab"},
    {"<p hidden>x<p>a", "a"},
    {"<ul><li hidden>x<ul><li>y</ul><li>a</ul>b", "a\nb"},
    {"<ul><li hidden>x</ul>b", "b"},
    {"<table><tr><td hidden>x<td>a<tr><td>b</table>c", "a\nb\nc"},
    {"<table><tr><th>a</th><td>b</td></tr><tr><td>c<td>d</table>",
     "a\tb\nc\td"},
    {"<table><caption>t</caption><tr><td>a</td></tr></table>x", "t\na\nx"},
    {"<!doctype html><p>a<table>b<tr><td>c</table>", "a\nb\nc"},
    {"<p>a<table>b<tr><td>c</table>", "ab\nc"},
    {"a<img alt=x src=y>b", "ab"},
    {"<pre>\n a\n  b \n</pre>c", " a\n  b \nc"},
    {"<pre>\r\n a\r\n\r b</pre>", " a\n\n b"},
    {"x<textarea>\n a  <b>&amp; </textarea>y", "x a  <b>& y"},
    {"<xmp>a &amp; <b></xmp>", "a &amp; <b>"},
    {"a<plaintext>b &amp; <i>c", "a\nb &amp; <i>c"},
    {"a<iframe src=u>x<b></iframe>b", "ab"},
    {"a<svg><text>x</text><title>t</title></svg>b", "ab"},
    {"a<svg/>b", "ab"},
    {"a<svg><g><p>b", "a\nb"},
    {"a<video>x</video><audio>y</audio><canvas>z</canvas>b", "ab"},
    {"<ruby>k<rp>(</rp><rt>r</rt><rp>)</rp></ruby>", "k"},
    {"a<ruby>\xE6\xBC\xA2<rp>(</rp><rt>\xE3\x81\x8B</rt><rp>)</rp>"
     "\xE5\xAD\x97<rt>\xE3\x81\x98</ruby>b",
     "a\xE6\xBC\xA2\xE5\xAD\x97"
     "b"},
    {"<ruby><rb>a<rb>b<rt>x<rt>y<rtc><rt>z</rtc></ruby>c", "abc"},
    {"<ruby><rb>a</rb><rtc>x<rp>(</rp><rt>y</rt></rtc><rb>b</rb></ruby>", "ab"},
    {"<ruby><ruby>a<rt>x</rt></ruby><rt>y</rt>b</ruby>c", "abc"},
    {"<ruby>a<rt>x<ruby>y<rt>z</rt></ruby>q</rt></ruby>b", "ab"},
    {"<ruby>a<rt><span hidden>x</span><b>y</b>z</rt>b</ruby>", "ab"},
    {"<p><ruby>a<rt>x</p>b", "a\nb"},
    {"<ruby>a<rt>x<p>b<p>c", "a\nb\nc"},
    {"<div><ruby>a<rt hidden>x<p>y</ruby>z</div>b", "a\nb"},
    {"<ruby>a<rt>x<video><p>y</p></video>z</ruby>b", "ab"},
    {"<ruby>a<rt>x<br>y</ruby>b", "ab"},
    {"a<rt>b</rt><rtc>c</rtc><rp>d</rp>e", "abce"},
    {"<ruby>a<table><tr><td>b<rt>c</table></ruby>", "a\nbc"},
    {"so\xC2\xAD"
     "ft hy&shy;phen &#173;&#xAD;ok&shy",
     "soft hyphen ok"},
    {"a \xC2\xAD b\xC2\xAD\n c\xC2\xAD", "a b c"},
    {"\xC2\xADx\xC2\xA0\xC2\xADy\xC3\xAD\xC2\xAE",
     "x\xC2\xA0y\xC3\xAD\xC2\xAE"},
    {"<pre>a\xC2\xAD b&shy;\n&shy;\n c</pre>", "a b\n\n c"},
    {"<xmp>a\xC2\xAD&shy;</xmp><textarea>b\xC2\xAD&shy;c</textarea>",
     "a&shy;\nbc"},
    {"a<plaintext>b\xC2\xAD c", "a\nb c"},
    {"a&shy;<b>&shy;</b>b", "ab"},
    {"a<script type='text/template'><p>x</p></script>b", "ab"},
    {"a<script type=text/x-handlebars>{{x}}<!-- <script> --></script>b", "ab"},
    {"a<script type='text/html'><div>x</div></SCRIPT >b", "ab"},
    {"<table><script type=text/template><tr><td>x</script><tr><td>a</table>",
     "a"},
    {"<select><script type=text/template><option>x</script><option>a</select>",
     "a"},
    {"<select><option>a<option>b</select>c", "a\nb\nc"},
    {"<dl><dt>a<dd>b</dl>c", "a\nb\nc"},
    {"<h1>a</h1>b<hr>c", "a\nb\nc"},
    {"a < b << c <3 </", "a < b << c <3 </"},
    {"a<b", "a"},
    {"a<b c='x>y", "a"},
    {"a<b c='>'>b</b >c", "abc"},
    {"a<B C=\"<i>\" D>b</b x='>'>c", "abc"},
    {"&lt;b&gt; &amp;amp; &eacute;&eacutex &notit; &notin; &#233;&#xE9",
     "<b> &amp; \xC3\xA9\xC3\xA9x \xC2\xACit; \xE2\x88\x89 \xC3\xA9\xC3\xA9"},
    {"&#0;&#x80;&#xD800;&#x110000;&#99999999999;&#;&#x;&;&x",
     "\xEF\xBF\xBD\xE2\x82\xAC\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
     "&#;&#x;&;&x"},
    {"a&nbsp;b",
     "a\xC2\xA0"
     "b"},
    {"a&#32;&#10;b", "a b"},
    {std::string_view("a\0b", 3), "ab"},
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_TEXT_PAGE_HTML_RULES_TESTING_H_
