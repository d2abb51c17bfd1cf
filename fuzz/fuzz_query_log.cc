// Any bytes are a log of queries: what is taken is distinct, bounded and
// matches itself. Every line of plain text is a query, blank, bad or repeated.
#include <algorithm>
#include <string>
#include <vector>

#include "sample/query_pool.h"
#include "scratch_file.h"
#include "target.h"

TWINSET_FUZZ_TARGET(query_log) {
  static const twinset::TextReader reader = *twinset::TextReader::Make({});
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const twinset::QueryLog log = twinset::ParseQueryLog(bytes, reader);
  // Compressed bytes and other codings are lines no more behind a plain one.
  const std::string plain = "q\n" + std::string(bytes);
  const twinset::QueryLog counted = twinset::ParseQueryLog(plain, reader);
  const auto lines =
      static_cast<uint64_t>(std::count(plain.begin(), plain.end(), '\n')) +
      !plain.ends_with('\n');
  twinset::Require(counted.queries.size() + counted.bad + counted.blank +
                       counted.repeated ==
                   lines);
  const twinset::QueryPool all(log.queries, true), any(log.queries, false);
  twinset::Require(all.size() == log.queries.size());
  for (uint32_t i = 0; i < std::min<uint32_t>(all.size(), 100); ++i) {
    const std::vector<std::string> terms = all.Terms(i);
    twinset::Require(!terms.empty() &&
                     terms.size() <= twinset::QueryLog::kMaxTerms);
    for (const twinset::QueryPool* pool : {&all, &any}) {
      const std::vector<uint32_t> matching = pool->Matching(terms);
      twinset::Require(std::binary_search(matching.begin(), matching.end(), i));
    }
  }
  return 0;
}
