// Answers of the web kept in a file (docs/formats/engine.md).
#ifndef TWINSET_SRC_GROUND_NET_RECORDED_FETCHER_H_
#define TWINSET_SRC_GROUND_NET_RECORDED_FETCHER_H_

#include <memory>
#include <string>

#include "net/fetcher.h"

namespace twinset {

// A fetcher that takes the answers `path` has, asks `inner` for the others and
// adds these to the file. Only answers are kept, not errors: what failed is
// asked for again. `inner` null: what the file lacks is kUnavailable. A line
// that was cut off at the end (the process was killed) is left out; other
// damage is kCorrupt and names the line. Memory: an address and about 60 bytes
// per answer.
Result<std::unique_ptr<Fetcher>> OpenRecordedFetcher(
    std::unique_ptr<Fetcher> inner, const std::string& path);

// One line of the file, with its '\n'; and back. kCorrupt for what is none.
std::string FetchRecordLine(const std::string& url,
                            const FetchResponse& response);
struct FetchRecord {
  std::string url;  // as asked for
  FetchResponse response;
};
Result<FetchRecord> ParseFetchRecord(const std::string& line);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_NET_RECORDED_FETCHER_H_
