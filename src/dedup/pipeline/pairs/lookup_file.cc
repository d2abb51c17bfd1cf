#include "pipeline/pairs/lookup_file.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "candidate/complete/folded_sets.h"
#include "pipeline/run/stage_hashes.h"

namespace twinset {

namespace {

constexpr uint64_t kMostBits = 1 << 16;
// Comparing a field costs a hundredth of what a pass pays for the document.
constexpr size_t kMostFolds = 64;
// A document that is found is read at its place, which costs some more than
// reading it in a pass.
constexpr uint64_t kLeastUnasked = 8;

// Elements are as many as features say, and what a pair shares is bounded.
bool HasFolds(const MethodParts& parts) {
  if (!parts.complete || !parts.overlap) return false;
  switch (parts.overlap->measure()) {
    case JoinMeasure::kContainment:
    case JoinMeasure::kCosineTf:
      return false;
    default:
      return true;
  }
}

uint32_t ShortKey(uint64_t key) {
  return static_cast<uint32_t>(Mix64(key) >> 32);
}

void FoldFeatures(const MethodParts& parts, SketchedDocument* item) {
  std::vector<uint64_t> elements;
  std::vector<uint32_t> counts;
  JoinElements(parts.overlap->measure(), item->features, &elements, &counts);
  item->prepared = FoldElementsToBits(elements);
}

uint64_t ElementsOf(const SketchedDocument& item) {
  return AsValues(item.features).size();
}

void TakeEntry(bool are_folds, const SketchedDocument& item,
               LookupEntry* entry) {
  entry->equality = EqualityKey(item.fingerprint);
  if (are_folds) {
    entry->elements = static_cast<uint32_t>(ElementsOf(item));
    entry->bits = item.prepared;
    return;
  }
  entry->keys.clear();
  for (const uint64_t key : item.keys) entry->keys.push_back(ShortKey(key));
}

}  // namespace

uint64_t LookupHash(const Plan& plan, const MethodParts& parts,
                    uint64_t sketch) {
  const Method& method = *plan.features.method;
  const bool learns = method.learns && method.learns(plan.options.method);
  if (plan.options.max_df != 0 || learns || parts.generator == nullptr ||
      !parts.asked_sketchers.empty())
    return 0;
  Json settings;
  if (HasFolds(parts)) {
    settings["folds_of_sequences"] = IsOfSequences(parts.overlap->measure());
  } else if (parts.complete) {
    return 0;  // as many keys as features, or nearly
  } else {
    const Json parameters = Json::Parse(plan.parameters_json);
    for (const auto& [name, value] : parameters.items()) {
      const bool decides = DecidesPairs(name) && name != "bucket_limit" &&
                           name != "verify" && name != "bands" &&
                           name != "rows" &&
                           (name != "threshold" || parts.bands == 0);
      if (decides) settings[name] = value;
    }
    settings["bands"] = parts.bands;
    settings["rows"] = parts.rows;
  }
  return Hash64(settings.dump(), sketch);
}

Result<uint64_t> WriteLookup(Run* run) {
  const MethodParts& parts = run->parts;
  const uint64_t hash = LookupHash(run->plan, parts, run->plan.hashes.sketch);
  if (hash == 0) return hash;
  const bool folds = HasFolds(parts);
  TWINSET_ASSIGN(SketchFiles files, OpenSketchFiles(*run));
  files.within = kNoScope;
  const SketchWork fold = [&parts](SketchedDocument* item) -> Status {
    FoldFeatures(parts, item);
    return {};
  };
  TWINSET_ASSIGN(auto to, BlobWriter::Create(run->Path(kLookupFile), hash));
  LookupEntry entry;
  std::string bytes;
  TWINSET_TRY(ForEachSketchedOf(run, std::move(files),
                                folds ? fold : MakeKeys(*run),
                                [&](SketchedDocument* item) -> Status {
                                  while (to.count() < item->document)
                                    TWINSET_TRY(to.Append(""));
                                  TakeEntry(folds, *item, &entry);
                                  EncodeLookupEntry(entry, folds, &bytes);
                                  return to.Append(bytes);
                                }));
  while (to.count() < run->documents()) TWINSET_TRY(to.Append(""));
  TWINSET_TRY(to.Finish());
  return hash;
}

void EncodeLookupEntry(const LookupEntry& entry, bool are_folds,
                       std::string* bytes) {
  bytes->clear();
  AppendLE(bytes, entry.equality);
  if (!are_folds) {
    for (const uint32_t key : entry.keys) AppendLE(bytes, key);
    return;
  }
  AppendLE(bytes, entry.elements);
  for (const uint64_t word : entry.bits) AppendLE(bytes, word);
}

bool DecodeLookupEntry(std::string_view bytes, bool are_folds,
                       LookupEntry* entry) {
  ByteReader reader(bytes);
  entry->keys.clear();
  entry->bits.clear();
  entry->equality = reader.Read<uint64_t>();
  entry->elements = are_folds ? reader.Read<uint32_t>() : 0;
  while (!reader.AtEnd()) {
    if (are_folds)
      entry->bits.push_back(reader.Read<uint64_t>());
    else
      entry->keys.push_back(reader.Read<uint32_t>());
  }
  const bool has_field = !entry->bits.empty();
  return reader.ok() && has_field == (entry->elements > 0) &&
         (!has_field || std::has_single_bit(entry->bits.size()));
}

std::vector<uint64_t> FoldElementsToBits(std::span<const uint64_t> elements) {
  if (elements.empty()) return {};
  const uint64_t bits =
      std::clamp<uint64_t>(std::bit_ceil(2 * elements.size()), 64, kMostBits);
  std::vector<uint64_t> words(bits / 64);
  for (const uint64_t element : elements) {
    const uint64_t bit = Mix64(element) & (bits - 1);
    words[bit / 64] |= uint64_t{1} << bit % 64;
  }
  return words;
}

// Elements whose bit the other field lacks are not shared, and each such bit
// stands for one element at least.
uint64_t MostShared(uint64_t size_a, std::span<const uint64_t> a,
                    uint64_t size_b, std::span<const uint64_t> b) {
  const size_t words = std::min(a.size(), b.size());
  uint64_t only_a = 0, only_b = 0;
  for (size_t i = 0; i < words; ++i) {
    uint64_t of_a = 0, of_b = 0;
    for (size_t at = i; at < a.size(); at += words) of_a |= a[at];
    for (size_t at = i; at < b.size(); at += words) of_b |= b[at];
    only_a += static_cast<uint64_t>(std::popcount(of_a & ~of_b));
    only_b += static_cast<uint64_t>(std::popcount(of_b & ~of_a));
  }
  return std::min(size_a - std::min(size_a, only_a),
                  size_b - std::min(size_b, only_b));
}

LookupQuestions::LookupQuestions(Run* run)
    : run_(run), are_folds_(HasFolds(run->parts)) {
  if (!are_folds_) short_keys_.emplace(run->Share(8), &run->budget);
}

void LookupQuestions::Add(const SketchedDocument& item) {
  if (is_too_much_) return;
  if (!are_folds_) {
    for (const uint64_t key : item.keys)
      is_too_much_ |= !short_keys_->Add(ShortKey(key));
    return;
  }
  if (ElementsOf(item) == 0) return;
  if (folds_.size() == kMostFolds) {
    is_too_much_ = true;
    return;
  }
  SketchedDocument folded;
  folded.features = item.features;
  FoldFeatures(run_->parts, &folded);
  folds_.push_back({ElementsOf(item), std::move(folded.prepared)});
}

bool LookupQuestions::MayReach(uint64_t size,
                               std::span<const uint64_t> bits) const {
  const OverlapBounds& bounds = *run_->parts.overlap;
  return std::any_of(folds_.begin(), folds_.end(), [&](const Fold& fold) {
    const uint64_t small = std::min(size, fold.size),
                   large = std::max(size, fold.size);
    return small >= bounds.SmallestPartner(large) &&
           MostShared(size, bits, fold.size, fold.bits) >=
               bounds.Required(small, large);
  });
}

bool LookupQuestions::IsAsked(const NumberSet& keys) const {
  if (keys.Has(entry_.equality)) return true;
  if (are_folds_)
    return entry_.elements > 0 && MayReach(entry_.elements, entry_.bits);
  return std::any_of(entry_.keys.begin(), entry_.keys.end(),
                     [&](uint32_t key) { return short_keys_->Has(key); });
}

Result<std::optional<LookupQuestions::Found>> LookupQuestions::Find(
    BlobReader file, const NumberSet& keys) {
  if (is_too_much_) return std::nullopt;
  if (short_keys_) short_keys_->Finish();
  const uint64_t most = file.count() / kLeastUnasked + 1;
  Found found;
  found.memory = run_->budget.TryReserve(most * sizeof(uint64_t));
  if (found.memory.bytes() == 0) return std::nullopt;
  found.documents.reserve(most);
  run_->step = "look up";
  Meter meter(*run_, "documents", file.count());
  std::string_view bytes;
  for (uint64_t document = 0; document < file.count(); ++document) {
    TWINSET_TRY(file.Next(&bytes));
    meter.Add();
    if (document % 65536 == 0) TWINSET_TRY(run_->CheckStop());
    if (bytes.empty()) continue;
    if (!DecodeLookupEntry(bytes, are_folds_, &entry_)) {
      return Fail(ErrorCode::kCorrupt,
                  "the saved run has a damaged list of keys", kLookupFile,
                  "make it again with dedup --save");
    }
    if (!IsAsked(keys)) {
      found.flagged += entry_.keys.empty() && entry_.elements == 0;
      continue;
    }
    if (found.documents.size() == most) return std::nullopt;
    found.documents.push_back(document);
  }
  return found;
}

}  // namespace twinset
