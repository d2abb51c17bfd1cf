#include "documents/field_table.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

#include "base/json_text.h"
#include "base/keyed_hash.h"
#include "documents/side_check.h"
#include "documents/text_lines.h"
#include "read/input_list.h"
#include "twinset/json.h"

namespace twinset {

namespace {

constexpr uint64_t kMaxLine = 1 << 20;
constexpr uint64_t kOfId = 1, kOfUrl = 2;  // seeds: the two kinds of keys

Hash128Value KeyOf(uint64_t kind, std::string_view text) {
  return EqualityHash::OfProcess().Ordered(text, kind);
}

std::string Place(const std::string& path, uint64_t line) {
  return path + ":" + std::to_string(line);
}

// The value at `path`, a key or keys joined by dots; null when there is none.
const Json* Find(const Json& row, std::string_view path) {
  const auto whole = row.find(path);
  if (whole != row.end()) return &*whole;
  const Json* at = &row;
  while (at->is_object()) {
    const size_t dot = path.find('.');
    const auto next = at->find(path.substr(0, dot));
    if (next == at->end()) return nullptr;
    at = &*next;
    if (dot == std::string_view::npos) return at;
    path.remove_prefix(dot + 1);
  }
  return nullptr;
}

// Strings as they are, all else as JSON; null counts as absent.
std::optional<std::string> TextAt(const Json& row, std::string_view path) {
  const Json* value = Find(row, path);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  Json sorted = *value;  // members in any order say the same
  sorted.SortKeys();
  return sorted.dump();
}

// `text`: of the row.
using OnRow = std::function<Status(uint64_t line, std::string_view text,
                                   const Json& row)>;

Status TakeRow(const TextLine& line, const std::string& place,
               const OnRow& on_row) {
  if (!line.problem.empty())
    return Fail(ErrorCode::kCorrupt, "a row that " + line.problem, place,
                "rows are JSON objects of at most 1 MB");
  if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return {};
  const Json row = Json::Parse(line.text);
  if (!row.is_object())
    return Fail(ErrorCode::kCorrupt, "not a JSON object", place);
  return on_row(line.number, line.text, row);
}

// Calls `on_row` with every row of a file.
Status ForEachRow(const InputFile& file, const OnRow& on_row) {
  Status status;
  TWINSET_TRY(ForEachTextLine(
      file,
      [&](const TextLine& line) {
        status = TakeRow(line, Place(file.path, line.number), on_row);
        return status.has_value();
      },
      kMaxLine));
  return status;
}

// The keys of a row: strings, or numbers and truth values as they are written.
// kCorrupt when it has none, or one that is empty, a list or an object.
Result<std::vector<Hash128Value>> KeysOf(std::string_view text, const Json& row,
                                         const std::string& place) {
  std::vector<Hash128Value> keys;
  for (const auto& [name, kind] :
       {std::pair("id", kOfId), std::pair("url", kOfUrl)}) {
    const auto at = row.find(name);
    if (at == row.end() || at->is_null()) continue;
    const bool is_scalar = at->is_number() || at->is_boolean();
    const Json key =
        is_scalar ? Json::Parse(ScalarsAsText(text))[name] : Json(*at);
    if (!key.is_string() || key.get<std::string>().empty()) {
      return Fail(ErrorCode::kCorrupt,
                  "\"" + std::string(name) +
                      "\" is neither a text that says something nor a number",
                  place);
    }
    keys.push_back(KeyOf(kind, key.get<std::string>()));
  }
  if (keys.empty()) {
    return Fail(ErrorCode::kCorrupt, "a row with neither \"url\" nor \"id\"",
                place);
  }
  return keys;
}

}  // namespace

// Builds a table in two passes: what it needs, then what it holds.
class FieldTableBuilder {
 public:
  FieldTableBuilder(const InputList& files, FieldTable* table)
      : files_(files), table_(table) {}

  Status Count() {
    std::vector<bool> seen(table_->names_.size());
    TWINSET_TRY(ForEachValue([&](const auto& keys, uint64_t, uint32_t name,
                                 const std::string& text) {
      seen[name] = true;
      entries_ += keys.size();
      bytes_ += text.size();
    }));
    for (size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] || i >= table_->names_.size()) continue;
      missing_.push_back(table_->names_[i]);
    }
    if (missing_.size() == table_->names_.size()) {
      return Fail(ErrorCode::kCorrupt,
                  "no row of --fields has the field \"" + missing_[0] +
                      "\"; the first has " + first_names_,
                  files_.front().path);
    }
    return {};
  }

  uint64_t needed_bytes() const {
    return entries_ * sizeof(FieldTable::Entry) + bytes_;
  }

  Status Load() {
    table_->entries_.reserve(entries_);
    table_->texts_.reserve(bytes_);
    TWINSET_TRY(ForEachValue([&](const auto& keys, uint64_t line, uint32_t name,
                                 const std::string& text) {
      // A file that grew between the passes is cut at what was paid for.
      if (table_->entries_.size() + keys.size() > entries_ ||
          table_->texts_.size() + text.size() > bytes_) {
        changed_ = true;
        return;
      }
      for (const Hash128Value& key : keys) {
        table_->entries_.push_back({key, table_->texts_.size(), line,
                                    static_cast<uint32_t>(text.size()), name});
      }
      table_->texts_ += text;
    }));
    if (changed_) {
      return Fail(ErrorCode::kIo, "the file changed while it was read",
                  files_.front().path);
    }
    return Sort();
  }

 private:
  template <typename OnValue>
  Status ForEachValue(const OnValue& on_value) {
    for (const InputFile& file : files_) {
      const std::string& path = file.path;
      const uint64_t before = rows_;
      TWINSET_TRY(
          ForEachRow(file,
                     [&](uint64_t line, std::string_view bytes,
                         const Json& row) -> Status {
                       TWINSET_ASSIGN(const auto keys,
                                      KeysOf(bytes, row, Place(path, line)));
                       if (rows_++ == 0) SeeFirst(row);
                       for (uint32_t i = 0; i < table_->names_.size(); ++i) {
                         if (const auto text = TextAt(row, table_->names_[i])) {
                           on_value(keys, line, i, *text);
                         }
                       }
                       return {};
                     }));
      if (rows_ == before) return CheckSide({"--fields", path, "row"});
    }
    return {};
  }

  // For messages.
  void SeeFirst(const Json& row) {
    for (const auto& member : row.items())
      first_names_ +=
          (first_names_.empty() ? "" : ", ") + std::string(member.key);
    const Json& id = row["id"].is_string() ? row["id"] : row["url"];
    table_->first_key_ = id.get<std::string>();
  }

  Status Sort() {
    auto& entries = table_->entries_;
    const auto key = [](const FieldTable::Entry& e) {
      return std::tie(e.key.high, e.key.low, e.name, e.offset);
    };
    std::sort(entries.begin(), entries.end(),
              [&](const auto& x, const auto& y) { return key(x) < key(y); });
    const auto twice = std::adjacent_find(
        entries.begin(), entries.end(), [](const auto& x, const auto& y) {
          return x.key == y.key && x.name == y.name;
        });
    if (twice == entries.end()) return {};
    return Fail(ErrorCode::kCorrupt,
                "lines " + std::to_string(twice->line) + " and " +
                    std::to_string((twice + 1)->line) + " both give \"" +
                    table_->names_[twice->name] + "\" of one document",
                files_.size() == 1 ? files_.front().path : "--fields",
                "leave one of them");
  }

  const InputList& files_;
  FieldTable* table_;
  uint64_t entries_ = 0, bytes_ = 0, rows_ = 0;
  std::vector<std::string> missing_;
  std::string first_names_;  // of the members of the first row
  bool changed_ = false;
};

Result<FieldTable> FieldTable::Load(const InputList& files,
                                    const std::vector<std::string>& names,
                                    MemoryBudget* budget) {
  FieldTable table;
  table.names_ = names;
  FieldTableBuilder builder(files, &table);
  TWINSET_TRY(builder.Count());
  // The rest of the run needs memory too.
  const uint64_t needed = builder.needed_bytes();
  if (needed <= budget->limit_bytes() / 2)
    table.memory_ = budget->TryReserve(needed);
  if (!table.memory_.ok()) {
    return Fail(ErrorCode::kMemory,
                "the values of --fields take " + std::to_string(needed) +
                    " bytes, more than half of the memory",
                files.front().path,
                "raise --memory to " +
                    std::to_string(2 * needed / (1 << 20) + 64) +
                    "M or leave out rows");
  }
  TWINSET_TRY(builder.Load());
  return table;
}

void FieldTable::FillBy(Hash128Value key, Document* document) const {
  const auto before = [](const Entry& e, const Hash128Value& k) {
    return std::tie(e.key.high, e.key.low) < std::tie(k.high, k.low);
  };
  for (auto at =
           std::lower_bound(entries_.begin(), entries_.end(), key, before);
       at != entries_.end() && at->key == key; ++at) {
    is_used_->store(true, std::memory_order_relaxed);
    std::string& value = document->fields[at->name].second;
    if (value.empty()) value = texts_.substr(at->offset, at->size);
  }
}

void FieldTable::Fill(std::string_view id, Document* document) const {
  if (empty()) return;
  if (document->fields.size() != names_.size()) {
    document->fields.clear();
    for (const std::string& name : names_) {
      document->fields.emplace_back(name, "");
    }
  }
  if (!id.empty()) FillBy(KeyOf(kOfId, id), document);
  const std::string& url = document->provenance.url;
  if (!url.empty()) FillBy(KeyOf(kOfUrl, url), document);
}

}  // namespace twinset
