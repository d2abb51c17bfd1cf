// Documents that a program hands over, as records.
#ifndef TWINSET_SRC_DEDUP_DOCUMENTS_SOURCE_READER_H_
#define TWINSET_SRC_DEDUP_DOCUMENTS_SOURCE_READER_H_

#include <cstdint>
#include <memory>

#include "read/reader.h"
#include "twinset/collection.h"

namespace twinset {

// The reader of source number `number`. Quarantined are payloads, and ids,
// addresses, dates and fields, beyond the limits of `options`. `source`
// outlives the reader.
std::unique_ptr<RecordReader> MakeSourceReader(Source* source, uint32_t number,
                                               const ReadOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_DOCUMENTS_SOURCE_READER_H_
