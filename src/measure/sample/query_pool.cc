#include "sample/query_pool.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/json_text.h"
#include "documents/text_lines.h"
#include "twinset/lexicon.h"

namespace twinset {

namespace {

// `count` distinct numbers below `bound`, ascending (Floyd's sampling).
std::vector<uint32_t> DrawDistinct(SplitMix64* random, uint32_t count,
                                   uint32_t bound) {
  std::vector<uint32_t> drawn;
  for (uint32_t i = bound - count; i < bound; ++i) {
    const auto number = static_cast<uint32_t>(random->Below(uint64_t{i} + 1));
    const bool taken =
        std::find(drawn.begin(), drawn.end(), number) != drawn.end();
    drawn.push_back(taken ? i : number);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// The tokens in order, each once.
std::vector<std::string> Distinct(std::vector<std::string> tokens) {
  std::vector<std::string> distinct;
  for (std::string& token : tokens) {
    if (std::find(distinct.begin(), distinct.end(), token) == distinct.end())
      distinct.push_back(std::move(token));
  }
  return distinct;
}

}  // namespace

Result<std::vector<std::string>> ReadPoolTerms(const std::string& lexicon,
                                               const TermRange& range) {
  std::vector<std::string> terms;
  TWINSET_TRY(ShowLexicon(lexicon, [&](const LexiconRow& row) {
    if (row.frequency >= range.min_df &&
        (range.max_df == 0 || row.frequency <= range.max_df)) {
      terms.push_back(row.term);
    }
    return true;
  }));
  if (terms.empty()) {
    return Fail(ErrorCode::kUsage, "no term of the lexicon can be asked for",
                lexicon, "widen --min-df and --max-df, or build it anew");
  }
  return terms;
}

QueryPool::QueryPool(std::vector<std::vector<std::string>> queries,
                     bool conjunctive)
    : conjunctive_(conjunctive) {
  std::set<std::vector<uint32_t>> seen;
  for (std::vector<std::string>& query : queries) {
    std::vector<uint32_t> numbers;
    for (std::string& term : query) {
      const auto number = static_cast<uint32_t>(terms_.size());
      const auto [at, is_new] = term_numbers_.emplace(term, number);
      if (is_new) terms_.push_back(std::move(term));
      numbers.push_back(at->second);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.empty() || !seen.insert(numbers).second) continue;
    queries_.push_back(std::move(numbers));
  }
  by_term_.resize(terms_.size());
  for (uint32_t query = 0; query < size(); ++query) {
    for (const uint32_t term : queries_[query]) by_term_[term].push_back(query);
  }
}

QueryPool QueryPool::OfTerms(const std::vector<std::string>& terms) {
  std::vector<std::vector<std::string>> queries;
  queries.reserve(terms.size());
  for (const std::string& term : terms) queries.push_back({term});
  return QueryPool(std::move(queries), true);
}

QueryPool QueryPool::Drawn(const std::vector<std::string>& terms,
                           uint32_t per_query, bool conjunctive, uint64_t size,
                           uint64_t seed) {
  std::vector<std::vector<std::string>> queries;
  const auto count = static_cast<uint32_t>(terms.size());
  if (per_query > 0 && per_query <= count) {
    SplitMix64 random(seed);
    std::set<std::vector<uint32_t>> seen;
    for (uint64_t in_vain = 0; queries.size() < size && in_vain < 20 * size;) {
      const auto drawn = DrawDistinct(&random, per_query, count);
      if (!seen.insert(drawn).second) {
        ++in_vain;
        continue;
      }
      std::vector<std::string> query;
      query.reserve(drawn.size());
      for (const uint32_t term : drawn) query.push_back(terms[term]);
      queries.push_back(std::move(query));
    }
  }
  return QueryPool(std::move(queries), conjunctive);
}

std::vector<std::string> QueryPool::Terms(uint32_t query) const {
  std::vector<std::string> terms;
  for (const uint32_t term : queries_[query]) terms.push_back(terms_[term]);
  return terms;
}

std::string QueryPool::Text(uint32_t query) const {
  std::string text;
  for (const uint32_t term : queries_[query])
    text += (text.empty() ? "" : " ") + terms_[term];
  return text;
}

std::vector<uint32_t> QueryPool::Matching(
    const std::vector<std::string>& tokens) const {
  std::vector<uint32_t> candidates;  // once for each term of it in the page
  for (const std::string& token : tokens) {
    const auto found = term_numbers_.find(token);
    if (found == term_numbers_.end()) continue;
    const std::vector<uint32_t>& queries = by_term_[found->second];
    candidates.insert(candidates.end(), queries.begin(), queries.end());
  }
  std::sort(candidates.begin(), candidates.end());
  std::vector<uint32_t> matching;
  for (size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
    while (end < candidates.size() && candidates[end] == candidates[begin])
      ++end;
    const uint32_t query = candidates[begin];
    if (!conjunctive_ || end - begin == queries_[query].size())
      matching.push_back(query);
  }
  return matching;
}

namespace {

// Queries as lines say them.
class QueryLogLines {
 public:
  explicit QueryLogLines(const TextReader& reader) : reader_(reader) {}

  // Returns true iff there is room for more.
  bool Take(const TextLine& line) {
    bytes_ += line.text.size() + 1;
    if (!line.problem.empty() || !IsUtf8(line.text)) {
      ++log.bad;
      return HasRoom();
    }
    std::vector<std::string> terms = Distinct(reader_.Tokens(line.text));
    if (terms.empty()) {
      ++log.blank;
    } else if (terms.size() > QueryLog::kMaxTerms) {
      ++log.bad;
    } else {
      std::vector<std::string> sorted = terms;
      std::sort(sorted.begin(), sorted.end());
      if (seen_.insert(std::move(sorted)).second) {
        log.queries.push_back(std::move(terms));
      } else {
        ++log.repeated;
      }
    }
    return HasRoom();
  }

  QueryLog log;
  // A pipe may never end.
  bool is_too_long() const { return bytes_ > kMostLogBytes; }

 private:
  static constexpr uint64_t kMostLogBytes = uint64_t{1} << 30;

  bool HasRoom() const {
    return log.queries.size() < QueryLog::kMaxQueries && !is_too_long();
  }

  const TextReader& reader_;
  std::set<std::vector<std::string>> seen_;
  uint64_t bytes_ = 0;
};

}  // namespace

QueryLog ParseQueryLog(std::string_view text, const TextReader& reader) {
  QueryLogLines lines(reader);
  // Bytes in memory cannot fail, but may be no UTF-8.
  if (!ForEachTextLineOf(
          std::string(text),
          [&](const TextLine& line) { return lines.Take(line); },
          QueryLog::kMaxLineBytes))
    ++lines.log.bad;
  return std::move(lines.log);
}

Result<QueryLog> ReadQueryLog(const std::string& path,
                              const TextReader& reader) {
  QueryLogLines lines(reader);
  TWINSET_TRY(ForEachTextLine(
      path, [&](const TextLine& line) { return lines.Take(line); },
      QueryLog::kMaxLineBytes));
  if (lines.is_too_long())
    return Fail(ErrorCode::kUnsupported, "the queries are more than 1 GB", path,
                "give a part of them");
  QueryLog log = std::move(lines.log);
  if (log.queries.empty()) {
    return Fail(ErrorCode::kUsage, "the file has no query", path,
                "one query a line, in UTF-8");
  }
  return log;
}

}  // namespace twinset
