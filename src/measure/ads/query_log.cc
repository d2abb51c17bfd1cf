#include "ads/query_log.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "ads/auction_page.h"
#include "ads/csv_table.h"
#include "base/ascii.h"
#include "base/csv_row.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lists/list_text.h"
#include "base/machine.h"
#include "base/stop.h"
#include "documents/page_text.h"
#include "documents/pass_progress.h"

namespace twinset::ads {
namespace {

constexpr uint64_t kEntryBytes = 100;  // of a map node, its share of buckets
constexpr size_t kMostLineBytes = 1 << 20;
constexpr uint64_t kMostQueries = 1'000'000'000'000;
constexpr uint32_t kPercents[] = {0, 10, 25, 50};

double Part(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

// For each user: the number of different queries, and how many of them are
// rare.
struct UserCounts {
  uint32_t pairs = 0, rare = 0;
};

// What is measured of users, of the log as of a draw by chance.
struct TailShares {
  double above[std::size(kPercents)] = {};
  double top_tenth = 0;
};

TailShares SharesOf(const std::vector<UserCounts>& users, uint64_t rare_pairs,
                    std::vector<uint32_t>* scratch) {
  TailShares shares;
  for (size_t i = 0; i < std::size(kPercents); ++i) {
    uint64_t above = 0;
    for (const UserCounts& user : users)
      above += uint64_t{100} * user.rare > uint64_t{kPercents[i]} * user.pairs;
    shares.above[i] = Part(above, users.size());
  }
  scratch->clear();
  for (const UserCounts& user : users) scratch->push_back(user.rare);
  const size_t tenth = (users.size() + 9) / 10;
  std::nth_element(scratch->begin(),
                   scratch->begin() + static_cast<ptrdiff_t>(tenth - 1),
                   scratch->end(), std::greater<>());
  uint64_t of_tenth = 0;
  for (size_t i = 0; i < tenth; ++i) of_tenth += (*scratch)[i];
  shares.top_tenth = Part(of_tenth, rare_pairs);
  return shares;
}

// Rare queries fall on the pairs at random: each user keeps how many different
// queries it asked, and all together how many are rare.
void DealRare(uint64_t pairs, uint64_t rare_pairs, SplitMix64* random,
              std::vector<UserCounts>* users) {
  for (UserCounts& user : *users) {
    user.rare = 0;
    for (uint32_t i = 0; i < user.pairs; ++i, --pairs) {
      if (random->Below(pairs) >= rare_pairs) continue;
      ++user.rare;
      --rare_pairs;
    }
  }
}

ShareAgainstChance Against(double observed, std::vector<double> chance) {
  ShareAgainstChance share;
  share.observed = observed;
  if (chance.empty()) return share;
  for (const double value : chance) share.expected += value;
  share.expected /= static_cast<double>(chance.size());
  std::sort(chance.begin(), chance.end());
  const size_t cut = chance.size() * 25 / 1000;
  share.low = chance[cut];
  share.high = chance[chance.size() - 1 - cut];
  return share;
}

TailVerdict VerdictOf(const TailUsers& users, uint32_t replications) {
  const ShareAgainstChance& any = users.rows.front().share;
  if (users.rare_pairs == 0) return TailVerdict::kNoTail;
  // Where chance leaves no room (a query for each user), nothing is learnt.
  if (replications == 0 || any.low == any.high) return TailVerdict::kUndecided;
  return users.ratio >= 0.8   ? TailVerdict::kEveryUser
         : users.ratio <= 0.5 ? TailVerdict::kFewUsers
                              : TailVerdict::kBetween;
}

TailUsers MeasureUsers(std::vector<UserCounts> users,
                       const QueryLogOptions& options) {
  TailUsers result;
  result.users = users.size();
  for (const UserCounts& user : users) {
    result.pairs += user.pairs;
    result.rare_pairs += user.rare;
  }
  std::vector<uint32_t> scratch;
  const TailShares seen = SharesOf(users, result.rare_pairs, &scratch);
  std::vector<double> chance[std::size(kPercents)], chance_tenth;
  SplitMix64 random(options.seed);
  for (uint32_t i = 0; i < options.replications; ++i) {
    DealRare(result.pairs, result.rare_pairs, &random, &users);
    const TailShares drawn = SharesOf(users, result.rare_pairs, &scratch);
    for (size_t at = 0; at < std::size(kPercents); ++at)
      chance[at].push_back(drawn.above[at]);
    chance_tenth.push_back(drawn.top_tenth);
  }
  for (size_t at = 0; at < std::size(kPercents); ++at)
    result.rows.push_back({static_cast<double>(kPercents[at]) / 100,
                           Against(seen.above[at], std::move(chance[at]))});
  result.top_tenth = Against(seen.top_tenth, std::move(chance_tenth));
  const ShareAgainstChance& any = result.rows.front().share;
  result.ratio = any.expected > 0 ? any.observed / any.expected : 0;
  result.verdict = VerdictOf(result, options.replications);
  return result;
}

}  // namespace

// ---- Counting ----

Result<uint32_t> QueryCounter::IdOf(std::string_view text, Ids* ids) {
  const auto [at, added] =
      ids->try_emplace(std::string(text), static_cast<uint32_t>(ids->size()));
  if (!added) return at->second;
  text_bytes_ += text.size();
  const uint64_t used = text_bytes_ +
                        kEntryBytes * (types_.size() + users_.size()) +
                        sizeof(uint64_t) * (counts_.size() + pairs_.size());
  if (used > memory_bytes_ || ids->size() == UINT32_MAX)
    return Fail(ErrorCode::kMemory,
                "the different queries and users do not fit into " +
                    std::to_string(memory_bytes_ >> 20) + " MB",
                {}, "give more --memory, or measure a part of the log");
  return at->second;
}

Status QueryCounter::Add(std::string_view user, std::string_view query,
                         uint64_t count) {
  TWINSET_ASSIGN(const uint32_t type, IdOf(query, &types_));
  if (type == counts_.size()) counts_.push_back(0);
  counts_[type] += count;
  if (user.empty()) return {};
  TWINSET_ASSIGN(const uint32_t who, IdOf(user, &users_));
  pairs_.push_back(uint64_t{who} << 32 | type);
  if (pairs_.size() >= 2 * compact_ + (1 << 16)) {
    Compact();
    if (sizeof(uint64_t) * 2 * pairs_.size() > memory_bytes_)
      return Fail(ErrorCode::kMemory,
                  "the queries of the users do not fit into " +
                      std::to_string(memory_bytes_ >> 20) + " MB",
                  {}, "give more --memory, or measure a part of the log");
  }
  return {};
}

void QueryCounter::Compact() {
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  compact_ = pairs_.size();
}

QueryLogResult QueryCounter::Finish(const QueryLogOptions& options) && {
  QueryLogResult result;
  result.types = counts_.size();
  result.types_by_frequency.assign(options.tail, 0);
  for (const uint64_t count : counts_) {
    result.queries += count;
    if (count > options.tail) continue;
    ++result.rare_types;
    result.rare_queries += count;
    ++result.types_by_frequency[count - 1];
  }
  std::vector<std::pair<uint64_t, std::string_view>> ranked;
  for (const auto& [text, id] : types_) ranked.emplace_back(counts_[id], text);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  for (size_t i = 0; i < std::min<size_t>(options.head, ranked.size()); ++i)
    result.head.push_back({std::string(ranked[i].second), ranked[i].first});
  for (uint64_t tenth = 0; tenth < 10; ++tenth) {
    const uint64_t begin = result.types * tenth / 10,
                   end = result.types * (tenth + 1) / 10;
    uint64_t asked = 0;
    for (uint64_t i = begin; i < end; ++i) asked += ranked[i].first;
    result.deciles.push_back(
        {end - begin, asked, Share{asked, result.queries}.value()});
  }
  Compact();
  if (pairs_.empty()) return result;
  std::vector<UserCounts> users(users_.size());
  for (const uint64_t pair : pairs_) {
    UserCounts& user = users[pair >> 32];
    ++user.pairs;
    user.rare += counts_[pair & UINT32_MAX] <= options.tail;
  }
  result.users = MeasureUsers(std::move(users), options);
  return result;
}

// ---- Reading ----

Error LogParser::RowError(std::string reason) const {
  return {ErrorCode::kUsage, std::move(reason),
          where_ + " line " + std::to_string(line_), ""};
}

bool LogParser::TakeHeader(std::string_view line) {
  separator_ = line.find('\t') != std::string_view::npos ? '\t' : ',';
  SplitCsvRow(line, separator_, &fields_);
  size_t query = kNone;
  for (size_t i = 0; i < fields_.size(); ++i) {
    const std::string name = ToLowerAscii(fields_[i]);
    if (name == "query") query = i;
    if (name == "user" || name == "anonid") user_at_ = i;
    if (name == "count") count_at_ = i;
  }
  table_ = query != kNone;
  if (table_) {
    query_at_ = query;
  } else {
    user_at_ = count_at_ = kNone;
  }
  return table_;
}

Status LogParser::TakeLine(std::string_view line, const OnRow& on_row) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  line = WithoutMark(line);
  if (line.find('\0') != std::string_view::npos)
    return tl::unexpected<Error>(RowError("the row holds a NUL byte"));
  if (!started_) {
    started_ = true;
    if (TakeHeader(line)) return {};
  }
  if (line.empty()) return {};
  LogRow row;
  if (!table_) {
    row.query = line;
    return on_row(row);
  }
  SplitCsvRow(line, separator_, &fields_);  // tables with tabs quote nothing
  const auto field = [&](size_t at) -> std::string_view {
    return at < fields_.size() ? std::string_view(fields_[at])
                               : std::string_view();
  };
  if (query_at_ >= fields_.size() ||
      (user_at_ != kNone && user_at_ >= fields_.size()))
    return tl::unexpected<Error>(RowError(
        "the row has only " + std::to_string(fields_.size()) + " fields"));
  row.query = field(query_at_);
  if (user_at_ != kNone) row.user = field(user_at_);
  if (count_at_ != kNone) {
    const std::string_view text = field(count_at_);
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), row.count);
    if (text.empty() || error != std::errc() ||
        end != text.data() + text.size() || row.count == 0 ||
        row.count > kMostQueries)
      return tl::unexpected<Error>(
          RowError("the count is not a whole number from 1 on"));
  }
  return on_row(row);
}

Status LogParser::Drain(bool at_end, const OnRow& on_row) {
  size_t at = 0;
  const std::string_view all = buffer_;
  while (at < all.size()) {
    const std::string_view rest = all.substr(at);
    size_t size = 0;
    if (table_) {
      size = CsvRowScanner(separator_).Scan(rest);
    } else {
      const size_t end = rest.find('\n');
      size = end == std::string_view::npos ? 0 : end + 1;
    }
    line_ = next_line_;
    if ((size == 0 ? rest.size() : size) > kMostLineBytes)
      return tl::unexpected<Error>(
          RowError("the row is longer than 1 MB, or a quote is not closed"));
    if (size == 0 && !at_end) break;
    if (size == 0) size = rest.size();
    std::string_view row = rest.substr(0, size);
    next_line_ +=
        static_cast<uint64_t>(std::count(row.begin(), row.end(), '\n'));
    if (row.back() == '\n') row.remove_suffix(1);
    TWINSET_TRY(TakeLine(row, on_row));
    at += size;
  }
  buffer_.erase(0, at);
  return {};
}

Status LogParser::Add(std::string_view bytes, const OnRow& on_row) {
  buffer_ += bytes;
  return Drain(false, on_row);
}

Status LogParser::Finish(const OnRow& on_row) { return Drain(true, on_row); }

}  // namespace twinset::ads

namespace twinset {

Result<QueryLogResult> v1::MeasureQueryLog(const QueryLogOptions& options) try {
  if (options.tail == 0 || options.tail > 1000)
    return Fail(ErrorCode::kUsage, "the tail is not from 1 to 1000");
  TWINSET_ASSIGN(const TextReader reader, TextReader::Make(options.features));
  TWINSET_ASSIGN(File file, File::OpenRead(options.log));
  ads::QueryCounter counter(MemoryOr(options.memory_bytes));
  PassProgress progress(options.on_progress, "log", "", "rows");
  uint64_t rows = 0, empty = 0;
  const auto on_row = [&](const ads::LogRow& row) -> Status {
    ++rows;
    progress.Add();
    std::string query;
    for (const std::string& token : reader.Tokens(row.query)) {
      if (!query.empty()) query += ' ';
      query += token;
    }
    if (query.empty()) {
      ++empty;
      return {};
    }
    return counter.Add(row.user, query, row.count);
  };
  ads::LogParser parser(options.log);
  std::string bytes(256 << 10, '\0');
  bool is_first = true;
  for (;;) {
    TWINSET_ASSIGN(const size_t size, file.Read(bytes.data(), bytes.size()));
    if (size == 0) break;
    if (std::exchange(is_first, false))
      TWINSET_TRY(CheckListBytes({bytes.data(), size}, options.log));
    TWINSET_TRY(parser.Add(std::string_view(bytes).substr(0, size), on_row));
  }
  TWINSET_TRY(parser.Finish(on_row));
  QueryLogResult result = std::move(counter).Finish(options);
  result.rows = rows;
  result.empty = empty;
  result.tail = options.tail;
  result.page = ResultPage(ads::QueryLogPage(result));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
