// What an input is beside a sequence of records: for who writes it again.
#ifndef TWINSET_SRC_STAGES_READ_CONTAINER_H_
#define TWINSET_SRC_STAGES_READ_CONTAINER_H_

#include <cstdint>

#include "read/reader.h"

namespace twinset {

enum class Container : uint8_t {
  kNone,     // its records one behind the other are the input
  kArchive,  // of files
  kArray,    // of JSON
  kWiki      // an export of a wiki: records share what stands around them
};

// By the first bytes of a file. For pipes, which cannot be looked into, kNone.
Result<Container> ContainerOf(const InputFile& input,
                              const ReadOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_CONTAINER_H_
