// From the text of a flag to its value. Independent of the locale; nothing is
// accepted half.
#ifndef TWINSET_APPS_CLI_VALUES_H_
#define TWINSET_APPS_CLI_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/plain_words.h"
#include "twinset/shards.h"

namespace twinset::cli {

// "8M": a whole number with an optional suffix K, M, G or T (powers of 1024;
// any case, and "iB" or "B" may follow).
Result<uint64_t> ParseSize(std::string_view text);
Result<uint64_t> ParseCount(std::string_view text);
// A whole number within [low, high].
Result<int> ParseInt(std::string_view text, int low, int high);
// A finite decimal number.
Result<double> ParseNumber(std::string_view text);

// "3/64": the fourth of 64, `flag` says of what; kUsage for any other text.
Result<Shard> ParseShard(const std::string& flag, std::string_view text);

// "1,2" and "3" → 1 2 3. Spaces around an item are dropped; an empty item is an
// error.
Result<std::vector<std::string>> SplitLists(
    const std::vector<std::string>& values);

// The word as a POSIX shell takes it literally.
std::string ShellQuoted(std::string_view word);
}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_VALUES_H_
