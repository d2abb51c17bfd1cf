#include "text/content.h"

#include <algorithm>
#include <array>

#include "text/content_features.h"
#include "text/content_model.h"
#include "text/content_page.h"

namespace twinset {
namespace {

// Blocks this likely are kept, or on some pages less likely ones, but never
// less than this: see Threshold.
constexpr int kKeepPermille = 500;
constexpr int kLeastPermille = 100;
// Main content of fewer words (halves) that is less than half of the page is
// not believed.
constexpr uint32_t kThinWords = 50;
bool IsText(const HtmlNode& node) {
  return node.kind == HtmlNode::kText &&
         (node.flags & HtmlNode::kHidden) == 0;
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
    ContentRows rows(page_);
    std::array<FeatureRow, kContentLanes> some;
    std::array<int32_t, kContentLanes> scores;
    for (size_t i = 0; i < count; i += kContentLanes) {
      const size_t lanes = std::min(kContentLanes, count - i);
      for (size_t k = 0; k < lanes; ++k) some[k] = rows.Next();
      ContentScores(some.data(), lanes, scores.data());
      for (size_t k = 0; k < lanes; ++k) Judge(i + k, some[k], scores[k]);
    }
    Decide();
  }

 private:
  void Judge(size_t i, const FeatureRow& row, int32_t score) {
    permille_[i] = ContentPermille(score);
    framed_[i] = InFrame(row);
    ContentBlock& block = out_.blocks[i];
    block.first_node = page_.blocks[i].first_node;
    block.end_node = page_.blocks[i].end_node;
    block.score = permille_[i] / 1000.0;
    if (want_reasons_) block.reason = ContentReason(row);
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

  // The sum of the probabilities is how many words of main content to expect.
  // If the likely blocks have less than half of that, as on pages unlike all
  // that the model knows, less likely ones are kept, best first.
  int Threshold() const {
    uint64_t expected = 0;  // in 1/1000
    std::array<uint64_t, 1001> words{};
    for (size_t i = 0; i < permille_.size(); ++i) {
      const uint64_t own = page_.blocks[i].text.words;
      expected += own * static_cast<uint64_t>(permille_[i]);
      words[static_cast<size_t>(permille_[i])] += own;
    }
    uint64_t kept = 0;
    int least = 1000;
    for (; least > kLeastPermille; --least) {
      kept += words[static_cast<size_t>(least)];
      if (least <= kKeepPermille && kept * 2000 >= expected) break;
    }
    return least;
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
    const auto enough = [&](uint32_t words) {
      return words >= kThinWords || (words > 0 && words * 2 >= all);
    };
    const int least = Threshold();
    if (enough(Choose([&](size_t i) { return permille_[i] >= least; }))) return;
    out_.fallback = true;
    const std::vector<ContentBlock> first = out_.blocks;
    std::string_view why = "little main content: likely blocks are kept";
    if (!enough(Choose(
            [&](size_t i) { return permille_[i] >= kLeastPermille; }))) {
      why = "no main content: all but navigation is kept";
      if (!enough(Choose([&](size_t i) {
            return permille_[i] >= kKeepPermille || framed_[i] == 0;
          }))) {
        why = "no main content: all text is kept";
        Choose([](size_t) { return true; });
      }
    }
    for (size_t i = 0; want_reasons_ && i < first.size(); ++i) {
      if (out_.blocks[i].kept && !first[i].kept) out_.blocks[i].reason = why;
    }
  }

  const ContentPage& page_;
  const bool want_reasons_;
  MainContent& out_;
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

}  // namespace twinset
