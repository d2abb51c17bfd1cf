// Where documents go that an engine is built of, whatever keeps them.
#ifndef TWINSET_SRC_MEASURE_ENGINE_ENGINE_BUILDER_H_
#define TWINSET_SRC_MEASURE_ENGINE_ENGINE_BUILDER_H_

#include "engine/memory_engine.h"
#include "twinset/error.h"

namespace twinset {

// One document after the other, in input order, which is the order of results
// where nothing else decides. Nothing is to be found before Finish; destroyed
// without it, what was written is of no use and may be removed. Not
// thread-safe. Memory does not grow with the number of documents.
class EngineBuilder {
 public:
  virtual ~EngineBuilder() = default;
  // False when an earlier document has the same address: this one is dropped.
  // `tokens` are the terms it is found by, each an arbitrary text; page.fields
  // are JSON texts by name.
  virtual Result<bool> Add(const EngineDocument& document) = 0;
  // Everything is stored and can be asked for when it returns. Once, last.
  virtual Status Finish() = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_ENGINE_BUILDER_H_
