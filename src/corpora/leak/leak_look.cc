// What one training document has of all items (twinset/corpora/leak_stages.h).
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/keyed_hash.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/text_stage.h"
#include "leak/item_list.h"
#include "leak/short_items.h"
#include "pipeline/run/run_key.h"
#include "read/reader.h"
#include "text/tokens/features.h"
#include "twinset/corpora/leak_stages.h"
#include "verify/passages.h"
#include "verify/verifier.h"

namespace twinset {
namespace {

std::string_view BytesOf(const std::vector<uint64_t>& hashes) {
  return {reinterpret_cast<const char*>(hashes.data()),
          hashes.size() * sizeof(uint64_t)};
}

// The words of a text in order, as hashes for this process, and where they
// begin in it, in bytes.
struct TextWords {
  TextWords(std::string_view text, const FeatureExtractor& extractor) {
    extractor.ForEachToken(text, [this](const TokenView& token) {
      hashes.push_back(EqualityHash::OfProcess().Short(token.text));
      begins.push_back(token.begin);
    });
  }
  std::vector<uint64_t> hashes;
  std::vector<uint32_t> begins;
};

struct SoughtItem {
  std::vector<uint64_t> shingles;  // under the secret, ascending, distinct
  std::vector<uint64_t> words;     // in order
};

}  // namespace

struct LeakLook::Parts {
  explicit Parts(TextStage of) : stage(std::move(of)) {}

  TextStage stage;
  std::unique_ptr<FeatureExtractor> open, secret;
  std::unique_ptr<Verifier> verifier;
  double threshold = 0;
  uint64_t max_document_bytes = 0;
  std::vector<SoughtItem> items;
  // A document that holds an item has one of these shingles of it: by shingle,
  // the numbers of such items.
  std::unordered_map<uint64_t, std::vector<uint32_t>> index;
  ShortItems short_items;

  void Add(std::string_view text, uint32_t words, FeatureScratch* scratch);
  void Index();
  std::vector<uint32_t> Candidates(const std::vector<uint64_t>& shingles) const;
  std::string Excerpt(const SoughtItem& item, std::string_view text,
                      const TextWords& words) const;
  void FindLong(std::string_view text, LeakLooked* looked) const;
  void FindShort(std::string_view text, LeakLooked* looked) const;
};

void LeakLook::Parts::Add(std::string_view text, uint32_t words,
                          FeatureScratch* scratch) {
  SoughtItem item;
  Features features;
  secret->Extract(text, scratch, &features);
  item.shingles = std::move(features.shingles);
  item.words = TextWords(text, *open).hashes;
  if (!item.words.empty() && item.words.size() < words) {
    std::vector<std::string> all;
    open->ForEachToken(
        text, [&all](const TokenView& token) { all.emplace_back(token.text); });
    short_items.Add(items.size(), all);
  }
  items.push_back(std::move(item));
}

// A document that holds an item lacks at most n - c of its n shingles, so it
// has one of any n - c + 1: those that the fewest items have.
void LeakLook::Parts::Index() {
  std::unordered_map<uint64_t, uint32_t> counts;
  for (const SoughtItem& item : items)
    for (const uint64_t shingle : item.shingles) ++counts[shingle];
  std::vector<uint64_t> rarest;
  for (size_t i = 0; i < items.size(); ++i) {
    rarest = items[i].shingles;
    if (rarest.empty()) continue;
    std::sort(rarest.begin(), rarest.end(), [&](uint64_t x, uint64_t y) {
      return std::pair(counts.at(x), x) < std::pair(counts.at(y), y);
    });
    rarest.resize(rarest.size() -
                  verifier->LeastCommon(rarest.size(), rarest.size()) + 1);
    for (const uint64_t shingle : rarest)
      index[shingle].push_back(static_cast<uint32_t>(i));
  }
}

// Items that may stand in a document of these shingles, in their order.
std::vector<uint32_t> LeakLook::Parts::Candidates(
    const std::vector<uint64_t>& shingles) const {
  std::vector<uint32_t> found;
  for (const uint64_t shingle : shingles) {
    const auto at = index.find(shingle);
    if (at == index.end()) continue;
    found.insert(found.end(), at->second.begin(), at->second.end());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// It begins with the first passage in common that is long enough.
std::string LeakLook::Parts::Excerpt(const SoughtItem& item,
                                     std::string_view text,
                                     const TextWords& words) const {
  const uint64_t least = LeakExcerptWords(item.words.size());
  for (const Passage& passage :
       FindPassages(item.words, words.hashes, kLeakPassages)) {
    if (passage.a_end - passage.a_begin >= least)
      return LeakExcerpt(text, words.begins[passage.b_begin]);
  }
  return LeakExcerpt(text, 0);
}

void LeakLook::Parts::FindLong(std::string_view text,
                               LeakLooked* looked) const {
  thread_local FeatureScratch scratch;
  Features features;
  secret->Extract(text, &scratch, &features);
  looked->tokens = features.token_count;
  std::optional<TextWords> words;
  for (const uint32_t number : Candidates(features.shingles)) {
    const SoughtItem& item = items[number];
    const auto verdict =
        verifier->Compare(BytesOf(item.shingles), BytesOf(features.shingles));
    if (!verdict.accepted) continue;
    if (!words) words.emplace(text, *open);
    looked->holdings.push_back(
        {number, LeakKindOf(item.words.size(), words->hashes.size(), threshold),
         verdict.score, Excerpt(item, text, *words)});
  }
}

void LeakLook::Parts::FindShort(std::string_view text,
                                LeakLooked* looked) const {
  std::unordered_set<size_t> seen;
  for (const LeakHolding& holding : looked->holdings) seen.insert(holding.item);
  short_items.ForEachPlace(text, *open, [&](const ShortPlace& place) {
    std::string excerpt;
    for (const size_t number : place.items) {
      if (!seen.insert(number).second) continue;
      if (excerpt.empty()) excerpt = place.Excerpt();
      looked->holdings.push_back(
          {number, LeakKind::kShortEmbedded, 1, excerpt});
    }
  });
}

Result<LeakLook> v1::LeakLook::Make(
    const LeakOptions& options, const SecretBytes& key,
    const std::vector<std::string_view>& texts) try {
  TWINSET_ASSIGN(const HashKey secret, KeyOfBytes(key));
  TWINSET_ASSIGN(const uint32_t words, LeakShingleWords(options.features));
  TWINSET_ASSIGN(TextStage stage,
                 TextStage::Make(options.input, options.features, {}));
  auto parts = std::make_shared<Parts>(std::move(stage));
  TWINSET_ASSIGN(parts->open, MakeExtractor(options.features));
  TWINSET_ASSIGN(parts->secret, MakeSecretExtractor(options.features, secret));
  TWINSET_ASSIGN(parts->verifier, LeakVerifier(options.threshold));
  parts->threshold = options.threshold;
  parts->max_document_bytes = options.input.max_document_bytes;
  FeatureScratch scratch;
  for (const std::string_view text : texts) parts->Add(text, words, &scratch);
  parts->Index();
  LeakLook look;
  look.parts_ = std::move(parts);
  return look;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

Result<LeakLooked> v1::LeakLook::Look(Document document) const try {
  LeakLooked looked;
  const uint64_t bytes = document.payload.size();
  if (!document.has_text) {
    looked.rejected = "no-text-field";
    looked.detail = "the document has no text";
    return looked;
  }
  if (bytes > parts_->max_document_bytes) {
    looked.rejected = "too-large";
    looked.detail = "the text has " + std::to_string(bytes) +
                    " bytes, the limit is " +
                    std::to_string(parts_->max_document_bytes);
    return looked;
  }
  Record record;
  record.document = std::move(document);
  DocumentText text;
  RejectedRecord rejected;
  if (!parts_->stage.Show(record, "", &text, &rejected)) {
    looked.rejected = rejected.reason;
    looked.detail = rejected.detail;
    return looked;
  }
  parts_->FindLong(text.text, &looked);
  parts_->FindShort(text.text, &looked);
  return looked;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
