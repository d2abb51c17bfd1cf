#include "ads/search_page.h"

#include <algorithm>
#include <utility>

#include "ads/auction_page.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "documents/page_text.h"
#include "documents/result_places.h"
#include "net/url.h"
#include "report/html_report.h"
#include "twinset/measure/auction.h"
#include "twinset/measure/engine.h"
#include "twinset/plain_words.h"

namespace twinset::ads {
namespace {

constexpr size_t kSnippetBytes = 200;

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;
--line:#d0d7de;--link:#0a3fa8;--ad:#fff8e1;--mark:#7a4b00}
@media(prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#e6e9ec;
--soft:#9aa4ae;--line:#343b42;--link:#8ab4ff;--ad:#241e10;--mark:#ffc861}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1.5rem 1rem;background:var(--paper);
color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:0}h2{font-size:1rem;margin:0 0 .75rem}
h3{font-size:1.05rem;font-weight:600;margin:0}
header{border-bottom:1px solid var(--line);padding-bottom:.75rem}
header p,cite,summary,.none{color:var(--soft);font-size:.875rem;
font-style:normal;margin:0}
.columns{display:grid;gap:2rem;grid-template-columns:minmax(0,2fr) minmax(0,1fr);
padding-top:1.25rem}
@media(max-width:44rem){.columns{grid-template-columns:minmax(0,1fr)}}
ol,ul{list-style:none;margin:0;padding:0}li{margin:0 0 1.25rem}
li p{margin:.15rem 0}details ul{padding:.5rem 0 0 1rem}details li{margin:0 0 .5rem}
a{color:var(--link)}a:focus-visible{outline:2px solid var(--link);
outline-offset:2px}
aside{align-self:start;background:var(--ad);border:1px solid var(--line);
border-radius:.5rem;padding:1rem}aside li:last-child{margin:0}
.label{border:1px solid currentColor;border-radius:.25rem;color:var(--mark);
font-size:.75rem;margin-right:.4rem;padding:0 .3rem}
)";

class Writer {
 public:
  Writer& Raw(std::string_view html) {
    html_ += html;
    return *this;
  }
  Writer& Text(std::string_view text) {
    AppendHtml(&html_, text);
    return *this;
  }
  // A link, or the words alone where the address is not of the web.
  Writer& Link(std::string_view address, std::string_view words,
               std::string_view rel) {
    if (!IsHttpUrl(address)) return Text(words);
    return Raw("<a href=\"")
        .Text(address)
        .Raw("\" rel=\"")
        .Raw(rel)
        .Raw("\">")
        .Text(words)
        .Raw("</a>");
  }
  std::string Take() && { return std::move(html_); }

 private:
  std::string html_;
};

std::string_view FirstOf(std::string_view x, std::string_view y) {
  return x.empty() ? y : x;
}

void WriteResult(const PageResult& result, Writer* to) {
  to->Raw("<li>\n<h3>")
      .Link(result.url, FirstOf(result.title, result.url),
            "nofollow noopener noreferrer")
      .Raw("</h3>\n<cite>")
      .Text(result.url)
      .Raw("</cite>\n");
  if (!result.text.empty()) to->Raw("<p>").Text(result.text).Raw("</p>\n");
  if (!result.similar.empty()) {
    const size_t count = result.similar.size();
    to->Raw("<details><summary>")
        .Text(std::to_string(count) +
              (count == 1 ? " similar result" : " similar results"))
        .Raw("</summary>\n<ul>\n");
    for (const PageResult& one : result.similar)
      to->Raw("<li>")
          .Link(one.url, FirstOf(one.title, one.url),
                "nofollow noopener noreferrer")
          .Raw("<br><cite>")
          .Text(one.url)
          .Raw("</cite></li>\n");
    to->Raw("</ul></details>\n");
  }
  to->Raw("</li>\n");
}

void WriteAd(const PageAd& ad, Writer* to) {
  to->Raw("<li>\n<h3><span class=\"label\">Ad</span>")
      .Link(ad.landing, FirstOf(ad.title, ad.advertiser),
            "sponsored nofollow noopener noreferrer")
      .Raw("</h3>\n");
  if (!ad.text.empty()) to->Raw("<p>").Text(ad.text).Raw("</p>\n");
  const std::string host = UrlHost(ad.landing);
  to->Raw("<cite>").Text(FirstOf(host, ad.advertiser)).Raw("</cite>\n</li>\n");
}

std::string Collapsed(std::string_view text) {
  std::string collapsed;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space) {
      collapsed += c;
    } else if (!collapsed.empty() && collapsed.back() != ' ') {
      collapsed += ' ';
    }
  }
  while (!collapsed.empty() && collapsed.back() == ' ') collapsed.pop_back();
  return collapsed;
}

}  // namespace

std::vector<PageResult> CollapseSimilar(
    std::vector<PageResult> results,
    const std::function<bool(size_t, size_t)>& same) {
  std::vector<PageResult> kept;
  std::vector<size_t> leaders;
  for (size_t i = 0; i < results.size(); ++i) {
    size_t at = 0;
    while (at < leaders.size() && !same(leaders[at], i)) ++at;
    if (at < leaders.size()) {
      kept[at].similar.push_back(std::move(results[i]));
    } else {
      leaders.push_back(i);
      kept.push_back(std::move(results[i]));
    }
  }
  return kept;
}

std::string Snippet(std::string_view text,
                    const std::vector<std::string>& words) {
  // Enough of a long page to find a word in.
  const std::string all = Collapsed(text.substr(0, 1 << 16));
  std::string lower = all;
  for (char& c : lower) c = ToLowerAscii(c);
  size_t place = std::string::npos;
  for (const std::string& word : words)
    if (!word.empty()) place = std::min(place, lower.find(word));
  size_t begin = place == std::string::npos || place < 60 ? 0 : place - 60;
  if (all.size() <= kSnippetBytes) begin = 0;
  if (begin > 0) {
    const size_t blank = all.find(' ', begin);
    if (blank != std::string::npos && blank < place) begin = blank + 1;
    while (begin < all.size() && IsContinuation(all[begin])) ++begin;
  }
  size_t end = std::min(all.size(), begin + kSnippetBytes);
  if (end < all.size()) {
    const size_t blank = all.rfind(' ', end);
    if (blank != std::string::npos && blank > begin + kSnippetBytes / 2)
      end = blank;
    while (end > begin && IsContinuation(all[end])) --end;
  }
  return (begin > 0 ? "\xe2\x80\xa6 " : "") + all.substr(begin, end - begin) +
         (end < all.size() ? " \xe2\x80\xa6" : "");
}

std::string RenderSearchPage(const SearchPage& page) {
  Writer to;
  to.Raw(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n<title>")
      .Text(page.query)
      .Raw(" - search</title>\n<style>")
      .Raw(kStyle)
      .Raw("</style>\n</head>\n<body>\n<header>\n<h1>")
      .Text(page.query)
      .Raw("</h1>\n<p>");
  if (page.hits_known)
    to.Text("About " + NumberText(page.hits) +
            (page.hits == 1 ? " result" : " results") + " in ");
  to.Text(page.engine)
      .Raw(
          "</p>\n</header>\n<div class=\"columns\">\n"
          "<main aria-label=\"Results\">\n<h2>Results</h2>\n");
  if (page.results.empty()) {
    to.Raw("<p class=\"none\">Nothing was found.</p>\n");
  } else {
    to.Raw("<ol>\n");
    for (const PageResult& result : page.results) WriteResult(result, &to);
    to.Raw("</ol>\n");
  }
  to.Raw("</main>\n");
  if (!page.ads.empty()) {
    to.Raw("<aside aria-label=\"Sponsored\">\n<h2>Sponsored</h2>\n<ol>\n");
    for (const PageAd& ad : page.ads) WriteAd(ad, &to);
    to.Raw("</ol>\n</aside>\n");
  }
  to.Raw("</div>\n</body>\n</html>\n");
  return std::move(to).Take();
}

}  // namespace twinset::ads

namespace twinset {
namespace {

Status CheckOptions(const SearchPageOptions& options) {
  const auto wrong = [](std::string message, std::string remedy) {
    return Fail(ErrorCode::kUsage, std::move(message), {}, std::move(remedy));
  };
  if (options.auction.query.empty())
    return wrong("a search page needs a query", "add --query TEXT");
  if (options.engine.empty())
    return wrong("no engine is given", "add --engine ENGINE");
  if (options.out.empty())
    return wrong("no place for the page is given", "add --out FILE");
  if (!(options.same > 0 && options.same <= 1))
    return wrong("same is not above 0 and at most 1", "");
  const AuctionOptions& auction = options.auction;
  return CheckResultFile(
      {.path = options.out, .flag = "--out", .overwrite = options.overwrite},
      {options.engine, auction.bids, auction.factors, auction.trademarks,
       auction.landings});
}

}  // namespace

Result<SearchPageInfo> v1::WriteSearchPage(
    const SearchPageOptions& options) try {
  TWINSET_TRY(CheckOptions(options));
  TWINSET_ASSIGN(const AuctionResult auction, HoldAuction(options.auction));
  TWINSET_ASSIGN(const TextReader reader,
                 TextReader::Make(options.auction.features));
  EngineQueryOptions query;
  query.engine = options.engine;
  query.words = reader.Tokens(options.auction.query);
  query.limit = options.results;
  query.fetch = true;
  TWINSET_ASSIGN(const EngineQueryResult answer, QueryEngine(query));

  SearchPageInfo info;
  info.hits = answer.hits;
  info.hits_known = answer.hits_known;
  info.results = answer.results.size();
  std::vector<ads::PageResult> results;
  std::vector<std::vector<uint64_t>> shingles;
  for (const EngineResult& result : answer.results) {
    info.unread += !result.fetched;
    shingles.push_back(result.fetched ? reader.Shingles(result.text)
                                      : std::vector<uint64_t>());
    results.push_back(
        {result.url, result.title, ads::Snippet(result.text, query.words), {}});
  }
  ads::SearchPage page;
  page.query = options.auction.query;
  page.engine = options.engine;
  page.hits = answer.hits;
  page.hits_known = answer.hits_known;
  page.results =
      ads::CollapseSimilar(std::move(results), [&](size_t x, size_t y) {
        return ResemblanceOfShingles(shingles[x], shingles[y]) >= options.same;
      });
  for (const AuctionAd& ad : auction.ads)
    if (ad.outcome == AdOutcome::kShown)
      page.ads.push_back({ad.title, ad.text, ad.landing, ad.advertiser});
  info.shown = page.results.size();
  info.collapsed = info.results - info.shown;
  info.ads = page.ads.size();
  TWINSET_TRY(WriteWholeFile(options.out, ads::RenderSearchPage(page)));
  info.page = ResultPage(ads::SearchPageTold(info));
  return info;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
