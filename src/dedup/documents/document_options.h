// What users say of documents, as the stages read and text take it.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_OPTIONS_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_OPTIONS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "read/reader.h"
#include "text/tokens/features.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/options.h"

namespace twinset {

// kUsage for names of fields that are not UTF-8: they meet the text of rows,
// which is, and would match nothing.
Status CheckFieldNames(const std::vector<std::string>& names);
// The read options of `input`, with its preset applied. kUsage for an
// unknown preset.
Result<ReadOptions> MakeReadOptions(const InputOptions& input);
// What --stop-words and --stem make of tokens; null: nothing. Reads the file of
// stop words, if one is named.
Result<std::shared_ptr<const TokenFilter>> MakeTokenFilter(
    const FeatureOptions& options);
// Adds both to the parameters that a run writes, unless they are at their
// defaults; of stop words a hash too, since a file of them may change.
// `filter`: what MakeTokenFilter made of the options.
void AddTokenFilterJson(const FeatureOptions& options,
                        const TokenFilter* filter, Json* json);
Result<std::unique_ptr<FeatureExtractor>> MakeExtractor(
    const FeatureOptions& options, FeatureHash hash = FeatureHash::kSpec);
// The spec's shingles under a secret.
Result<std::unique_ptr<FeatureExtractor>> MakeSecretExtractor(
    const FeatureOptions& options, const HashKey& key);
// Returns true iff a document of this kind is asked for.
bool IsKindAsked(const std::vector<PageKind>& kinds, PageKind kind);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_DOCUMENT_OPTIONS_H_
