// A pass over a collection of a study.
#ifndef TWINSET_SRC_CORPORA_TRANSFER_COLLECTION_PASS_H_
#define TWINSET_SRC_CORPORA_TRANSFER_COLLECTION_PASS_H_

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "core/document.h"
#include "twinset/error.h"
#include "twinset/options.h"
#include "twinset/results.h"

namespace twinset {

struct CollectionDocument {
  const Record& record;
  const std::string& source;
  const std::string& name;  // as runs name it
  size_t input = 0;         // number of the input that it comes from
};

// Every document of the inputs in input order. A document that comes under two
// inputs comes twice, as in a run. Memory: the ids.
Status ForEachCollectionDocument(
    const InputOptions& input, const std::atomic<bool>* stop,
    const std::function<Status(const CollectionDocument&)>& body);

// The same, where an input without a document that has a word is kCorrupt;
// `sides` gets a row for each under the name `side`. Texts are made of the
// documents of an input until one has a word under `tokens`.
Status ForEachDocumentOfSide(
    const std::string& side, const InputOptions& input, TokenRule tokens,
    const std::atomic<bool>* stop, std::vector<SideRead>* sides,
    const std::function<Status(const CollectionDocument&)>& body);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_TRANSFER_COLLECTION_PASS_H_
