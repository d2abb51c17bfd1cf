// The documents themselves: pairs side by side, passages, clusters, units.
#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "documents/document_options.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/run_page.h"
#include "report/plain_words.h"

namespace twinset::inline v1 {

namespace {

using html::Cell;
using html::Piece;

const std::string kDots = "\xE2\x80\xA6";
constexpr size_t kIdBytes = 200, kTitleBytes = 120, kTextBytes = 160;

std::string Similarity(double value) { return Cell::Fixed(value, 3).text; }

std::string NameOf(const TextAgain& text, const std::string& id,
                   const char* fate) {
  std::string name = Shortened(text.url.empty() ? id : text.url, kIdBytes);
  return *fate == '\0' ? name : name + " \xC2\xB7 " + fate;
}

// What the row says beside the similarity, in words.
std::vector<std::string> TagsOf(const RunStory& story, const DrawnPair& pair) {
  std::vector<std::string> tags;
  for (const char* name : {"duplicate_kind", "difference"}) {
    const auto word = pair.row.value(name, "");
    if (!word.empty()) tags.push_back(WordsOf(word));
  }
  if (pair.row["grade"].is_number()) {
    tags.push_back("a reader would agree: " +
                   PercentText(pair.row["grade"].get<double>()));
  }
  if (pair.row["template_differs"] == true)
    tags.push_back("only without the frame of the site");
  if (!story.options.method.verify) tags.push_back("estimated");
  return tags;
}

void AddWindow(const TextWindow& window, std::vector<Piece>* to) {
  if (!to->empty()) to->push_back({Piece::kSkipped, "  \xE2\x80\xA6  "});
  to->push_back({Piece::kSame, (window.more_before ? kDots : "") +
                                   WithSingleSpaces(window.before)});
  to->push_back({Piece::kMarked, WithSingleSpaces(window.head)});
  if (window.left_out > 0) {
    to->push_back({Piece::kSkipped, std::string(" ") + kDots + " " +
                                        Cell::Count(window.left_out).text +
                                        " more characters " + kDots + " "});
    to->push_back({Piece::kMarked, WithSingleSpaces(window.tail)});
  }
  to->push_back({Piece::kSame, WithSingleSpaces(window.after) +
                                   (window.more_after ? kDots : "")});
}

void FillPassages(const RunStory& story, size_t number, html::TextPair* block) {
  const ShownPair& shown = story.pairs[number];
  const TextAgain &left = story.texts[shown.left],
                  &right = story.texts[shown.right];
  uint64_t tokens = 0;
  for (const ShownPassage& passage : story.passages[number]) {
    tokens += passage.tokens;
    AddWindow(left.windows[passage.left_window], &block->left.text);
    AddWindow(right.windows[passage.right_window], &block->right.text);
  }
  const size_t count = story.passages[number].size();
  if (count == 0) {
    block->note = "No passage is long enough to be listed.";
    return;
  }
  block->note = (count == 1 ? std::string("Marked: the longest passage")
                            : "Marked: the " + std::to_string(count) +
                                  " longest passages") +
                " that both have, " + CountText(tokens, "token") + ".";
}

void FillDifferences(const TextAgain& left, const TextAgain& right,
                     const FeatureExtractor& extractor, html::TextPair* block) {
  PairExcerpt excerpt = ExcerptOfPair(left.text, right.text, extractor);
  block->left.text = std::move(excerpt.left);
  block->right.text = std::move(excerpt.right);
  if (excerpt.is_same) {
    block->note = "The texts do not differ.";
  } else if (excerpt.hidden > 0) {
    block->note = CountText(excerpt.hidden, "more difference") + " not shown.";
  }
  if (!left.is_whole || !right.is_whole) {
    block->note += (block->note.empty() ? "" : " ");
    block->note += "Only the beginnings of these long texts are compared here.";
  }
}

void AddShares(const std::string& title, const Json& counts, HtmlReport* page) {
  html::Shares shares{title, {}};
  for (const auto& [name, count] : counts.items()) {
    if (count.get<uint64_t>() > 0)
      shares.parts.emplace_back(WordsOf(name), count.get<uint64_t>());
  }
  if (!shares.parts.empty()) page->Add(shares);
}

void AddGrades(const Json& tenths, HtmlReport* page) {
  html::Histogram histogram{
      "How many readers would call them near-duplicates",
      "How many pairs there are at each tenth of the probability that a reader "
      "agrees.",
      "probability",
      "pairs",
      {}};
  for (size_t n = 0; n < tenths.size(); ++n) {
    histogram.bins.push_back({static_cast<double>(n) / 10,
                              static_cast<double>(n + 1) / 10,
                              tenths[n].get<uint64_t>()});
  }
  if (!histogram.bins.empty()) page->Add(histogram);
}

}  // namespace

void AddKinds(const RunStory& story, HtmlReport* page) {
  const Json& judged = story.summary["judgements"];
  if (judged["pairs"].get<uint64_t>() > 0) {
    page->Add(html::Heading{"What kind of copies they are"});
    AddShares("What the two of a pair share", judged["duplicate_kind"], page);
    AddShares("What differs between them", judged["difference"], page);
    AddGrades(judged["grade_in_tenths"], page);
    return;
  }
  const uint64_t copies = story.summary["classes"]["copies"].get<uint64_t>();
  if (story.kind != RunStory::kDocuments || story.members == 0 ||
      story.is_exact || copies > story.members)
    return;
  page->Add(html::Shares{"What kind of copies they are",
                         {{"copies: every shingle is the same", copies},
                          {"alike, but not equal", story.members - copies}}});
}

void AddSimilarities(const RunStory& story, HtmlReport* page) {
  const auto& bins = story.counts.similarities;
  const uint64_t below = std::accumulate(bins.begin(), bins.end(), uint64_t{0});
  if (below == 0) return;
  page->Add(html::Heading{"How alike the pairs are"});
  const auto first = static_cast<size_t>(
      std::find_if(bins.begin(), bins.end(), [](uint64_t n) { return n > 0; }) -
      bins.begin());
  // A bar of a hundredth each, or of five where there would be too many.
  const size_t step = first >= 60 ? 1 : 5;
  html::Histogram histogram{
      "Similarity of the pairs that are not equal",
      "How many listed pairs there are at each similarity.",
      "similarity",
      "pairs",
      {}};
  for (size_t n = first / step * step; n < 100; n += step) {
    uint64_t count = 0;
    for (size_t i = n; i < n + step; ++i) count += bins[i];
    histogram.bins.push_back({static_cast<double>(n) / 100,
                              static_cast<double>(n + step) / 100, count});
  }
  std::string note = CountText(below, "listed pair") +
                     (below == 1 ? " is" : " are") + " not equal. ";
  note += story.counts.equal == 0
              ? "None is equal."
              : CountText(story.counts.equal, "pair") +
                    (story.counts.equal == 1 ? " is" : " are") +
                    " equal and not drawn.";
  if (!story.is_exact) {
    note += " Similarity is the " +
            std::string(ChoiceName(story.options.method.measure)) +
            " measure over " + story.options.features.shingle + " shingles.";
  }
  histogram.note = note;
  page->Add(histogram);
}

namespace {

// What becomes of the two of a pair, in words; empty for a match.
struct Fates {
  const char *left = "", *right = "", *note = "";
};

Fates FatesOf(const RunStory& story) {
  if (story.kind == RunStory::kMatch) {
    return {"", "",
            "The first text is of the first collection, the other of the "
            "second."};
  }
  switch (story.options.action) {
    case Action::kDrop:
      return {"stays", "goes", "The first text stays, the other goes."};
    case Action::kDropAll:
      return {"goes", "goes", "Both go."};
    default:
      return {"leads its cluster", "",
              "Left leads the cluster of the right one. Nothing is dropped."};
  }
}

html::TextPair BlockOf(const RunStory& story, size_t number, const Fates& fates,
                       const FeatureExtractor& extractor) {
  const ShownPair& shown = story.pairs[number];
  const TextAgain &left = story.texts[shown.left],
                  &right = story.texts[shown.right];
  html::TextPair block;
  block.title = shown.pair.similarity >= 1
                    ? (story.is_containment ? "All contained" : "Equal")
                    : Similarity(shown.pair.similarity) +
                          (story.is_containment ? " contained" : " alike");
  block.tags = TagsOf(story, shown.pair);
  block.left.title = Shortened(left.title, kTitleBytes);
  block.right.title = Shortened(right.title, kTitleBytes);
  block.left.name = NameOf(left, shown.pair.a, fates.left);
  block.right.name = NameOf(right, shown.pair.b, fates.right);
  if (!left.is_found || !right.is_found)
    block.note = "The texts are not at hand.";
  else if (story.is_containment)
    FillPassages(story, number, &block);
  else
    FillDifferences(left, right, extractor, &block);
  return block;
}

}  // namespace

Status AddPairs(const RunStory& story, HtmlReport* page) {
  if (story.pairs.empty()) return {};
  const Fates fates = FatesOf(story);
  page->Add(html::Heading{"Look at some pairs"});
  if (!story.no_texts.empty()) page->Add(html::Note{story.no_texts});
  const bool has_unequal = story.pairs[0].pair.similarity < 1;
  if (has_unequal) {
    page->Add(html::Paragraph{
        "Alike is not the same: two texts can share most of their words and "
        "still say different things, as the manual pages of two functions do. "
        "Read what differs before you decide."});
  }
  page->Add(html::Note{
      (has_unequal ? "The first pair is a typical one: its similarity is the "
                     "median of those that are not equal. The others are drawn "
                     "at random with seed "
                   : std::string("Drawn at random with seed ")) +
      std::to_string(story.options.method.seed) +
      ", a few for each range of similarity. " + fates.note});
  TWINSET_ASSIGN(const auto extractor, MakeExtractor(story.options.features));
  for (size_t i = 0; i < story.pairs.size(); ++i)
    page->Add(BlockOf(story, i, fates, *extractor));
  return {};
}

void AddClusters(const RunStory& story, HtmlReport* page) {
  if (story.clusters.empty()) return;
  page->Add(html::Heading{"Clusters"});
  html::Table table{
      "The largest clusters",
      {{story.options.action == Action::kDrop ? "stays" : "leads"},
       {"documents", true},
       {"least alike", true},
       {"begins with"}},
      {}};
  for (const ShownCluster& cluster : story.clusters) {
    const TextAgain* text = cluster.text < story.texts.size()
                                ? &story.texts[cluster.text]
                                : nullptr;
    Cell stays = Cell::Text(Shortened(cluster.id, kIdBytes));
    if (!cluster.url.empty() && cluster.url != cluster.id)
      stays.below = Shortened(cluster.url, kIdBytes);
    if (text != nullptr && !text->title.empty()) {
      if (stays.below.empty()) stays.below = stays.text;
      stays.text = Shortened(text->title, kTitleBytes);
    }
    table.rows.push_back(
        {std::move(stays), Cell::Count(cluster.size),
         Cell{Similarity(cluster.least), true},
         Cell::Text(text == nullptr ? ""
                                    : BeginningOf(text->text, kTextBytes))});
  }
  page->Add(table);
  const auto& sizes = story.counts.sizes;
  if (sizes.size() < 5) return;
  html::Histogram bars{
      "How large the clusters are",
      "How many clusters there are of each size; each bar goes from a size to "
      "twice that size.",
      "documents of a cluster",
      "clusters",
      {}};
  bars.log = true;
  for (const auto& [low, high, count] : sizes) {
    // No class of sizes crosses a power of two.
    const auto begin = static_cast<double>(std::bit_floor(low));
    if (bars.bins.empty() || bars.bins.back().low < begin)
      bars.bins.push_back({begin, 2 * begin, 0});
    bars.bins.back().count += count;
  }
  page->Add(bars);
}

void AddUnits(const RunStory& story, HtmlReport* page) {
  const Json& most = story.summary["most_frequent"];
  if (most.empty()) return;
  page->Add(html::Heading{"What is repeated most"});
  html::Table table{"The most frequent stretches of text",
                    {{"text"}, {"places", true}, {"documents", true}},
                    {}};
  for (const Json& unit : most) {
    table.rows.push_back(
        {Cell::Text(BeginningOf(unit["text"].get<std::string>(), 300)),
         Cell::Count(unit["count"].get<uint64_t>()),
         Cell::Count(unit["documents"].get<uint64_t>())});
  }
  page->Add(table);
}

}  // namespace twinset::inline v1
