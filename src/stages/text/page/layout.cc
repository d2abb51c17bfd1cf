#include "text/page/layout.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/hash.h"
#include "kernels/kernels.h"

namespace twinset {
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

bool IsTableCell(HtmlTag tag) {
  return tag == HtmlTag::kTd || tag == HtmlTag::kTh;
}

// The last kLayoutShingle of a sequence; 0 before the first.
class Window {
 public:
  // The hash of the run that ends with `path`; none for a repeated one.
  std::optional<uint64_t> Add(uint64_t path) {
    if (path == last_.back()) return std::nullopt;
    for (size_t i = 1; i < last_.size(); ++i) last_[i - 1] = last_[i];
    last_.back() = path;
    uint64_t hash = 0;
    for (const uint64_t one : last_) hash = Mix64(hash + one);
    return hash;
  }

 private:
  std::array<uint64_t, kLayoutShingle> last_{};
};

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
    uint32_t cells = 0;
  };

  void Add(const HtmlNode& node) {
    const bool visible = (node.flags & HtmlNode::kHidden) == 0;
    switch (node.kind) {
      case HtmlNode::kOpen: {
        const uint64_t path = Extend(Path(), node.tag);
        if (visible) NotLeaf();
        if (visible && IsTableCell(node.tag)) AddCell(path);
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
    if (const auto hash = leaves_.Add(path))
      shingles_.push_back(*hash & ~kCellShingle);
  }
  // Adds a cell to the row that is open.
  void AddCell(uint64_t path) {
    if (levels_.empty() || cell_shingles_ == kMostCells) return;
    uint32_t* const column = &levels_.back().cells;
    *column = std::min(*column + 1, kMostColumns);
    const auto hash = cells_.Add(Mix64(path + *column));
    if (!hash) return;
    ++cell_shingles_;
    shingles_.push_back(*hash | kCellShingle);
  }

  std::vector<Level> levels_;
  Window leaves_, cells_;
  size_t cell_shingles_ = 0;
  std::vector<uint64_t> shingles_;
};

}  // namespace

std::vector<uint64_t> LayoutShingles(const HtmlTree& tree) {
  return LayoutMaker().Make(tree);
}

}  // namespace twinset
