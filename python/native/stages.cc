#include "stages.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow_in.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "column.h"
#include "documents.h"
#include "served_call.h"
#include "twinset/methods.h"
#include "twinset/stages.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

using Words = std::vector<std::string>;
using Numbers = std::vector<int64_t>;
using Columns = std::vector<ArrowColumn>;

// ---- what comes in and goes out ----

// Unsigned numbers, and the bits of doubles, come and go as signed ones.
uint64_t At(const Columns& columns, size_t i, int64_t row) {
  return static_cast<uint64_t>(columns[i].Number(row).value_or(0));
}
double RealAt(const Columns& columns, size_t i, int64_t row) {
  return std::bit_cast<double>(At(columns, i, row));
}
std::string TextAt(const Columns& columns, size_t i, int64_t row) {
  return columns[i].Text(row).value_or("");
}

using EachRow = std::function<Status(const Columns& columns, int64_t row)>;

// Calls `each` for every row of a table with these columns, without the GIL.
void ForEachRow(nb::object data, const Words& names, const EachRow& each) {
  const auto table = TableOf(std::move(data), names);
  Take(WithoutGil([&]() -> Status {
    for (;;) {
      TWINSET_ASSIGN(const bool more, table->Next());
      if (!more) return {};
      for (int64_t row = 0; row < table->rows(); ++row)
        TWINSET_TRY(each(table->columns(), row));
    }
  }));
}

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

int64_t Signed(uint64_t value) { return static_cast<int64_t>(value); }

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

StageStream JoinByKeys(const Stages& stages) {
  auto rows = std::make_shared<Rows>(kJoined);
  auto join = std::make_shared<KeyJoin>(
      stages, PairsTo(rows), [rows](const StagedPosting& posting) -> Status {
        rows->Add({1, Signed(posting.rank), Signed(posting.key),
                   Signed(posting.size), 0});
        return {};
      });
  return {{"key", "rank", "size"},
          rows,
          [join](const Columns& columns, int64_t row) {
            return join->Add(PostingAt(columns, row));
          },
          [join] { return join->Finish(); }};
}

StageStream JoinHot(const Stages& stages) {
  auto rows = std::make_shared<Rows>(kJoined);
  auto join = std::make_shared<HotJoin>(stages, PairsTo(rows));
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

// Rows of a group: its first document, whose rank is that of the group, then
// those that it is compared with.
StageStream Verification(const Stages& stages) {
  struct First {
    uint64_t rank = UINT64_MAX;
    std::string features;
  };
  auto rows = std::make_shared<Rows>(
      Words{"a", "b"}, Words{"similarity", "a_contained", "b_contained"});
  return {
      {"group", "rank", "features"},
      rows,
      [=, first = std::make_shared<First>()](const Columns& columns,
                                             int64_t row) -> Status {
        const uint64_t group = At(columns, 0, row), rank = At(columns, 1, row);
        std::string features = TextAt(columns, 2, row);
        if (rank == group) {
          *first = {rank, std::move(features)};
          return {};
        }
        if (first->rank != group)
          return Fail(ErrorCode::kInternal,
                      "a pair comes without its first document");
        TWINSET_ASSIGN(const auto pair,
                       stages.Verify(group, first->features, rank, features));
        if (pair)
          rows->Add({Signed(group), Signed(rank)},
                    {pair->similarity, pair->a_contained, pair->b_contained});
        return {};
      }};
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
nb::tuple TakeTexts(const Stages& stages, nb::object data) {
  TextValues reasons, details, digests, features;
  Numbers sizes, ends, keys;
  ForEachRow(std::move(data), {"text"},
             [&](const Columns& columns, int64_t row) -> Status {
               Document document;
               auto text = columns[0].Text(row);
               document.has_text = text.has_value();
               if (text) document.payload = *std::move(text);
               TWINSET_ASSIGN(const StagedDocument made,
                              stages.Take(std::move(document)));
               reasons.Add(made.rejected);
               details.Add(made.detail);
               sizes.push_back(Signed(made.size));
               digests.Add({reinterpret_cast<const char*>(made.digest.data()),
                            sizeof made.digest});
               for (const uint64_t key : made.keys) keys.push_back(Signed(key));
               ends.push_back(Signed(keys.size()));
               features.Add(made.features);
               return {};
             });
  return nb::make_tuple(
      ArrowStream(
          {"reason", "detail", "size", "digest", "keys_end", "features"},
          {Column(std::move(reasons)), Column(std::move(details)),
           Column(std::move(sizes)), Column(std::move(digests)),
           Column(std::move(ends)), Column(std::move(features))}),
      ArrowStream({"key"}, {Column(std::move(keys))}));
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

nb::bytes ClusterLines(nb::object data, const std::string& source) {
  ResultLines lines;
  ForEachRow(std::move(data),
             {"id", "cluster", "similarity", "contained", "size", "rank",
              "representative"},
             [&](const Columns& columns, int64_t row) -> Status {
               const std::string id = TextAt(columns, 0, row),
                                 cluster = TextAt(columns, 1, row);
               lines.AddMember({id, cluster, RealAt(columns, 2, row),
                                RealAt(columns, 3, row), At(columns, 4, row),
                                At(columns, 5, row), source},
                               At(columns, 5, row) == At(columns, 6, row));
               return {};
             });
  const std::string text = lines.Take();
  return nb::bytes(text.data(), text.size());
}

// ---- options ----

// What a flag says is heeded, or there is an error.
bool IsRead(std::string_view flag, const cli::Request& request) {
  if (flag == "--key" || flag == "--max-document") return true;
  if (flag == "--keep") return request.options.keep == Words{"first"};
  const Parameter* const parameter = FindParameter(flag.substr(2));
  return parameter != nullptr &&
         parameter->group != ParameterGroup::kClusters &&
         parameter->group != ParameterGroup::kUnits;
}

cli::Request RequestOf(const Words& words) {
  cli::Request request = Take(cli::Parse(*cli::FindCommand("dedup"), words));
  for (const auto& [flag, value] : request.given) {
    if (IsRead(flag, request)) continue;
    Raise({ErrorCode::kUnsupported,
           flag + " " + value + " does not go with Spark",
           {},
           "leave it out, or run the command twinset dedup"});
  }
  return request;
}

nb::bytes KeyOf(const Words& words) {
  const SecretBytes key = Take(StageKey(RequestOf(words).options.resources));
  return nb::bytes(key.data(), key.size());
}

Stages StagesOf(const Words& words, const nb::bytes& key) {
  const cli::Request request = RequestOf(words);
  StageOptions options;
  CopyParts<ComparisonOptions>(request.options, &options);
  options.max_document_bytes = request.options.input.max_document_bytes;
  std::memcpy(options.key.data(), key.c_str(),
              std::min(key.size(), options.key.size()));
  return Take(Stages::Make(options));
}

}  // namespace

void BindStages(nb::module_& module) {
  module.attr("most_class_rows") = kMostClassRows;
  module.attr("large_cluster") = kLargeCluster;
  nb::class_<StageStream>(module, "StageStream")
      .def("add", &StageStream::Add)
      .def("finish", &StageStream::Finish);
  nb::class_<Stages>(module, "Stages")
      .def("take", TakeTexts)
      .def("join", JoinByKeys)
      .def("join_hot", JoinHot)
      .def("verification", Verification)
      .def("parameters",
           [](const Stages& stages) { return stages.Parameters().dump(); })
      .def("expected_recall", &Stages::expected_recall);
  module.def("stages", StagesOf, nb::arg("words"), nb::arg("key"));
  module.def("stage_key", KeyOf, nb::arg("words"));
  module.def("stage_classes", Classes);
  module.def("stage_cover", Cover, nb::arg("documents"));
  module.def("pair_lines", PairLines, nb::arg("data"));
  module.def("cluster_lines", ClusterLines, nb::arg("data"), nb::arg("source"));
}

}  // namespace twinset::python
