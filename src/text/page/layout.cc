#include "text/page/layout.h"

#include <array>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset::inline v1 {
namespace {

// Hash of each element's name: the numbers of HtmlTag may change, names do not.
const std::array<uint64_t, static_cast<size_t>(HtmlTag::kCount)>& TagHashes() {
  static const auto hashes = [] {
    std::array<uint64_t, static_cast<size_t>(HtmlTag::kCount)> table{};
    for (size_t i = 0; i < table.size(); ++i) {
      table[i] = Hash64(TagName(static_cast<HtmlTag>(i)));
    }
    return table;
  }();
  return hashes;
}

uint64_t Extend(uint64_t path, HtmlTag tag) {
  return Mix64(path + TagHashes()[static_cast<size_t>(tag)]);
}

// Void elements that take up room on the page; a line break is part of a text.
bool TakesRoom(HtmlTag tag) {
  switch (tag) {
    case HtmlTag::kImg:
    case HtmlTag::kImage:
    case HtmlTag::kHr:
    case HtmlTag::kInput:
    case HtmlTag::kIsindex:
    case HtmlTag::kEmbed:
    case HtmlTag::kFrame:
    case HtmlTag::kIframe:
      return true;
    default:
      return false;
  }
}

class LayoutMaker {
 public:
  std::vector<uint64_t> Make(const HtmlTree& tree) {
    for (const HtmlNode& node : tree.nodes) Add(node);
    shingles_.resize(kernels::SortUnique(shingles_.data(), shingles_.size()));
    return std::move(shingles_);
  }

 private:
  struct Level {
    uint64_t path = 0;
    bool visible = true;
    bool leaf = true;  // nothing inside yet that is a leaf or holds one
  };

  void Add(const HtmlNode& node) {
    const bool visible = (node.flags & HtmlNode::kHidden) == 0;
    switch (node.kind) {
      case HtmlNode::kOpen: {
        const uint64_t path = Extend(Path(), node.tag);
        if (visible) NotLeaf();
        levels_.push_back({path, visible, true});
        return;
      }
      case HtmlNode::kClose: {
        if (levels_.empty()) return;
        const Level level = levels_.back();
        levels_.pop_back();
        if (level.leaf && level.visible) AddLeaf(level.path);
        return;
      }
      case HtmlNode::kLinkOpen:
        if (visible && (node.flags & HtmlNode::kReopened) == 0) {
          AddInner(HtmlTag::kA);
        }
        return;
      case HtmlNode::kVoid:
        if (visible && TakesRoom(node.tag)) AddInner(node.tag);
        return;
      case HtmlNode::kLinkClose:
      case HtmlNode::kText:
      case HtmlNode::kRest:
        return;
    }
  }

  uint64_t Path() const { return levels_.empty() ? 0 : levels_.back().path; }
  void NotLeaf() {
    if (!levels_.empty()) levels_.back().leaf = false;
  }
  void AddInner(HtmlTag tag) {
    NotLeaf();
    AddLeaf(Extend(Path(), tag));
  }

  void AddLeaf(uint64_t path) {
    if (path == window_.back()) return;
    for (size_t i = 1; i < window_.size(); ++i) window_[i - 1] = window_[i];
    window_.back() = path;
    uint64_t hash = 0;
    for (const uint64_t leaf : window_) hash = Mix64(hash + leaf);
    shingles_.push_back(hash);
  }

  std::vector<Level> levels_;
  // The last leaves; 0 before the first.
  std::array<uint64_t, kLayoutShingle> window_{};
  std::vector<uint64_t> shingles_;
};

}  // namespace

std::vector<uint64_t> LayoutShingles(const HtmlTree& tree) {
  return LayoutMaker().Make(tree);
}

}  // namespace twinset::inline v1
