#include "urls/address_pairs.h"

#include <utility>

#include "base/for_each.h"
#include "twinset/choices.h"
#include "twinset/json.h"

namespace twinset {
namespace {

constexpr size_t kBufferBytes = 64 << 10;
// Judged lines of one address, which are held.
constexpr size_t kMostOfAKey = 1 << 16;

uint64_t KeyOf(const UrlLine& line) { return line.key_high ^ line.key_low; }

ExternalSortOptions SortOptions(const std::string& folder, uint64_t bytes) {
  ExternalSortOptions sort;
  sort.directory = folder;
  sort.name = "judged";
  sort.memory_bytes = bytes;
  return sort;
}

// The first rule that, with those before it, makes two spellings of one key
// equal.
std::string_view RuleOf(const std::vector<UrlRule>& rules,
                        const std::array<uint32_t, kUrlForms>& a,
                        const std::array<uint32_t, kUrlForms>& b) {
  if (a[kRawForm] == b[kRawForm]) return "as-written";
  for (size_t k = 0; k < rules.size(); ++k) {
    const size_t form = SoFarForm(rules, k);
    if (form == kKeyForm || a[form] == b[form]) return ChoiceName(rules[k]);
  }
  return {};
}

}  // namespace

AddressPairs::AddressPairs(std::string folder, uint64_t bytes,
                           MemoryBudget* budget)
    : folder_(std::move(folder)),
      keys_(bytes / 2, budget),
      lines_(SortOptions(folder_, bytes / 2), budget) {}

Status AddressPairs::Flush() {
  if (!ids_.is_open()) {
    TWINSET_ASSIGN(ids_, File::Create(folder_ + "/judged-ids"));
  }
  TWINSET_TRY(ids_.WriteAt(written_, buffer_));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status AddressPairs::Add(const UrlLine& line, bool is_b, std::string_view id) {
  Line kept;
  kept.key_high = line.key_high;
  kept.key_low = line.key_low;
  kept.is_b = is_b;
  kept.id_at = written_ + buffer_.size();
  kept.id_bytes = id.size();
  kept.forms = line.forms;
  buffer_ += id;
  if (buffer_.size() >= kBufferBytes) TWINSET_TRY(Flush());
  return lines_.Add(kept);
}

Status AddressPairs::AddJudged(const UrlLine& line, std::string_view id) {
  if (!keys_.Add(KeyOf(line)))
    return Fail(ErrorCode::kMemory,
                "the addresses of judged documents do not fit into memory", {},
                "give more --memory");
  return Add(line, false, id);
}

Status AddressPairs::AddOther(const UrlLine& line, std::string_view id) {
  if (id.empty() || !keys_.Has(KeyOf(line))) return {};
  return Add(line, true, id);
}

Result<std::string> AddressPairs::IdOf(const Line& line) const {
  std::string id(line.id_bytes, '\0');
  TWINSET_TRY(ids_.ReadAt(line.id_at, id.data(), id.size()));
  return id;
}

Result<uint64_t> AddressPairs::Write(const std::string& path,
                                     const std::vector<UrlRule>& rules) {
  TWINSET_TRY(Flush());
  TWINSET_TRY(lines_.Finish());
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  std::vector<Line> judged;  // of one key
  uint64_t rows = 0;
  TWINSET_TRY(ForEach<Line>(&lines_, [&](const Line& line) -> Status {
    if (!judged.empty() && !judged.front().IsOfKey(line)) judged.clear();
    if (line.is_b == 0) {
      judged.push_back(line);
      if (judged.size() <= kMostOfAKey) return {};
      TWINSET_ASSIGN(const std::string id, IdOf(line));
      return Fail(ErrorCode::kMemory,
                  "more than " + std::to_string(kMostOfAKey) +
                      " judged documents have the address of " + id,
                  {}, "leave --qrels out, or make their addresses differ");
    }
    if (judged.empty()) return {};
    TWINSET_ASSIGN(const std::string other, IdOf(line));
    for (const Line& one : judged) {
      TWINSET_ASSIGN(const std::string id, IdOf(one));
      const Json row = {{"a", id},
                        {"b", other},
                        {"rule", RuleOf(rules, one.forms, line.forms)}};
      TWINSET_TRY(file.Write(row.dump() + "\n"));
      ++rows;
    }
    return {};
  }));
  TWINSET_TRY(file.Commit());
  return rows;
}

}  // namespace twinset
