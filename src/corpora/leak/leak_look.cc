// What one training document has of all items (twinset/corpora/leak_stages.h).
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/keyed_hash.h"
#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/text_stage.h"
#include "leak/item_list.h"
#include "leak/item_search.h"
#include "leak/short_items.h"
#include "pipeline/run/run_key.h"
#include "read/reader.h"
#include "text/tokens/features.h"
#include "twinset/corpora/leak_stages.h"
#include "verify/passages.h"

namespace twinset {
namespace {

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

}  // namespace

struct LeakLook::Parts {
  Parts(TextStage of, ItemSearch items)
      : stage(std::move(of)), search(std::move(items)) {}

  TextStage stage;
  ItemSearch search;
  std::unique_ptr<FeatureExtractor> open;
  uint64_t max_document_bytes = 0;
  std::vector<std::vector<uint64_t>> words;  // of the items, in order
  ShortItems short_items;

  void Add(std::string_view text, uint32_t least);
  std::string Excerpt(const std::vector<uint64_t>& item, std::string_view text,
                      const TextWords& of_text) const;
  void FindLong(std::string_view text, LeakLooked* looked) const;
  void FindShort(std::string_view text, LeakLooked* looked) const;
};

// `least`: the words of a shingle.
void LeakLook::Parts::Add(std::string_view text, uint32_t least) {
  search.Add(text);
  std::vector<uint64_t> hashes = TextWords(text, *open).hashes;
  if (!hashes.empty() && hashes.size() < least) {
    std::vector<std::string> all;
    open->ForEachToken(
        text, [&all](const TokenView& token) { all.emplace_back(token.text); });
    short_items.Add(words.size(), all);
  }
  words.push_back(std::move(hashes));
}

// It begins with the first passage in common that is long enough.
std::string LeakLook::Parts::Excerpt(const std::vector<uint64_t>& item,
                                     std::string_view text,
                                     const TextWords& of_text) const {
  const uint64_t least = LeakExcerptWords(item.size());
  for (const Passage& passage :
       FindPassages(item, of_text.hashes, kLeakPassages)) {
    if (passage.a_end - passage.a_begin >= least)
      return LeakExcerpt(text, of_text.begins[passage.b_begin]);
  }
  return LeakExcerpt(text, 0);
}

void LeakLook::Parts::FindLong(std::string_view text,
                               LeakLooked* looked) const {
  std::optional<TextWords> of_text;
  for (const FoundItem& found : search.Find(text, &looked->tokens)) {
    if (!of_text) of_text.emplace(text, *open);
    looked->holdings.push_back({found.item, found.kind, found.share,
                                Excerpt(words[found.item], text, *of_text)});
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
  if (options.rule != LeakRule::kShare)
    return Fail(ErrorCode::kUsage,
                "a rule of others needs all training documents at once", {},
                "twinset leak, or --shingle and --threshold");
  TWINSET_ASSIGN(const HashKey secret, KeyOfBytes(key));
  TWINSET_ASSIGN(const uint32_t words, LeakGramWords(options.features));
  TWINSET_ASSIGN(TextStage stage,
                 TextStage::Make(options.input, options.features, {}));
  TWINSET_ASSIGN(ItemSearch search, ItemSearch::Make(options, secret));
  auto parts = std::make_shared<Parts>(std::move(stage), std::move(search));
  TWINSET_ASSIGN(parts->open, MakeExtractor(options.features));
  parts->max_document_bytes = options.input.max_document_bytes;
  for (const std::string_view text : texts) parts->Add(text, words);
  parts->search.Index();
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
