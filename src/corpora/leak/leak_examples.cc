#include "leak/leak_examples.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace twinset {

void LeakExamples::Offer(size_t item, size_t split) {
  if (split >= leaks_.size()) leaks_.resize(split + 1);
  offered_.insert({leaks_[split]++, split, item});
  if (offered_.size() > kMost) offered_.erase(std::prev(offered_.end()));
}

void LeakExamples::Choose() {
  for (const Offered& one : offered_) examples_.emplace_back().item = one.item;
  offered_.clear();
  std::sort(examples_.begin(), examples_.end(),
            [](const auto& x, const auto& y) { return x.item < y.item; });
}

LeakExample* LeakExamples::Find(size_t item) {
  const auto at =
      std::find_if(examples_.begin(), examples_.end(),
                   [&](const auto& example) { return example.item == item; });
  return at == examples_.end() ? nullptr : &*at;
}

void LeakExamples::AddPassage(const Json& row, LeakExample* example) {
  const auto number = [&](const char* key) {
    return row.value(key, uint64_t{0});
  };
  LeakPassage passage;
  passage.words = number("tokens");
  passage.item.begin = number("a_begin");
  passage.item.end = number("a_end");
  passage.document.begin = number("b_begin");
  passage.document.end = number("b_end");
  std::vector<LeakPassage>& all = example->passages;
  all.push_back(std::move(passage));
  if (all.size() <= kMostPassages) return;
  // Rows are in the order of the item; of equally long ones the first stay.
  all.erase(std::min_element(
                all.rbegin(), all.rend(),
                [](const auto& x, const auto& y) { return x.words < y.words; })
                .base() -
            1);
}

void LeakExamples::SeeItem(std::string_view text, LeakExample* example) {
  for (LeakPassage& passage : example->passages)
    FillWindow(text, &passage.item);
}

std::vector<TextWindow> LeakExamples::WindowsIn(std::string_view text,
                                                const LeakExample& example) {
  std::vector<TextWindow> windows;
  for (const LeakPassage& passage : example.passages) {
    windows.push_back(passage.document);
    FillWindow(text, &windows.back());
  }
  return windows;
}

void LeakExamples::SetDocument(std::vector<TextWindow> windows,
                               LeakExample* example) {
  if (windows.size() != example->passages.size()) return;
  example->has_document = true;
  for (size_t i = 0; i < windows.size(); ++i)
    example->passages[i].document = std::move(windows[i]);
}

}  // namespace twinset
