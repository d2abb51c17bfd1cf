#include "evaluate/evaluate_truth.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "base/for_each.h"
#include "documents/side_check.h"
#include "documents/text_lines.h"
#include "evaluate/labels_file.h"
#include "read/reader.h"
#include "twinset/inspect.h"

namespace twinset {

namespace {

constexpr size_t kMaxMissing = 5;

// Memory per judged pair: the row while the vector doubles, its ids in the
// table of numbers, and the pair.
constexpr uint64_t kRowBytes = 420;

struct Row {
  std::string a, b, value;
  bool label = false;
};

std::string FieldOf(const Document& document, std::string_view name) {
  for (const auto& [field, value] : document.fields) {
    if (field == name) return value;
  }
  return "";
}

std::string RowName(const std::string& path, const Record& record) {
  return path + ": row " +
         std::to_string(record.document.provenance.ordinal + 1);
}

// The rows, if the file calls its documents `a` and `b`; none if it has other
// names.
Result<std::optional<std::vector<Row>>> ReadRows(const std::string& path,
                                                 const std::string& a,
                                                 const std::string& b,
                                                 uint64_t most_bytes) {
  ReadOptions options;
  options.text_field = a;
  options.fields = {b, "label", "similarity"};
  TWINSET_ASSIGN(const auto files, ListInputs({path}));
  std::vector<Row> rows;
  uint64_t bytes = 0;
  for (const InputFile& file : files) {
    TWINSET_TRY(CheckListFile(file.path));
    TWINSET_ASSIGN(auto reader, OpenRecordReader(file, 0, options));
    Record record;
    for (;;) {
      TWINSET_ASSIGN(const bool more, reader->Next(&record));
      if (!more) break;
      if (record.kind == RecordKind::kQuarantined) {
        if (rows.empty() && record.reason == "no-text-field")
          return std::optional<std::vector<Row>>();
        return Fail(ErrorCode::kUsage, "no judged pair: " + record.reason,
                    RowName(path, record), "see docs/formats/evaluation.md");
      }
      Row row;
      row.a = std::move(record.document.payload);
      row.b = FieldOf(record.document, b);
      const std::string label = FieldOf(record.document, "label");
      row.label = !label.empty();
      row.value = row.label ? label : FieldOf(record.document, "similarity");
      if (row.b.empty() || row.value.empty()) {
        return Fail(
            ErrorCode::kUsage,
            "a judged pair needs " + a + ", " + b + " and label or similarity",
            RowName(path, record));
      }
      bytes += kRowBytes + 2 * (row.a.size() + row.b.size());
      if (bytes > most_bytes) {
        return Fail(ErrorCode::kMemory,
                    "the judged pairs need more than half of the memory", path,
                    "raise --memory, or judge fewer pairs at a time");
      }
      rows.push_back(std::move(row));
    }
  }
  return std::optional(std::move(rows));
}

// Reads from the labels of an assessor whether the contents are the same. A
// pair without an answer is not judged; "unsure" is no number.
Result<std::vector<Row>> ReadLabelRows(const std::string& path) {
  TWINSET_ASSIGN(const LabelsFile file, ReadLabelsFile(path));
  std::vector<Row> rows;
  for (const PairLabel& label : file.labels) {
    const auto answer =
        label.answers[static_cast<size_t>(LabelQuestion::kContent)];
    if (!answer) continue;
    const char* const value = *answer == LabelAnswer::kYes  ? "1"
                              : *answer == LabelAnswer::kNo ? "0"
                                                            : "unsure";
    rows.push_back({label.a, label.b, value, true});
  }
  return rows;
}

// In whichever form they are written.
Result<std::optional<std::vector<Row>>> ReadAnyRows(const std::string& path,
                                                    uint64_t most_bytes) {
  if (LooksLikeLabels(path)) {
    TWINSET_ASSIGN(auto rows, ReadLabelRows(path));
    return std::optional(std::move(rows));
  }
  TWINSET_ASSIGN(auto rows, ReadRows(path, "a", "b", most_bytes));
  if (!rows) {
    TWINSET_ASSIGN(rows, ReadRows(path, "id_a", "id_b", most_bytes));
  }
  return rows;
}

std::optional<double> NumberOf(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value > -1e9 && value < 1e9))
    return {};
  return value;
}

// Number + 1 of the documents called so; 0: none. By the side of the pair on
// which they stand, which is a collection where there are two.
struct DocumentNumbers {
  std::unordered_map<std::string, uint64_t> of_a, of_b;
};

Status FindIds(const Run& run, DocumentNumbers* numbers) {
  TWINSET_ASSIGN(auto ids, OpenBlob(run, "ids.blob"));
  const bool two = run.plan.inputs.first_side != 0;
  const uint64_t first = run.counts.read.sides[0].outcome.documents;
  uint64_t document = 0;
  return ForEach<std::string_view>(&ids, [&](std::string_view id) {
    const std::string name(id);
    const auto take = [&](std::unordered_map<std::string, uint64_t>* of_side) {
      const auto found = of_side->find(name);
      if (found != of_side->end()) found->second = document + 1;
    };
    if (!two || document < first) take(&numbers->of_a);
    if (!two || document >= first) take(&numbers->of_b);
    ++document;
  });
}

// For messages.
Result<std::string> FirstId(const Run& run) {
  TWINSET_ASSIGN(auto ids, OpenBlob(run, "ids.blob"));
  std::string first;
  TWINSET_TRY(ForEach<std::string_view>(&ids, [&](std::string_view id) {
    if (first.empty()) first = id;
  }));
  return first;
}

// Sorted and distinct; the same judgement twice is one.
Status Settle(const std::string& path, std::vector<JudgedPair>* pairs) {
  std::sort(pairs->begin(), pairs->end());
  for (size_t i = 1; i < pairs->size(); ++i) {
    const JudgedPair &x = (*pairs)[i - 1], &y = (*pairs)[i];
    if (x.a == y.a && x.b == y.b && x.value != y.value) {
      return Fail(ErrorCode::kUsage, "a pair is judged twice, differently",
                  path, "keep one judgement of each pair");
    }
  }
  pairs->erase(std::unique(pairs->begin(), pairs->end(),
                           [](const JudgedPair& x, const JudgedPair& y) {
                             return x.a == y.a && x.b == y.b;
                           }),
               pairs->end());
  return {};
}

}  // namespace

Result<JudgedPairs> ReadJudgedPairs(const Run& run, const std::string& path) {
  TWINSET_ASSIGN(const auto rows,
                 ReadAnyRows(path, run.plan.machine.memory_bytes / 2));
  SideRead side{"--truth", path, "judged pair"};
  side.records = side.used = rows ? rows->size() : 0;
  if (side.used == 0) {
    std::string have;
    for (const std::string& field : FieldNamesOfFiles({path}))
      have += (have.empty() ? "" : ", ") + field;
    if (!have.empty()) side.problem = "its rows have " + have;
  }
  TWINSET_TRY(CheckSide(side, "rows need a and b, and label or similarity"));
  JudgedPairs judged;
  judged.labels = rows->front().label;
  DocumentNumbers numbers;
  for (const Row& row : *rows) {
    if (row.label != judged.labels) {
      return Fail(ErrorCode::kUsage,
                  "some pairs have a label and some a similarity", path);
    }
    numbers.of_a.emplace(row.a, 0);
    numbers.of_b.emplace(row.b, 0);
  }
  TWINSET_TRY(FindIds(run, &numbers));
  for (const Row& row : *rows) {
    const auto value = NumberOf(row.value);
    if (!value) {
      ++judged.undecided;
      continue;
    }
    const uint64_t a = numbers.of_a[row.a], b = numbers.of_b[row.b];
    if (a == 0 || b == 0) {
      ++judged.unknown;
      if (judged.missing.size() < kMaxMissing)
        judged.missing.push_back(a == 0 ? row.a : row.b);
      continue;
    }
    if (a == b) continue;
    judged.pairs.push_back({std::min(a, b) - 1, std::max(a, b) - 1, *value});
  }
  if (judged.pairs.empty()) {
    TWINSET_ASSIGN(const std::string id, FirstId(run));
    return NothingInCommon(
        side.name(),
        judged.missing.empty() ? rows->front().a : judged.missing.front(),
        "the inputs", id);
  }
  TWINSET_TRY(Settle(path, &judged.pairs));
  return judged;
}

}  // namespace twinset
