// The documents themselves: pairs side by side, passages, clusters.
#include <algorithm>
#include <bit>
#include <cctype>
#include <string>

#include "documents/document_options.h"
#include "pipeline/report/pair_excerpt.h"
#include "pipeline/report/run_page.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;
using html::Piece;

constexpr size_t kIdBytes = 200, kTitleBytes = 120, kTextBytes = 160;
constexpr size_t kPairBytes = 400;  // of a text without a passage

std::string Similarity(double value) { return FixedText(value, 3); }

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

// How the second text of a pair by containment is to the first.
enum class Inside { kUnknown, kSameWords, kLonger };

// Also says both lengths in `note`, unless that is null.
Inside InsideOf(const TextAgain& left, const TextAgain& right,
                const FeatureExtractor& extractor, std::string* note) {
  if (!left.is_whole || !right.is_whole) return Inside::kUnknown;
  const auto a = extractor.Tokens(left.text), b = extractor.Tokens(right.text);
  if (std::equal(
          a.begin(), a.end(), b.begin(), b.end(),
          [](const Token& x, const Token& y) { return x.text == y.text; }))
    return Inside::kSameWords;
  if (note != nullptr)
    *note += " The first has " + CountText(a.size(), "word") + ", the second " +
             NumberText(b.size()) + ".";
  return b.size() > a.size() ? Inside::kLonger : Inside::kUnknown;
}

Inside FillPassages(const RunStory& story, size_t number,
                    const FeatureExtractor& extractor, html::TextPair* block) {
  const ShownPair& shown = story.pairs[number];
  const TextAgain &left = story.texts[shown.left],
                  &right = story.texts[shown.right];
  uint64_t tokens = 0;
  for (const ShownPassage& passage : story.passages[number]) {
    tokens += passage.tokens;
    AddPassage(left.windows[passage.left_window],
               right.windows[passage.right_window], extractor, block);
  }
  if (story.passages[number].empty()) {
    block->left.text = {{Piece::kSame, BeginningOf(left.text, kPairBytes)}};
    block->right.text = {{Piece::kSame, BeginningOf(right.text, kPairBytes)}};
  }
  block->note = PassagesNote(*block, story.passages[number].size(), tokens);
  return InsideOf(left, right, extractor, &block->note);
}

// What becomes of the two of a pair, in words; empty for a match.
struct Fates {
  const char *left = "", *right = "", *note = "";
};

Fates FatesOf(const RunStory& story) {
  if (story.kind == RunStory::kMatch) {
    return {"", "", ""};
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

// What the measure says of a pair. Only texts that were seen to be the same are
// called equal.
std::string PairTitle(const RunStory& story, double similarity, bool is_same,
                      Inside inside) {
  const std::string value = Similarity(similarity);
  if (story.is_containment) {
    if (similarity < 1) return value + " of the first stands in the second";
    return inside == Inside::kSameWords ? "Both have the same words"
           : inside == Inside::kLonger
               ? "All of the first stands in the second, which is longer"
               : "All of the first stands in the second";
  }
  if (similarity < 1 || (!is_same && !story.is_exact)) return value + " alike";
  return is_same ? "Equal" : Capitalised(EqualInWords(story));
}

html::TextPair BlockOf(const RunStory& story, size_t number, const Fates& fates,
                       const FeatureExtractor& extractor) {
  const ShownPair& shown = story.pairs[number];
  const TextAgain &left = story.texts[shown.left],
                  &right = story.texts[shown.right];
  html::TextPair block;
  block.tags = TagsOf(story, shown.pair);
  block.left.title = Shortened(left.title, kTitleBytes);
  block.right.title = Shortened(right.title, kTitleBytes);
  block.left.name = NameOf(left, shown.pair.a, fates.left);
  block.right.name = NameOf(right, shown.pair.b, fates.right);
  bool is_same = false;
  Inside inside = Inside::kUnknown;
  if (!left.is_found || !right.is_found)
    block.note = "The texts are not at hand.";
  else if (story.is_containment)
    inside = FillPassages(story, number, extractor, &block);
  else
    is_same =
        FillDifferences(left.text, right.text, left.is_whole && right.is_whole,
                        extractor, &block);
  block.title = PairTitle(story, shown.pair.similarity, is_same, inside);
  return block;
}

std::string GroupTitle(const RunStory& story, const PairGroup& group) {
  std::string title = group.kind.empty() ? "" : WordsOf(group.kind) + ": ";
  if (story.is_containment) {
    title += group.is_full ? "all of the first stands in the second"
                           : "a part of the first stands in the second";
  } else if (story.is_exact) {
    title += EqualInWords(story);
  } else {
    title += group.is_full ? "no difference that the measure counts"
                           : "alike, with differences";
  }
  return Capitalised(std::move(title)) + " (" +
         CountText(group.pairs, "document") + ")";
}

// Which of pairs [begin, end) are shown, whose first text stands in the second
// altogether: where some have the same words and others do not, the middle one
// of each; else those at one sixth, one half and five sixths.
std::vector<size_t> ShownOfFull(const RunStory& story, size_t begin, size_t end,
                                const FeatureExtractor& extractor,
                                KeptPage* page) {
  std::vector<size_t> same, other;
  for (size_t i = begin; i < end; ++i) {
    const ShownPair& shown = story.pairs[i];
    const Inside inside = InsideOf(
        story.texts[shown.left], story.texts[shown.right], extractor, nullptr);
    (inside == Inside::kSameWords ? same : other).push_back(i);
  }
  if (!same.empty() && !other.empty()) {
    page->Add(html::Note{
        std::to_string(end - begin) +
        " of them, at regular steps of the list, were looked at: " +
        std::to_string(same.size()) + (same.size() == 1 ? " has" : " have") +
        " the same words as the second text, " + std::to_string(other.size()) +
        (other.size() == 1 ? " does" : " do") +
        " not. The middle one of each is shown."});
    return {same[same.size() / 2], other[other.size() / 2]};
  }
  const std::vector<size_t>& all = same.empty() ? other : same;
  if (all.size() <= 3) return all;
  return {all[all.size() / 6], all[all.size() / 2], all[all.size() * 5 / 6]};
}

// The pairs of a match, kind by kind.
void AddGroups(const RunStory& story, const FeatureExtractor& extractor,
               KeptPage* page) {
  const bool is_middle = TypicalPairs::MostOf(story.groups.size()) == 1;
  page->Add(html::Note{
      "The first text is of the first collection (" + SideName(story, 0) +
      "), the other is the most similar one of the second (" +
      SideName(story, 1) +
      "). From each kind of pair, ordered by similarity, " +
      (is_middle ? "the one in the middle is shown."
                 : "those at one sixth, in the middle and at five sixths are "
                   "shown.")});
  size_t begin = 0;
  for (const PairGroup& group : story.groups) {
    page->Add(html::Heading{GroupTitle(story, group), 3});
    const size_t end = begin + group.shown.size();
    std::vector<size_t> shown;
    if (story.is_containment && group.is_full && group.kind.empty()) {
      shown = ShownOfFull(story, begin, end, extractor, page);
    } else {
      for (size_t i = begin; i < end; ++i) shown.push_back(i);
    }
    for (const size_t number : shown)
      page->Add(BlockOf(story, number, {}, extractor));
    begin = end;
  }
  if (story.ungrouped > 0) {
    page->Add(html::Note{CountText(story.ungrouped, "pair") +
                         " of other kinds are not shown."});
  }
}

}  // namespace

Status AddPairs(const RunStory& story, KeptPage* page) {
  if (story.pairs.empty()) return {};
  const Fates fates = FatesOf(story);
  page->Add(html::Heading{"Look at some pairs"});
  if (!story.no_texts.empty()) page->Add(html::Note{story.no_texts});
  TWINSET_ASSIGN(const auto extractor, MakeExtractor(story.options.features));
  const bool has_unequal = std::any_of(
      story.pairs.begin(), story.pairs.end(),
      [](const ShownPair& shown) { return shown.pair.similarity < 1; });
  if (has_unequal) {
    page->Add(html::Paragraph{
        "Alike is not the same: two texts can share most of their words and "
        "still say different things, as the manual pages of two functions do. "
        "Read what differs before you decide."});
  }
  if (story.kind == RunStory::kMatch) {
    AddGroups(story, *extractor, page);
    return {};
  }
  page->Add(html::Note{
      (has_unequal ? "The first pair is a typical one: its similarity is the "
                     "median of those that are not equal. The others are drawn "
                     "at random with seed "
                   : std::string("Drawn at random with seed ")) +
      std::to_string(story.options.method.seed) +
      ", a few for each range of similarity. " + fates.note});
  for (size_t i = 0; i < story.pairs.size(); ++i)
    page->Add(BlockOf(story, i, fates, *extractor));
  return {};
}

void AddClusters(const RunStory& story, KeptPage* page) {
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

}  // namespace twinset
