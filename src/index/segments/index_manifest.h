// What an index is made of: one small file that is replaced as a whole
// (docs/formats/index.md).
#ifndef TWINSET_SRC_INDEX_SEGMENTS_INDEX_MANIFEST_H_
#define TWINSET_SRC_INDEX_SEGMENTS_INDEX_MANIFEST_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/error.h"
#include "twinset/json.h"

namespace twinset {

// Entries [begin, end) in file number `file`.
struct IndexRange {
  uint64_t file = 0, begin = 0, end = 0;
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

// What is counted up to an entry.
struct IndexCounts {
  uint64_t documents = 0;  // that are there
  uint64_t arrivals = 0;   // that ever came
  uint64_t kept = 0;       // of those that are there
  uint64_t empty = 0;      // likewise: without features
  // Captures that lists declare, by the number of their tag; 0: none.
  struct Declared {
    uint64_t captures = 0;   // that are there
    uint64_t gone_till = 0;  // in front of this entry they are removed
    friend bool operator==(const Declared&, const Declared&) = default;
  };
  std::map<uint32_t, Declared> declared;
  friend bool operator==(const IndexCounts&, const IndexCounts&) = default;
};

struct IndexManifest {
  static constexpr char kName[] = "index.manifest";

  Json parameters;                // frozen when the index is made
  uint64_t next_file = 1;         // the least number that no file has
  std::vector<IndexRange> logs;   // sealed, in order
  std::vector<IndexRange> runs;   // in order; they cover these and maybe more
  uint64_t log = 0;               // the file that grows
  uint64_t log_bytes = 0;         // of it, known to be good
  IndexCounts counts;             // up to covered()
  std::vector<std::string> tags;  // likewise; the first has number 1

  uint64_t sealed() const { return logs.empty() ? 0 : logs.back().end; }
  uint64_t covered() const { return runs.empty() ? 0 : runs.back().end; }

  // kUsage for a folder that has none; kUnsupported for one of another format
  // or spec; kCorrupt for damage.
  static Result<IndexManifest> Read(const std::string& folder);
  // The same of any bytes; `path` is for messages.
  static Result<IndexManifest> Parse(std::string_view bytes,
                                     const std::string& path);
  // Replaces the file; it is on the disk when this returns.
  Status Write(const std::string& folder) const;
};

std::string IndexLogPath(const std::string& folder, uint64_t file);
std::string IndexRunPath(const std::string& folder, uint64_t file);
// The number in a name that the functions above give, or give with ".idx"; 0
// for other names.
uint64_t IndexFileOfName(std::string_view name);

}  // namespace twinset

#endif  // TWINSET_SRC_INDEX_SEGMENTS_INDEX_MANIFEST_H_
