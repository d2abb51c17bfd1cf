#include "text/content/content.h"

#include <algorithm>
#include <array>
#include <optional>

#include "text/content/content_features.h"
#include "text/content/content_model.h"
#include "text/content/content_page.h"

namespace twinset {
namespace {

// Blocks this likely are kept; in doubt (Threshold) these.
constexpr int kKeepPermille = 600;
constexpr int kLeastPermille = 150;
constexpr uint64_t kDoubtPermille = 250;
// Between two blocks this likely, a block this likely is kept too.
constexpr int kSurePermille = 900, kGapPermille = 500;
// Main content of fewer words (halves) than the first is not believed; of fewer
// than the second neither if it is less than a tenth of the page: a table of
// contents is more than the notice under it. Half of a page always is.
constexpr uint32_t kThinWords = 50, kIndexWords = 200;
// Pages of fewer words (halves) are kept as they are: there, a notice can be
// the longest text, and pages left with their notice would all be equal.
constexpr uint32_t kSmallPageWords = 240;

// Pages of less confidence are unsure, by the forest that judged them. Of a
// manual all but the frame is content, so all of it is a good second choice.
constexpr std::array<int, kContentForests> kSureConfidence = {600, 900, 500};

// A choice of this confidence, and of more words (halves) than the second, is
// believed on manuals although it is thin: they have pages of one declaration
// beside a table of everything.
constexpr int kDecisiveConfidence = 600;
constexpr uint32_t kFewWords = 6;

bool IsText(const HtmlNode& node) {
  return node.kind == HtmlNode::kText && (node.flags & HtmlNode::kHidden) == 0;
}

class Chooser {
 public:
  Chooser(const ContentPage& page, bool want_reasons, MainContent* out)
      : page_(page), want_reasons_(want_reasons), out_(*out) {}

  void Run() {
    const size_t count = page_.blocks.size();
    out_.blocks.resize(count);
    permille_.resize(count);
    framed_.resize(count);
    const KindScores kinds = ScoreKinds(MeasurePage(page_));
    out_.kind = LikeliestKind(kinds);
    forest_ = ForestOf(out_.kind);
    const std::optional<ContentForest> second = SecondForest(kinds);
    ContentRows rows(page_);
    ContentLanes some{};
    std::array<int32_t, kContentLanes> scores, others;
    for (size_t i = 0; i < count; i += kContentLanes) {
      const size_t lanes = std::min(kContentLanes, count - i);
      for (size_t k = 0; k < lanes; ++k) {
        const FeatureRow& row = rows.Next();
        // An assignment would start `rep movs`, which takes longer.
        std::copy(row.begin(), row.end(), some[k].begin());
      }
      ContentScores(forest_, some, lanes, scores.data());
      if (second) ContentScores(*second, some, lanes, others.data());
      for (size_t k = 0; k < lanes; ++k) {
        const int likely = ContentPermille(scores[k]);
        Judge(i + k, some[k],
              second ? (likely + ContentPermille(others[k])) / 2 : likely);
      }
    }
    Decide();
    Trust();
  }

 private:
  void Judge(size_t i, const FeatureRow& row, int likely) {
    const bool framed = IsFramed(page_.blocks[i]);
    permille_[i] = framed ? 0 : likely;
    framed_[i] = framed || InFrame(row);
    ContentBlock& block = out_.blocks[i];
    block.first_node = page_.blocks[i].first_node;
    block.end_node = page_.blocks[i].end_node;
    block.framed = framed;
    const TextCounts& text = page_.blocks[i].text;
    block.linked = 2 * text.link_words > text.words;
    block.score = permille_[i] / 1000.0;
    block.likely = permille_[i] >= kKeepPermille;
    if (want_reasons_)
      block.reason = ContentReason(forest_, row, permille_[i] >= kKeepPermille);
  }

  // Comments are frame beside a text, but not where they are what the page is
  // there for.
  bool IsFramed(const PageBlock& block) const {
    return block.framed ||
           (block.commented && forest_ != ContentForest::kForums);
  }

  static bool InFrame(const FeatureRow& row) {
    const auto tag = [&](ContentTag kind) {
      return row[kContentGroups + static_cast<size_t>(kind)] > 0;
    };
    const auto group = [&](ContentGroup kind) {
      return row[static_cast<size_t>(kind)] > 0;
    };
    return tag(ContentTag::kNav) || tag(ContentTag::kFooter) ||
           tag(ContentTag::kControl) || group(ContentGroup::kOverlayWord) ||
           group(ContentGroup::kNavigationWord);
  }

  // What is dropped should look like frame. If its words are main content with
  // more than kDoubtPermille in the mean, as on pages unlike all that the model
  // knows, all but the clearest frame is kept.
  int Threshold() const {
    uint64_t dropped = 0, likely = 0;
    for (size_t i = 0; i < permille_.size(); ++i) {
      if (permille_[i] >= kKeepPermille) continue;
      const uint64_t words = page_.blocks[i].text.words;
      dropped += words;
      likely += words * static_cast<uint64_t>(permille_[i]);
    }
    return likely > dropped * kDoubtPermille ? kLeastPermille : kKeepPermille;
  }

  // An item of a list is main content when the items around it surely are.
  bool FillsGap(size_t i) const {
    return permille_[i] >= kGapPermille && i > 0 && i + 1 < permille_.size() &&
           permille_[i - 1] >= kSurePermille &&
           permille_[i + 1] >= kSurePermille;
  }

  // Keeps the blocks for which `keep` holds; the words kept.
  template <typename Keep>
  uint32_t Choose(Keep keep) {
    uint32_t words = 0;
    for (size_t i = 0; i < out_.blocks.size(); ++i) {
      out_.blocks[i].kept = keep(i);
      if (out_.blocks[i].kept) words += page_.blocks[i].text.words;
    }
    return words;
  }

  void Decide() {
    uint32_t all = 0;
    for (const PageBlock& block : page_.blocks) all += block.text.words;
    if (all < kSmallPageWords) {
      out_.fallback = true;
      small_ = true;
      if (Choose([&](size_t i) {
            return permille_[i] >= kKeepPermille || framed_[i] == 0;
          }) == 0) {
        Choose([](size_t) { return true; });
      }
      Explain("small page: all but navigation is kept");
      return;
    }
    const auto enough = [&](uint32_t words) {
      return (words >= kThinWords &&
              (words >= kIndexWords || words * 10 >= all)) ||
             (words > 0 && words * 2 >= all);
    };
    const int least = Threshold();
    const uint32_t words =
        Choose([&](size_t i) { return permille_[i] >= least || FillsGap(i); });
    decisive_ = !enough(words) && forest_ == ContentForest::kManuals &&
                words >= kFewWords && Add().Confidence() >= kDecisiveConfidence;
    if (enough(words) || decisive_) {
      Explain("in doubt: the rest of the page is not clearly frame");
      return;
    }
    out_.fallback = true;
    std::string_view why = "little main content: likely blocks are kept";
    if (!enough(Choose([&](size_t i) {
          return permille_[i] >= kLeastPermille || FillsGap(i);
        }))) {
      why = "no main content: all but navigation is kept";
      if (!enough(Choose([&](size_t i) {
            return permille_[i] >= kKeepPermille || framed_[i] == 0;
          }))) {
        why = "no main content: all text is kept";
        Choose([](size_t) { return true; });
      }
    }
    Explain(why);
  }

  // Words (halves) in 1/1000: those kept, those that the probabilities promise,
  // those that are both.
  struct Promise {
    uint64_t kept = 0, likely = 0, both = 0;
    // F1 in 1/1000.
    int Confidence() const {
      const uint64_t sum = kept + likely;
      return static_cast<int>(sum == 0 ? 0 : 2000 * both / sum);
    }
  };

  Promise Add() const {
    Promise promise;
    for (size_t i = 0; i < permille_.size(); ++i) {
      const uint64_t words = page_.blocks[i].text.words;
      const uint64_t expected = words * static_cast<uint64_t>(permille_[i]);
      promise.likely += expected;
      if (!out_.blocks[i].kept) continue;
      promise.kept += words * 1000;
      promise.both += expected;
    }
    return promise;
  }

  void Trust() {
    const Promise promise = Add();
    out_.confidence = promise.Confidence();
    if (want_reasons_) Justify(promise);
    const int sure = kSureConfidence[static_cast<size_t>(forest_)];
    if (out_.confidence >= sure || small_ || decisive_) return;
    out_.unsure = true;
    if (Choose([&](size_t i) { return !out_.blocks[i].framed; }) == 0)
      Choose([](size_t) { return true; });
    Explain("unsure page: all but what it names as frame is kept");
  }

  // What the confidence rests on, in words (not halves).
  void Justify(const Promise& promise) {
    const uint64_t kept = promise.kept / 1000, likely = promise.likely / 1000,
                   both = promise.both / 1000;
    out_.reason = std::to_string(kept / 2) + " words kept, " +
                  std::to_string(both / 2) + " of them likely main content, " +
                  std::to_string((likely - both) / 2) + " likely ones dropped";
    if (small_) out_.reason += "; small page";
    if (out_.fallback && !small_) out_.reason += "; little main content";
  }

  // Says why blocks are kept that are not likely enough by themselves.
  void Explain(std::string_view why) {
    for (size_t i = 0; want_reasons_ && i < out_.blocks.size(); ++i) {
      if (out_.blocks[i].kept && permille_[i] < kKeepPermille) {
        out_.blocks[i].reason =
            FillsGap(i) ? "between blocks that surely are kept" : why;
      }
    }
  }

  const ContentPage& page_;
  const bool want_reasons_;
  MainContent& out_;
  ContentForest forest_ = ContentForest::kArticles;
  bool small_ = false;
  bool decisive_ = false;  // a thin choice that is believed
  std::vector<int> permille_;
  std::vector<uint8_t> framed_;
};

}  // namespace

MainContent FindMainContent(std::string_view utf8, const HtmlTree& tree,
                            bool want_reasons) {
  MainContent main;
  main.keep_node.assign(tree.nodes.size(), 0);
  ContentPage page;
  ReadContentPage(utf8, tree, &page);
  if (page.too_large) {
    main.fallback = true;
    std::fill(main.keep_node.begin(), main.keep_node.end(), 1);
    return main;
  }
  Chooser(page, want_reasons, &main).Run();
  for (const ContentBlock& block : main.blocks) {
    if (!block.kept) continue;
    for (uint32_t i = block.first_node; i < block.end_node; ++i) {
      main.keep_node[i] = IsText(tree.nodes[i]) ? 1 : 0;
    }
  }
  return main;
}

PageKind KindOfPage(std::string_view utf8, const HtmlTree& tree) {
  ContentPage page;
  ReadContentPage(utf8, tree, &page);
  return page.too_large ? PageKind::kOther
                        : LikeliestKind(ScoreKinds(MeasurePage(page)));
}

}  // namespace twinset
