#include "text/content/content_kind.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace twinset {
namespace {

// Trees of depth kKindDepth with all nodes there, one of each kind after the
// other; node k has children 2k + 1 (value at most the threshold) and 2k + 2.
#include "text/content/content_kind_model.inc"

constexpr size_t kKindInner = (size_t{1} << kKindDepth) - 1;
constexpr size_t kKindLeafCount = size_t{1} << kKindDepth;
constexpr size_t kKindTrees = std::size(kKindLeaves) / kKindLeafCount;
static_assert(kKindTrees % kPageKinds == 0);
static_assert(std::size(kKindNodes) == kKindTrees * kKindInner);
static_assert(std::size(kKindThresholds) == kKindTrees * kKindInner);

constexpr std::string_view kTextNames[] = {
#define TWINSET_KIND_FEATURE(enumerator) #enumerator,
#include "text/content/content_kind_features.inc"
#undef TWINSET_KIND_FEATURE
};
static_assert(std::size(kTextNames) + kFirstTextFeature == kKindFeatures);

int16_t Bounded(uint64_t value) {
  return static_cast<int16_t>(std::min<uint64_t>(value, 32000));
}

// Adds up what the blocks of a page are made of.
class PageMeasure {
 public:
  explicit PageMeasure(const ContentPage& page) : page_(page) {}

  KindRow Run() {
    Elements();
    for (const PageBlock& block : page_.blocks) Add(block);
    for (size_t mark = 0; mark < kContentMarks; ++mark)
      row_[mark] = Share(under_[mark]);
    for (size_t kind = 0; kind < kTagKinds; ++kind)
      row_[kFirstTagKindFeature + kind] = Share(in_kind_[kind]);
    for (size_t type = 0; type < kDeclaredTypes; ++type)
      row_[kFirstTypeFeature + type] = page_.declared >> type & 1;
    Text();
    Entries();
    return row_;
  }

 private:
  int16_t Share(uint64_t words) const {
    return Bounded(all_.words == 0 ? 0 : words * 1000 / all_.words);
  }
  // The rate per thousand words.
  int16_t Rate(uint64_t count) const {
    return Bounded(all_.words == 0 ? 0 : count * 2000 / all_.words);
  }

  void Elements() {
    around_.resize(page_.elements.size());
    for (size_t i = 1; i < around_.size(); ++i) {
      const uint64_t marks = page_.elements[i].marks;
      around_[i] = around_[page_.elements[i].parent] | marks;
      articles_ += (marks & MarkBit(ContentTag::kArticle)) != 0;
      others_ += (marks & MarkBit(ContentTag::kOtherArticle)) != 0;
      comments_ += (marks & MarkBit(ContentTag::kComments)) != 0;
      headings_ += (marks & MarkBit(ContentTag::kHeading)) != 0;
      teasers_ += (marks & MarkBit(ContentGroup::kTeaserWord)) != 0;
      prices_ += (marks & MarkBit(ContentGroup::kShopWord)) != 0;
      tables_ += (marks & MarkBit(ContentTag::kTable)) != 0;
    }
  }

  void Add(const PageBlock& block) {
    const TextCounts& text = block.text;
    all_.words += text.words;
    all_.link_words += text.link_words;
    all_.stop_words += text.stop_words;
    all_.letters += text.letters;
    all_.digits += text.digits;
    all_.capitals += text.capitals;
    all_.sentence_ends += text.sentence_ends;
    all_.commas += text.commas;
    all_.links += text.links;
    all_.images += text.images + block.images_before;
    years_ += text.has_year;
    clocks_ += text.has_clock;
    if (IsLongText(text)) long_words_ += text.words;
    if (block.framed) framed_words_ += text.words;
    if (block.commented) commented_words_ += text.words;
    for (uint64_t marks = around_[block.element]; marks != 0;
         marks &= marks - 1) {
      under_[static_cast<size_t>(__builtin_ctzll(marks))] += text.words;
    }
    const HtmlTag tag = page_.elements[block.element].tag;
    in_kind_[static_cast<size_t>(ContentTagKind(tag))] += text.words;
  }

  void Entries() {
    const PageEntries& entries = page_.entries;
    const uint64_t count = std::max<uint64_t>(entries.count, 1);
    const uint64_t words = std::max<uint64_t>(entries.words, 1);
    const uint64_t text = std::max<uint64_t>(long_words_, 1);
    const auto set = [&](size_t feature, uint64_t value) {
      row_[feature] = Bounded(value);
    };
    set(kEntriesOfPage, entries.count);
    set(kEntryShareOfPage, entries.long_words * uint64_t{1000} / text);
    set(kTextBeforeOfPage, entries.text_before * uint64_t{1000} / text);
    set(kEntryWordsOfPage, entries.words / count);
    set(kEntryLinksOfPage, entries.link_words * uint64_t{1000} / words);
    set(kEntryDatesOfPage, entries.dates * uint64_t{100} / count);
    set(kEntriesNestedOfPage,
        (entries.count - entries.outermost.size()) * 1000 / count);
    set(kEntryCommentsOfPage, entries.comment_words * uint64_t{1000} / words);
  }

  void Text() {
    const auto set = [&](size_t feature, int16_t value) {
      row_[feature] = value;
    };
    const uint64_t blocks = page_.blocks.size();
    set(kWordsOfPage, Bounded(all_.words / 4));
    set(kBlocksOfPage, Bounded(blocks));
    set(kMeanWordsOfPage, Bounded(all_.words / std::max<uint64_t>(blocks, 1)));
    set(kLongShareOfPage, Share(long_words_));
    set(kLinkShareOfPage, Share(all_.link_words));
    set(kLinksOfPage, Rate(all_.links));
    set(kStopShareOfPage, Share(all_.stop_words));
    set(kWordLengthOfPage, Rate(all_.letters));
    set(kDigitShareOfPage, Rate(all_.digits));
    set(kCapitalsOfPage, Rate(all_.capitals));
    set(kSentencesOfPage, Rate(all_.sentence_ends));
    set(kCommasOfPage, Rate(all_.commas));
    set(kImagesOfPage, Bounded(all_.images));
    set(kFramedShareOfPage, Share(framed_words_));
    set(kCommentedShareOfPage, Share(commented_words_));
    set(kArticlesOfPage, Bounded(articles_));
    set(kOtherArticlesOfPage, Bounded(others_));
    set(kCommentElementsOfPage, Bounded(comments_));
    set(kHeadingsOfPage, Rate(headings_));
    set(kTeasersOfPage, Bounded(teasers_));
    set(kPricesOfPage, Bounded(prices_));
    set(kTablesOfPage, Bounded(tables_));
    set(kEnclosedOfPage, Bounded(page_.body_pairs));
    set(kYearsOfPage, Bounded(years_));
    set(kClocksOfPage, Bounded(clocks_));
  }

  const ContentPage& page_;
  KindRow row_{};
  struct {
    uint64_t words = 0, link_words = 0, stop_words = 0, letters = 0, digits = 0;
    uint64_t capitals = 0, sentence_ends = 0, commas = 0, links = 0, images = 0;
  } all_;
  uint64_t long_words_ = 0, framed_words_ = 0, commented_words_ = 0;
  uint64_t years_ = 0, clocks_ = 0;
  uint64_t articles_ = 0, others_ = 0, comments_ = 0, headings_ = 0;
  uint64_t teasers_ = 0, prices_ = 0, tables_ = 0;
  std::vector<uint64_t> around_;  // marks of an element and those around it
  std::array<uint64_t, kContentMarks> under_{};
  std::array<uint64_t, kTagKinds> in_kind_{};
};

}  // namespace

std::string KindFeatureName(size_t feature) {
  if (feature >= kFirstTextFeature) {
    return std::string(kTextNames[feature - kFirstTextFeature].substr(1));
  }
  if (feature >= kFirstTypeFeature)
    return "type:" + std::to_string(feature - kFirstTypeFeature);
  if (feature >= kFirstTagKindFeature)
    return "tags:" + std::to_string(feature - kFirstTagKindFeature);
  return "words:" + std::to_string(feature);
}

int ContentTagKind(HtmlTag tag) {
  switch (tag) {
    case HtmlTag::kP:
      return 0;
    case HtmlTag::kBlockquote:
      return 1;
    case HtmlTag::kPre:
    case HtmlTag::kListing:
    case HtmlTag::kXmp:
    case HtmlTag::kPlaintext:
      return 2;
    case HtmlTag::kDd:
    case HtmlTag::kDt:
      return 3;
    case HtmlTag::kLi:
      return 5;
    case HtmlTag::kTd:
    case HtmlTag::kTh:
      return 6;
    case HtmlTag::kFigcaption:
    case HtmlTag::kCaption:
    case HtmlTag::kFigure:
      return 7;
    case HtmlTag::kH1:
      return 8;
    case HtmlTag::kH2:
      return 9;
    case HtmlTag::kH3:
      return 10;
    case HtmlTag::kH4:
    case HtmlTag::kH5:
    case HtmlTag::kH6:
      return 11;
    case HtmlTag::kUl:
    case HtmlTag::kOl:
    case HtmlTag::kDl:
      return 12;
    case HtmlTag::kButton:
    case HtmlTag::kSelect:
    case HtmlTag::kOption:
    case HtmlTag::kOptgroup:
    case HtmlTag::kTextarea:
    case HtmlTag::kLegend:
    case HtmlTag::kForm:
      return 13;
    default:
      return 4;
  }
}

KindRow MeasurePage(const ContentPage& page) { return PageMeasure(page).Run(); }

namespace {

// `leaf` says which leaf of a tree the page reaches.
template <typename Leaf>
KindScores AddLeaves(Leaf leaf) {
  KindScores scores{};
  for (size_t tree = 0; tree < kKindTrees; ++tree) {
    scores[tree % kPageKinds] +=
        kKindLeaves[tree * kKindLeafCount + leaf(tree * kKindInner)];
  }
  return scores;
}

}  // namespace

KindScores ScoreKinds(const KindRow& row) {
  return AddLeaves([&](size_t first) {
    // Added, not chosen: which way a page goes is not to be foreseen.
    size_t node = 0;
    for (int depth = 0; depth < kKindDepth; ++depth) {
      const size_t at = first + node;
      const auto right =
          static_cast<size_t>(row[kKindNodes[at]] > kKindThresholds[at]);
      node = 2 * node + 1 + right;
    }
    return node - kKindInner;
  });
}

KindScores ReferenceKindScores(const KindRow& row) {
  return AddLeaves([&](size_t first) {
    size_t node = 0;
    while (node < kKindInner) {
      const bool right =
          row[kKindNodes[first + node]] > kKindThresholds[first + node];
      node = right ? 2 * node + 2 : 2 * node + 1;
    }
    return node - kKindInner;
  });
}

PageKind LikeliestKind(const KindScores& scores) {
  return static_cast<PageKind>(std::max_element(scores.begin(), scores.end()) -
                               scores.begin());
}

uint64_t KindModelFeatures() { return kKindFeatureDigest; }

}  // namespace twinset
