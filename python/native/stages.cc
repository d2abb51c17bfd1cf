#include "stages.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arrow_in.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "column.h"
#include "served_call.h"
#include "staged_rows.h"
#include "twinset/methods.h"
#include "twinset/stages.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

// ---- what goes out ----

// Rows of whole numbers and of doubles that go to Python.
struct Rows {
  explicit Rows(Words number_names, Words real_names = {})
      : names(std::move(number_names)), numbers(names.size()) {
    reals.resize(real_names.size());
    names.insert(names.end(), real_names.begin(), real_names.end());
  }
  void Add(const Numbers& row, const std::vector<double>& more = {}) {
    for (size_t i = 0; i < row.size(); ++i) numbers[i].push_back(row[i]);
    for (size_t i = 0; i < more.size(); ++i) reals[i].push_back(more[i]);
  }
  nb::object Take() {
    std::vector<Column> columns;
    for (auto& one : numbers) columns.emplace_back(std::exchange(one, {}));
    for (auto& one : reals) columns.emplace_back(std::exchange(one, {}));
    return ArrowStream(names, columns);
  }

  Words names;
  std::vector<Numbers> numbers;
  std::vector<std::vector<double>> reals;
};

// ---- streams ----

// Tables in, tables out; finish gives what is left.
struct StageStream {
  Words names;
  std::shared_ptr<Rows> rows;
  EachRow each;
  std::function<Status()> end = {};

  nb::object Add(nb::object data) const {
    ForEachRow(std::move(data), names, each);
    return rows->Take();
  }
  nb::object Finish() const {
    if (end) Take(WithoutGil(end));
    return rows->Take();
  }
};

StageStream Classes() {
  auto rows = std::make_shared<Rows>(Words{"leader", "copy"});
  auto classes = std::make_shared<StagedClasses>();
  return {{"digest", "rank", "features"},
          rows,
          [=](const Columns& columns, int64_t row) -> Status {
            const std::string bytes = TextAt(columns, 0, row);
            std::array<uint64_t, 2> digest = {};
            std::memcpy(digest.data(), bytes.data(),
                        std::min(bytes.size(), sizeof digest));
            const uint64_t rank = At(columns, 1, row);
            const auto leader =
                classes->Add(digest, rank, TextAt(columns, 2, row));
            if (leader) rows->Add({Signed(*leader), Signed(rank)});
            return {};
          }};
}

// Joins give rows of which kind 0 is a pair (a, b), 1 a member of a hot bucket
// (rank, key, size), 2 what was counted of hot buckets.
const Words kJoined = {"kind", "a", "b", "c", "d"};

StagedPairSink PairsTo(std::shared_ptr<Rows> rows) {
  return [rows = std::move(rows)](uint64_t a, uint64_t b) -> Status {
    rows->Add({0, Signed(a), Signed(b), 0, 0});
    return {};
  };
}

StagedPosting PostingAt(const Columns& columns, int64_t row) {
  return {At(columns, 0, row), At(columns, 1, row), At(columns, 2, row)};
}

StageStream JoinByKeys(const Stages& stages, uint64_t first_side) {
  auto rows = std::make_shared<Rows>(kJoined);
  auto join = std::make_shared<KeyJoin>(
      stages, PairsTo(rows),
      [rows](const StagedPosting& posting) -> Status {
        rows->Add({1, Signed(posting.rank), Signed(posting.key),
                   Signed(posting.size), 0});
        return {};
      },
      first_side);
  return {{"key", "rank", "size"},
          rows,
          [join](const Columns& columns, int64_t row) {
            return join->Add(PostingAt(columns, row));
          },
          [join] { return join->Finish(); }};
}

StageStream JoinHot(const Stages& stages, uint64_t first_side) {
  auto rows = std::make_shared<Rows>(kJoined);
  auto join = std::make_shared<HotJoin>(stages, PairsTo(rows), first_side);
  return {{"key", "rank", "size", "features"},
          rows,
          [join](const Columns& columns, int64_t row) {
            return join->Add(PostingAt(columns, row), TextAt(columns, 3, row));
          },
          [join, rows]() -> Status {
            TWINSET_TRY(join->Finish());
            const HotJoin::Counts counts = join->counts();
            rows->Add({2, Signed(counts.buckets), Signed(counts.members),
                       Signed(counts.pairs_possible),
                       Signed(counts.pairs_compared)});
            return {};
          }};
}

// Rows of a group, in order of rank, then of what it is compared with: a
// document with its features, where `other` is -1, then the documents before it
// that it is compared with, without. Of a group below 0 only the document
// -1 - group is one of these; of others all features of the group are kept.
StageStream Verification(const Stages& stages) {
  struct Group {
    int64_t number = INT64_MIN;
    std::unordered_map<uint64_t, std::string> features;
    uint64_t last = 0;  // the document whose rows these are
  };
  auto rows = std::make_shared<Rows>(
      Words{"a", "b"}, Words{"similarity", "a_contained", "b_contained"});
  const auto add = [=, group = std::make_shared<Group>()](
                       const Columns& columns, int64_t row) -> Status {
    const int64_t number = Signed(At(columns, 0, row));
    const uint64_t rank = At(columns, 1, row), other = At(columns, 2, row);
    if (number != group->number) {
      *group = {};
      group->number = number;
    }
    if (Signed(other) < 0) {
      if (number < 0 && Signed(group->last) != -1 - number)
        group->features.erase(group->last);
      group->last = rank;
      group->features[rank] = TextAt(columns, 3, row);
      return {};
    }
    const auto a = group->features.find(other), b = group->features.find(rank);
    if (a == group->features.end() || b == group->features.end())
      return Fail(ErrorCode::kInternal, "a pair comes without its documents");
    TWINSET_ASSIGN(const auto pair,
                   stages.Verify(other, a->second, rank, b->second));
    if (pair)
      rows->Add({Signed(other), Signed(rank)},
                {pair->similarity, pair->a_contained, pair->b_contained});
    return {};
  };
  return {{"group", "rank", "other", "features"}, rows, add};
}

StageStream Cover(uint64_t documents) {
  auto rows = std::make_shared<Rows>(Words{"representative", "document"},
                                     Words{"similarity", "contained"});
  auto cover =
      std::make_shared<StagedCover>(Take(StagedCover::Make(documents)));
  const StagedCover::Sink sink = [rows](const StagedMember& member) -> Status {
    rows->Add({Signed(member.representative), Signed(member.document)},
              {member.similarity, member.contained});
    return {};
  };
  return {{"a", "b", "similarity", "b_contained"},
          rows,
          [cover, sink](const Columns& columns, int64_t row) {
            return cover->Add(
                {At(columns, 0, row), At(columns, 1, row),
                 RealAt(columns, 2, row), 0, RealAt(columns, 3, row)},
                sink);
          },
          [cover, sink] { return cover->Finish(sink); }};
}

// ---- documents ----

// A row per document, and the keys of all.
struct StagedRows {
  void Add(const StagedDocument& made) {
    reasons.Add(made.rejected);
    details.Add(made.detail);
    sizes.push_back(Signed(made.size));
    digests.Add({reinterpret_cast<const char*>(made.digest.data()),
                 sizeof made.digest});
    for (const uint64_t key : made.keys) keys.push_back(Signed(key));
    ends.push_back(Signed(keys.size()));
    features.Add(made.features);
  }
  nb::tuple Take(const Words& more_names = {},
                 const std::vector<Column>& more = {}) {
    Words names = {"reason", "detail",   "size",
                   "digest", "keys_end", "features"};
    std::vector<Column> columns = {
        Column(std::move(reasons)), Column(std::move(details)),
        Column(std::move(sizes)),   Column(std::move(digests)),
        Column(std::move(ends)),    Column(std::move(features))};
    names.insert(names.end(), more_names.begin(), more_names.end());
    columns.insert(columns.end(), more.begin(), more.end());
    return nb::make_tuple(ArrowStream(names, columns),
                          ArrowStream({"key"}, {Column(std::move(keys))}));
  }

  TextValues reasons, details, digests, features;
  Numbers sizes, ends, keys;
};

nb::tuple TakeTexts(const Stages& stages, nb::object data) {
  StagedRows rows;
  ForEachRow(std::move(data), {"text"},
             [&](const Columns& columns, int64_t row) -> Status {
               TWINSET_ASSIGN(const StagedDocument made,
                              stages.Take(DocumentAt(columns, 0, row)));
               rows.Add(made);
               return {};
             });
  return rows.Take();
}

// Up to `most` records of a file; None at its end.
nb::object TakeRecords(const Stages& stages, StagedReader& reader,
                       int64_t most) {
  StagedRows rows;
  RecordRows records;
  records.Read(&reader, most, [&](StagedRecord* record) -> Status {
    StagedDocument made;
    if (record->rejected.empty()) {
      TWINSET_ASSIGN(made, stages.Take(std::move(record->document)));
    } else {
      made.rejected = std::move(record->rejected);
      made.detail = std::move(record->detail);
    }
    rows.Add(made);
    return {};
  });
  if (records.ordinals.empty()) return nb::none();
  return rows.Take(RecordRows::Names(), records.Take());
}

nb::bytes PairLines(nb::object data) {
  ResultLines lines;
  ForEachRow(std::move(data), {"a", "b", "similarity"},
             [&](const Columns& columns, int64_t row) -> Status {
               lines.AddPair(TextAt(columns, 0, row), TextAt(columns, 1, row),
                             RealAt(columns, 2, row));
               return {};
             });
  const std::string text = lines.Take();
  return nb::bytes(text.data(), text.size());
}

nb::bytes BestLines(nb::object data) {
  ResultLines lines;
  ForEachRow(std::move(data), {"a", "b", "similarity", "contained"},
             [&](const Columns& columns, int64_t row) -> Status {
               lines.AddBest(TextAt(columns, 0, row), TextAt(columns, 1, row),
                             RealAt(columns, 2, row), RealAt(columns, 3, row));
               return {};
             });
  const std::string text = lines.Take();
  return nb::bytes(text.data(), text.size());
}

nb::bytes ClusterLines(nb::object data) {
  ResultLines lines;
  ForEachRow(std::move(data),
             {"id", "cluster", "similarity", "contained", "size", "rank",
              "representative", "source", "ordinal", "url", "date"},
             [&](const Columns& columns, int64_t row) -> Status {
               const std::string id = TextAt(columns, 0, row),
                                 cluster = TextAt(columns, 1, row);
               const std::string source = TextAt(columns, 7, row),
                                 url = TextAt(columns, 9, row),
                                 date = TextAt(columns, 10, row);
               lines.AddMember({id, cluster, RealAt(columns, 2, row),
                                RealAt(columns, 3, row), At(columns, 4, row),
                                At(columns, 8, row), source, url, date},
                               At(columns, 5, row) == At(columns, 6, row));
               return {};
             });
  const std::string text = lines.Take();
  return nb::bytes(text.data(), text.size());
}

// A row whose offset is below 0 is of no bytes.
nb::bytes QuarantineLines(nb::object data) {
  std::string text;
  ForEachRow(std::move(data),
             {"source", "offset", "ordinal", "id", "original_id", "stage",
              "reason", "detail"},
             [&](const Columns& columns, int64_t row) -> Status {
               RejectedRecord record;
               record.source = TextAt(columns, 0, row);
               record.offset = At(columns, 1, row);
               record.ordinal = At(columns, 2, row);
               record.id = TextAt(columns, 3, row);
               record.stage = TextAt(columns, 5, row);
               record.reason = TextAt(columns, 6, row);
               record.detail = TextAt(columns, 7, row);
               text += QuarantineLine(record, TextAt(columns, 4, row),
                                      Signed(record.offset) >= 0);
               return {};
             });
  return nb::bytes(text.data(), text.size());
}

// ---- options ----

// What a flag says is heeded, or there is an error.
bool IsRead(std::string_view flag, const cli::Request& request, bool of_files) {
  if (flag == "--key" || flag == "--max-document") return true;
  if (flag == "--keep") return request.options.keep == Words{"first"};
  if (IsOfFiles(flag)) return of_files;
  const Parameter* const parameter = FindParameter(flag.substr(2));
  return parameter != nullptr &&
         parameter->group != ParameterGroup::kClusters &&
         parameter->group != ParameterGroup::kUnits;
}

// The words of dedup, of which the operands are files; without them, documents
// come as rows.
cli::Request RequestOf(const Words& words, bool of_files) {
  cli::Request request = Take(cli::Parse(*cli::FindCommand("dedup"), words));
  for (const auto& [flag, value] : request.given)
    if (!IsRead(flag, request, of_files)) RefuseFlag(flag, value);
  return request;
}

nb::bytes KeyOf(const Words& words, bool of_files) {
  const cli::Request request = RequestOf(words, of_files);
  const SecretBytes key = Take(StageKey(request.options.resources));
  return nb::bytes(key.data(), key.size());
}

Stages StagesOf(const Words& words, const nb::bytes& key, bool of_files) {
  const cli::Request request = RequestOf(words, of_files);
  StageOptions options;
  CopyParts<ComparisonOptions>(request.options, &options);
  options.max_document_bytes = request.options.input.max_document_bytes;
  options.key = SecretOf(key);
  return Take(Stages::Make(options));
}

nb::bytes BytesOf(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

// Files as tuples, which FileOf() makes files again.
nb::list ListFiles(const std::vector<nb::bytes>& paths) {
  InputOptions input;
  for (const nb::bytes& path : paths)
    input.inputs.emplace_back(path.c_str(), path.size());
  nb::list files;
  for (const StagedFile& file : Take(ListStagedFiles(input))) {
    files.append(nb::make_tuple(BytesOf(file.path), BytesOf(file.source),
                                BytesOf(file.relative), Signed(file.bytes),
                                file.mtime_ns));
  }
  return files;
}

StagedReader OpenOfDedup(const Words& words, nb::tuple of) {
  return OpenFile(RequestOf(words, true).options.input, std::move(of));
}

}  // namespace

StagedReader OpenFile(const InputOptions& input, nb::tuple of) {
  const auto text = [&](size_t i) {
    const auto bytes = nb::cast<nb::bytes>(of[i]);
    return std::string(bytes.c_str(), bytes.size());
  };
  const StagedFile file = {text(0), text(1), text(2), nb::cast<uint64_t>(of[3]),
                           nb::cast<int64_t>(of[4])};
  return Take(StagedReader::Open(file, input));
}

void BindStages(nb::module_& module) {
  module.attr("most_class_rows") = kMostClassRows;
  module.attr("large_cluster") = kLargeCluster;
  nb::class_<StageStream>(module, "StageStream")
      .def("add", &StageStream::Add)
      .def("finish", &StageStream::Finish);
  nb::class_<Stages>(module, "Stages")
      .def("take", TakeTexts)
      .def("read", TakeRecords, nb::arg("reader"), nb::arg("most"))
      .def("join", JoinByKeys, nb::arg("first_side"))
      .def("join_hot", JoinHot, nb::arg("first_side"))
      .def("verification", Verification)
      .def("parameters",
           [](const Stages& stages) { return stages.Parameters().dump(); })
      .def("expected_recall", &Stages::expected_recall);
  nb::class_<StagedReader>(module, "StagedReader");
  module.def("stages", StagesOf, nb::arg("words"), nb::arg("key"),
             nb::arg("of_files"));
  module.def("stage_key", KeyOf, nb::arg("words"), nb::arg("of_files"));
  module.def("staged_files", ListFiles, nb::arg("paths"));
  module.def("open_staged", OpenOfDedup, nb::arg("words"), nb::arg("file"));
  module.def("stage_classes", Classes);
  module.def("stage_cover", Cover, nb::arg("documents"));
  module.def("pair_lines", PairLines, nb::arg("data"));
  module.def("quarantine_lines", QuarantineLines, nb::arg("data"));
  module.def("best_lines", BestLines, nb::arg("data"));
  module.def("cluster_lines", ClusterLines, nb::arg("data"));
}

}  // namespace twinset::python
