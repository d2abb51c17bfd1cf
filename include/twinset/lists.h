// Small files that stand beside a command line: names of inputs, and settings.
#ifndef TWINSET_LISTS_H_
#define TWINSET_LISTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/error.h"

namespace twinset::inline v1 {

// The names that a list of files holds ("-": standard input; compressed or
// not): one a line, or, where a NUL byte is among its first 64 KB, one in front
// of each NUL. Names are taken as they are, without byte order marks, '\r' and
// '\n' at the ends of their lines; empty ones are passed over. kMemory when
// they need more than a quarter of `memory_bytes` (0: what a command uses by
// default).
Result<std::vector<std::string>> ReadNameList(const std::string& path,
                                              uint64_t memory_bytes);

// The text of a file of settings, of at most 1 MB, with '\n' behind each line.
Result<std::string> ReadSettings(const std::string& path);

}  // namespace twinset::inline v1

#endif  // TWINSET_LISTS_H_
