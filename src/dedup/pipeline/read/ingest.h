// A record to what is stored of it: the text and feature part of the read
// stage, without files.
#ifndef TWINSET_SRC_DEDUP_PIPELINE_READ_INGEST_H_
#define TWINSET_SRC_DEDUP_PIPELINE_READ_INGEST_H_

#include <string>
#include <vector>

#include "core/document.h"
#include "documents/document_info.h"
#include "pipeline/read/page_spool.h"
#include "pipeline/run/plan.h"
#include "pipeline/run/read_counts.h"
#include "text/page/clean_text.h"
#include "text/tokens/features.h"
#include "text/tokens/units.h"

namespace twinset {

// One record after the text stage.
struct Ingested {
  DocumentInfo info;
  std::string features;  // view 0
  // Or, where that is large, what was made of the text, which saves a copy.
  std::vector<uint64_t> hashes;
  std::string_view FeatureBytes() const {
    if (hashes.empty()) return features;
    return {reinterpret_cast<const char*>(hashes.data()),
            hashes.size() * sizeof(uint64_t)};
  }
  // The others (view_store.h), or where the plan says so their sketches
  // (sketch_pass.h); empty without any.
  std::string views;
  std::string text;    // with --verify text
  std::string judged;  // with --kinds: judged_text.h
  // Set: a page whose text is known only when its whole site is. What is made
  // of the text is empty then, and `page` goes to the template stage.
  std::string page;
  uint64_t payload_bytes = 0;
  uint64_t token_count = 0;
  uint64_t present = 0;  // fields that the record has, as bits (field_bit)
  bool used_fallback = false;
  bool malformed = false;
  bool malformed_xml = false;
  PageKind page_kind = PageKind::kNone;
  bool unsure = false;
  std::string quarantine_reason,
      quarantine_detail;    // set: the document is quarantined
  std::string skip_reason;  // set: not a document of this run
};

// Buffers of one thread.
struct IngestScratch {
  FeatureScratch features;
  Features shingles;
  Features open;  // public beside secret ones
  std::vector<Sketch> sketches;
  UnitScratch units;
  SourceNames sources;
  std::vector<TextCut> cuts;  // of the text that is stored
};

// Shingles that do not count (--ignore): of each view, ascending.
using IgnoredShingles = std::vector<std::vector<uint64_t>>;

// The hashes of one view, into scratch->shingles, in the order of its form.
void ExtractHashes(const FeatureExtractor& extractor, FeatureForm form,
                   std::string_view text, IngestScratch* scratch);

// View number `view` of a text, as stored. `scratch->shingles` then holds the
// token count and, of hashed forms, the features.
std::string MakeView(const Plan& plan, size_t view, std::string_view text,
                     IngestScratch* scratch);

// Fills what is stored of the compared text: views or sketches, features, their
// counts and fingerprint, and with --verify text the text itself.
// `scratch->cuts` belong to the text. Pure.
void TakeText(const Plan& plan, const IgnoredShingles& ignored,
              std::string text, IngestScratch* scratch, Ingested* result);

// Document to stored form. Consumes document->payload early to keep the peak
// low. Pure; thread-safe with a scratch for each thread.
Ingested Ingest(const Plan& plan, const IgnoredShingles& ignored,
                Document* document, IngestScratch* scratch);

// The features of another text, as they would be stored.
std::string FeaturesOf(const Plan& plan, const IgnoredShingles& ignored,
                       std::string_view text, IngestScratch* scratch);

// Bytes that a document of this many payload bytes needs while it is ingested,
// beside those of the parser, which a thread needs for one document at a time.
uint64_t IngestCost(const Plan& plan, uint64_t payload_bytes);
uint64_t ParserCost(const Document& document);

// Value of a scope field, as bytes. `language`: of the document's text.
std::string ScopeValue(const ScopeField& scope, const Document& document,
                       const std::string& source, const std::string& language);

// The same to be compared: under the secret of the run, kNoScope, or the side.
Hash128Value ScopeOf(const Plan& plan, const ScopeField& scope,
                     const Document& document, const std::string& source,
                     const std::string& language);

// The id of a document that has none: <source>:<ordinal>.
std::string DefaultId(const std::string& source, uint64_t ordinal);

// Features of shingle set `hashes` as stored.
std::string EncodeHashes(const std::vector<uint64_t>& hashes);
// By which equal features are found: 128-bit XXH3 of shingle sets, which are
// made under the secret; Rabin fingerprint and length of bytes, which
// FingerprintOf mixes with a hash under the secret.
Hash128Value FeatureFingerprint(FeatureForm form, std::string_view features);
// DocumentInfo::fingerprint of features that are not empty.
Hash128Value FingerprintOf(const Plan& plan, std::string_view features);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_READ_INGEST_H_
