// What an index makes of a document: the text that is compared, its features
// and the keys by which it is found.
#ifndef TWINSET_SRC_INDEX_LIVE_INDEX_FEATURES_H_
#define TWINSET_SRC_INDEX_LIVE_INDEX_FEATURES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "pipeline/pairs/lone_documents.h"
#include "twinset/document.h"
#include "twinset/error.h"
#include "twinset/index.h"
#include "twinset/options.h"
#include "verify/verifier.h"

namespace twinset {

// A document as it is compared and stored.
struct IndexedText {
  std::string text;            // what is stored: features follow from it
  std::string features;        // empty: the document is in no pair
  std::vector<uint64_t> keys;  // IndexKey, ascending, distinct
  uint64_t equality_key = 0;   // the one of them that all copies share
  std::vector<Sketch> sketches;
  uint64_t feature_count = 0;
  // Set: it is no document that can be compared, and why.
  std::string rejected, detail;
};

// Thread-safe after Make.
class IndexFeatures {
 public:
  // kUsage for options that make no sense together; kUnsupported for a method
  // or a measure that an index cannot have.
  static Result<IndexFeatures> Make(const ComparisonOptions& options,
                                    const HashKey& key);

  // Takes what is compared out of `document`.
  IndexedText Take(Document* document) const;
  // The same of a text that Take made, and some of it.
  IndexedText TakeStored(std::string text) const;
  std::string FeaturesOf(std::string_view text) const;
  Result<std::vector<uint64_t>> KeysOf(std::string_view text) const;

  // How alike two documents are; `b` by the text that is stored. `b_features`
  // becomes its features.
  Result<Verifier::Verdict> Compare(const IndexedText& a,
                                    std::string_view b_text,
                                    std::string* b_features) const;
  // What stands in one of two stored texts alone, `a` being asked for; at most
  // so many passages of a length to be shown. None where bytes are compared.
  void Explain(std::string_view a, std::string_view b, IndexMatch* match) const;
  bool CanReach(uint64_t a, uint64_t b) const {
    return lone_.parts.verifier->CanReach(a, b);
  }

  const ComparisonOptions& options() const { return lone_.options; }
  // What is stored are texts, from which features of any kind follow.
  bool stores_texts() const { return IsHashed(lone_.plan.features.form); }
  double expected_recall() const {
    return lone_.parts.expected_recall.value_or(0);
  }
  int bands() const { return lone_.parts.bands; }
  int rows() const { return lone_.parts.rows; }
  // What the options come to, for the manifest.
  Json Parameters() const { return lone_.Parameters(); }
  // By which ids are found.
  uint64_t HashOfId(std::string_view id) const { return ids_.Short(id); }
  // By which captures are found by an address or a digest; never 0.
  uint64_t HashOfCapture(std::string_view text) const {
    return ids_.Short(text) | 1;
  }
  // By which payloads are the same byte for byte.
  Hash128Value HashOfPayload(std::string_view payload) const {
    return ids_.Long(payload);
  }
  // By which a document is found again that comes once more.
  uint64_t HashOfContent(std::string_view id, std::string_view text) const;

 private:
  IndexFeatures(LoneDocuments lone, const HashKey& key)
      : lone_(std::move(lone)), ids_(key) {}
  Status AddKeys(const Ingested& made, IndexedText* taken) const;
  Status Keys(const Ingested& made, uint64_t equality_key,
              std::vector<Sketch>* sketches, std::vector<uint64_t>* keys) const;

  LoneDocuments lone_;
  EqualityHash ids_;
};

// Options from the parameters of a manifest.
Result<ComparisonOptions> IndexComparison(const Json& parameters);
// The options with other values of some parameters, as flags have them.
Result<ComparisonOptions> ChangedComparison(
    const ComparisonOptions& options,
    const std::vector<std::pair<std::string, std::string>>& changed);
// kUsage, with both values, unless the parameters are as `expected` has them:
// names and values as flags have them.
Status CheckExpected(
    const ComparisonOptions& options,
    const std::vector<std::pair<std::string, std::string>>& expected,
    const std::string& folder);

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_LIVE_INDEX_FEATURES_H_
