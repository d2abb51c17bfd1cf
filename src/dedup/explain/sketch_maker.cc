#include "explain/sketch_maker.h"

#include <algorithm>

namespace twinset {

namespace {

std::string_view BytesOf(const std::vector<uint64_t>& hashes) {
  return {reinterpret_cast<const char*>(hashes.data()),
          hashes.size() * sizeof(uint64_t)};
}

}  // namespace

size_t SketchMaker::Scratch::bytes() const {
  size_t all = ingest.shingles.shingles.capacity() * sizeof(uint64_t);
  for (const auto& one : hashes) all += one.capacity() * sizeof(uint64_t);
  for (const std::string& one : stored) all += one.capacity();
  for (const Sketch& one : sketches) all += one.capacity() * sizeof(one[0]);
  return all;
}

SketchMaker::SketchMaker(const TextSketcher& sketcher) : sketcher_(sketcher) {
  const auto& views = sketcher.plan().features.views;
  const auto shingle = [&](size_t view) {
    const std::string& own = views[view].shingle;
    return own.empty() ? sketcher.plan().options.features.shingle : own;
  };
  for (size_t i = 0; i < views.size(); ++i) {
    same_.push_back(static_cast<size_t>(
        std::find(views.begin(), views.end(), views[i]) - views.begin()));
    any_order_.push_back(views[i].form == FeatureForm::kShingles);
    tells_empty_.push_back(i == 0 || (IsHashed(views[i].form) &&
                                      IsHashed(views[0].form) &&
                                      shingle(i) == shingle(0)));
  }
  const auto& sketchers = sketcher.parts().sketchers;
  for (size_t i = 0; i < sketchers.size(); ++i) {
    const size_t read = same_[sketcher.ViewOf(i)];
    any_order_[read] = any_order_[read] && sketchers[i]->IgnoresRepeats();
  }
}

std::string_view SketchMaker::View(size_t view, std::string_view text,
                                   Scratch* scratch) const {
  const PlanFeatures& features = sketcher_.plan().features;
  view = same_[view];
  const FeatureForm form = features.views[view].form;
  if (form == FeatureForm::kPayload) return text;
  const bool is_made = scratch->is_made[view];
  scratch->is_made[view] = true;
  if (!IsHashed(form)) {
    if (!is_made)
      scratch->stored[view] =
          MakeView(sketcher_.plan(), view, text, &scratch->ingest);
    return scratch->stored[view];
  }
  std::vector<uint64_t>& hashes = scratch->hashes[view];
  if (is_made) return BytesOf(hashes);
  ExtractHashes(*features.extractors[view],
                any_order_[view] ? FeatureForm::kSequence : form, text,
                &scratch->ingest);
  hashes.swap(scratch->ingest.shingles.shingles);
  return BytesOf(hashes);
}

bool SketchMaker::IsEmpty(size_t read, std::string_view text,
                          Scratch* scratch) const {
  return View(tells_empty_[read] ? read : 0, text, scratch).empty();
}

bool SketchMaker::Make(std::string_view text, std::optional<size_t> which,
                       Scratch* scratch) const {
  const MethodParts& parts = sketcher_.parts();
  scratch->hashes.resize(same_.size());
  scratch->stored.resize(same_.size());
  scratch->is_made.assign(same_.size(), false);
  scratch->sketches.resize(parts.sketchers.size());
  for (Sketch& sketch : scratch->sketches) sketch.clear();
  const size_t begin = which.value_or(0);
  const size_t end = which ? begin + 1 : parts.sketchers.size();
  const size_t first = begin == end ? 0 : sketcher_.ViewOf(begin);
  if (IsEmpty(first, text, scratch)) return false;
  for (size_t i = begin; i < end; ++i) {
    parts.sketchers[i]->Compute(View(sketcher_.ViewOf(i), text, scratch),
                                &scratch->sketches[i]);
  }
  return true;
}

}  // namespace twinset
