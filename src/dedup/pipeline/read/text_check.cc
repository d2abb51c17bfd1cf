#include "pipeline/read/text_check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "pipeline/read/ingest.h"
#include "sketch/sketcher.h"

namespace twinset {

namespace {

// A shingle of one of two texts, and the value that it gets.
struct Element {
  ShingleText shingle;
  size_t side = 0, place = 0;  // among the stored ones of its text
  uint64_t value = 0;
};

void AddStored(const CheckedText& text, size_t side,
               std::vector<Element>* elements) {
  const std::string aligned(text.stored);
  const auto values = AsHashes(aligned);
  std::vector<uint64_t> stored(values.begin(), values.end());
  std::sort(stored.begin(), stored.end());
  size_t place = 0;
  for (const ShingleText& shingle : text.shingles) {
    if (std::binary_search(stored.begin(), stored.end(), shingle.hash))
      elements->push_back({shingle, side, place++, shingle.hash});
  }
}

constexpr uint64_t kLargeCost = 1 << 20;

// What comparing texts of so many bytes takes, measured: a hundred bytes for
// each character as shingles of characters, half of it as those of words.
uint64_t CostOf(const FeatureExtractor& extractor, uint64_t text_bytes) {
  uint64_t cost = 0;
  for (const ShingleKind& kind : extractor.kinds())
    cost += kind.unit == ShingleKind::kChar ? 104 : 60;
  return cost * text_bytes;
}

Status CheckFits(uint64_t cost, uint64_t memory_bytes) {
  constexpr uint64_t kMegabyte = 1 << 20;
  // The promise leaves that much beside the budget.
  constexpr uint64_t kBeside = 32 * kMegabyte;
  if (cost <= memory_bytes / 2 + kBeside) return {};
  const uint64_t enough = 2 * (cost - kBeside) / kMegabyte + 1;
  return Fail(ErrorCode::kMemory,
              "the texts of two documents are too large for --verify text", "",
              "raise --memory to " + std::to_string(enough) + "M");
}

std::string Encode(FeatureForm form, std::vector<uint64_t> values) {
  if (form != FeatureForm::kSequence) std::sort(values.begin(), values.end());
  if (form == FeatureForm::kShingles)
    values.erase(std::unique(values.begin(), values.end()), values.end());
  return EncodeHashes(values);
}

}  // namespace

std::optional<DistinctFeatures> Distinguish(FeatureForm form,
                                            const CheckedText& a,
                                            const CheckedText& b) {
  std::vector<Element> elements;
  AddStored(a, 0, &elements);
  AddStored(b, 1, &elements);
  const auto by_text = [](const Element& x, const Element& y) {
    return std::tie(x.shingle.hash, x.shingle.kind, x.shingle.text) <
           std::tie(y.shingle.hash, y.shingle.kind, y.shingle.text);
  };
  std::sort(elements.begin(), elements.end(), by_text);
  std::vector<uint64_t> taken;
  taken.reserve(elements.size());
  for (const Element& element : elements) taken.push_back(element.shingle.hash);
  bool differs = false;
  uint64_t fresh = 0;
  for (size_t i = 1; i < elements.size(); ++i) {
    const Element& last = elements[i - 1];
    Element& element = elements[i];
    if (element.shingle.hash != last.shingle.hash) continue;
    element.value = last.value;
    if (!by_text(last, element)) continue;
    differs = true;
    do {
      ++fresh;
    } while (std::binary_search(taken.begin(), taken.end(), fresh));
    element.value = fresh;
  }
  if (!differs) return {};
  std::sort(elements.begin(), elements.end(),
            [](const Element& x, const Element& y) {
              return std::tie(x.side, x.place) < std::tie(y.side, y.place);
            });
  std::vector<uint64_t> values[2];
  for (const Element& element : elements)
    values[element.side].push_back(element.value);
  return DistinctFeatures{Encode(form, std::move(values[0])),
                          Encode(form, std::move(values[1]))};
}

Result<TextCheck> TextCheck::Open(const Run& run) {
  TWINSET_ASSIGN(auto texts, OpenBlob(run, run.texts_file));
  return TextCheck(run, std::move(texts));
}

Result<std::optional<DistinctFeatures>> TextCheck::Clash(
    uint64_t a, uint64_t b, std::string_view stored_a,
    std::string_view stored_b) const {
  std::string text_a, text_b;
  TWINSET_TRY(texts_.ReadOne(a, &text_a));
  TWINSET_TRY(texts_.ReadOne(b, &text_b));
  // In equal texts, equal hashes are equal shingles.
  if (text_a == text_b) return std::optional<DistinctFeatures>();
  const FeatureExtractor& extractor = *run_->plan.features.extractors[0];
  const uint64_t cost = CostOf(extractor, text_a.size() + text_b.size());
  std::unique_lock<std::mutex> one(*large_, std::defer_lock);
  if (cost > kLargeCost) {
    TWINSET_TRY(CheckFits(cost, run_->plan.machine.memory_bytes));
    one.lock();
  }
  std::string buffer_a, buffer_b;
  return Distinguish(run_->plan.features.form,
                     {extractor.Texts(text_a, &buffer_a), stored_a},
                     {extractor.Texts(text_b, &buffer_b), stored_b});
}

Result<std::optional<Verifier::Verdict>> TextCheck::Compare(
    const CandidatePair& pair, std::string_view stored_a,
    std::string_view stored_b) const {
  TWINSET_ASSIGN(const auto distinct,
                 Clash(pair.a, pair.b, stored_a, stored_b));
  if (!distinct) return std::optional<Verifier::Verdict>();
  return std::optional(
      run_->parts.verifier->CompareFully(distinct->a, distinct->b));
}

Result<bool> TextCheck::IsCopy(uint64_t a, uint64_t b,
                               std::string_view stored) const {
  TWINSET_ASSIGN(const auto distinct, Clash(a, b, stored, stored));
  return !distinct || distinct->a == distinct->b;
}

}  // namespace twinset
