// Small files that stand beside a command line: names of inputs, and settings.
#ifndef TWINSET_LISTS_H_
#define TWINSET_LISTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset {
inline namespace v1 {

// Returns the names that a list holds ("-": standard input; compressed or not).
// Each line is a name, or, if the first 64 KB hold a NUL byte, a NUL ends each
// name. Names are taken as they are, but without byte order marks and without
// '\r' and '\n' at the ends of lines; empty ones are passed over. kMemory when
// the names need more than a quarter of `memory_bytes` (0: what a command uses
// by default).
Result<std::vector<std::string>> ReadNameList(const std::string& path,
                                              uint64_t memory_bytes);

// Returns the text of a file of settings, at most 1 MB, with '\n' behind each
// line.
Result<std::string> ReadSettings(const std::string& path);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_LISTS_H_
