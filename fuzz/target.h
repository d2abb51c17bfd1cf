// How a program of several fuzz targets knows them. A file fuzz_NAME.cc defines
// one of its family's targets (fuzz/CMakeLists.txt):
//
//   TWINSET_FUZZ_TARGET(tar) {  // data, size
//     ...
//     return 0;
//   }
//
// The environment variable FUZZ_TARGET chooses the one that runs.
#ifndef TWINSET_FUZZ_TARGET_H_
#define TWINSET_FUZZ_TARGET_H_

#include <cstddef>
#include <cstdint>

namespace twinset {

// What libFuzzer calls for each input; it returns 0 when the input may join the
// corpus.
using FuzzFunction = int (*)(const uint8_t* data, size_t size);

// Adds a target to its program, before main.
class FuzzTarget {
 public:
  FuzzTarget(const char* name, FuzzFunction function);
};

}  // namespace twinset

#define TWINSET_FUZZ_TARGET(name)                                            \
  static int FuzzTarget_##name(const uint8_t* data, size_t size);            \
  static const ::twinset::FuzzTarget kFuzzTarget_##name(#name,               \
                                                        &FuzzTarget_##name); \
  static int FuzzTarget_##name([[maybe_unused]] const uint8_t* data,         \
                               [[maybe_unused]] size_t size)

#endif  // TWINSET_FUZZ_TARGET_H_
