// leak over batches of Arrow: twinset/corpora/leak_stages.h.
#include "twinset/corpora/leak_stages.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/parse.h"
#include "served_call.h"
#include "staged_rows.h"
#include "stages.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

// A row per document, and what it holds of all.
struct LookedRows {
  void Add(const LeakLooked& looked) {
    reasons.Add(looked.rejected);
    details.Add(looked.detail);
    sizes.push_back(Signed(looked.tokens));
    for (const LeakHolding& holding : looked.holdings) {
      items.push_back(Signed(holding.item));
      kinds.Add(ChoiceName(holding.kind));
      similarities.push_back(holding.similarity);
      texts.Add(holding.document_text);
    }
    ends.push_back(Signed(items.size()));
  }
  nb::tuple Take(const Words& more_names = {},
                 const std::vector<Column>& more = {}) {
    Words names = {"reason", "detail", "size", "held_end"};
    std::vector<Column> columns = {
        Column(std::move(reasons)), Column(std::move(details)),
        Column(std::move(sizes)), Column(std::move(ends))};
    names.insert(names.end(), more_names.begin(), more_names.end());
    columns.insert(columns.end(), more.begin(), more.end());
    return nb::make_tuple(
        ArrowStream(names, columns),
        ArrowStream(
            {"item", "kind", "similarity", "text"},
            {Column(std::move(items)), Column(std::move(kinds)),
             Column(std::move(similarities)), Column(std::move(texts))}));
  }

  TextValues reasons, details, kinds, texts;
  Numbers sizes, ends, items;
  std::vector<double> similarities;
};

nb::tuple LookAtTexts(const LeakLook& look, nb::object data) {
  LookedRows rows;
  ForEachRow(std::move(data), {"text"},
             [&](const Columns& columns, int64_t row) -> Status {
               TWINSET_ASSIGN(const LeakLooked looked,
                              look.Look(DocumentAt(columns, 0, row)));
               rows.Add(looked);
               return {};
             });
  return rows.Take();
}

// Up to `most` records of a file; None at its end.
nb::object LookAtRecords(const LeakLook& look, StagedReader& reader,
                         int64_t most) {
  LookedRows rows;
  RecordRows records;
  records.Read(&reader, most, [&](StagedRecord* record) -> Status {
    LeakLooked looked;
    if (record->rejected.empty()) {
      TWINSET_ASSIGN(looked, look.Look(std::move(record->document)));
    } else {
      looked.rejected = std::move(record->rejected);
      looked.detail = std::move(record->detail);
    }
    rows.Add(looked);
    return {};
  });
  if (records.ordinals.empty()) return nb::none();
  return rows.Take(RecordRows::Names(), records.Take());
}

// ---- options ----

// What a flag says is heeded, or there is an error.
bool IsRead(std::string_view flag, bool of_files) {
  constexpr std::string_view kRead[] = {"--threshold",    "--tokens",
                                        "--shingle",      "--content",
                                        "--max-document", "--split-field"};
  if (std::find(std::begin(kRead), std::end(kRead), flag) != std::end(kRead))
    return true;
  return (IsOfFiles(flag) || flag.starts_with("--test")) && of_files;
}

// The words of leak; `of_files`: one side at least is files.
LeakOptions OptionsOf(const Words& words, bool of_files) {
  const cli::Request request =
      Take(cli::Parse(*cli::FindCommand("leak"), words));
  for (const auto& [flag, value] : request.given)
    if (!IsRead(flag, of_files)) RefuseFlag(flag, value);
  return cli::JobOptionsOf<LeakOptions>(request);
}

LeakItems MakeItems(const Words& words, bool of_files) {
  return Take(LeakItems::Make(OptionsOf(words, of_files)));
}

void AddItems(LeakItems& items, nb::object data, const std::string& source) {
  ForEachRow(std::move(data), {"id", "text", "split"},
             [&](const Columns& columns, int64_t row) {
               Document document = DocumentAt(columns, 1, row);
               document.id = TextAt(columns, 0, row);
               return items.Add(std::move(document), source,
                                TextAt(columns, 2, row));
             });
}

// Number, id and split of each, and its text.
nb::list ListItems(const LeakItems& items) {
  nb::list all;
  for (uint64_t i = 0; i < items.size(); ++i) {
    const std::string_view text = items.text(i);
    all.append(nb::make_tuple(i, items.id(i), items.split(i),
                              nb::bytes(text.data(), text.size())));
  }
  return all;
}

void FindItems(LeakItems& items, nb::object data) {
  ForEachRow(std::move(data),
             {"item", "documents", "document", "kind", "similarity", "text"},
             [&](const Columns& columns, int64_t row) -> Status {
               LeakBest best;
               best.item = At(columns, 0, row);
               best.documents = At(columns, 1, row);
               best.document = TextAt(columns, 2, row);
               best.holding.item = best.item;
               best.holding.kind = FindChoice<LeakKind>(TextAt(columns, 3, row))
                                       .value_or(LeakKind::kEmbedded);
               best.holding.similarity = RealAt(columns, 4, row);
               best.holding.document_text = TextAt(columns, 5, row);
               items.Found(std::move(best));
               return {};
             });
}

nb::bytes BytesOf(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

// leaks.jsonl, clean.txt, splits.csv, and the summary as JSON.
nb::tuple FinishItems(LeakItems& items) {
  const LeakItems::Files files = items.Finish();
  return nb::make_tuple(BytesOf(files.leaks), BytesOf(files.clean),
                        BytesOf(files.splits),
                        SummaryJson(files.result).dump());
}

LeakLook MakeLook(const Words& words, const nb::bytes& key,
                  const std::vector<nb::bytes>& texts, bool of_files) {
  const LeakOptions options = OptionsOf(words, of_files);
  const SecretBytes secret = SecretOf(key);
  std::vector<std::string_view> views;
  for (const nb::bytes& text : texts)
    views.emplace_back(text.c_str(), text.size());
  return Take(
      WithoutGil([&] { return LeakLook::Make(options, secret, views); }));
}

StagedReader OpenOfLeak(const Words& words, nb::tuple of) {
  return OpenFile(OptionsOf(words, true).input, std::move(of));
}

nb::bytes KeyOfLeak() {
  const SecretBytes key = Take(StageKey({}));
  return nb::bytes(key.data(), key.size());
}

nb::bytes DocumentLines(nb::object data) {
  std::string lines;
  ForEachRow(
      std::move(data), {"item", "split", "kind", "document", "similarity"},
      [&](const Columns& columns, int64_t row) -> Status {
        lines +=
            LeakDocumentLine(TextAt(columns, 0, row), TextAt(columns, 1, row),
                             FindChoice<LeakKind>(TextAt(columns, 2, row))
                                 .value_or(LeakKind::kEmbedded),
                             TextAt(columns, 3, row), RealAt(columns, 4, row));
        return {};
      });
  return BytesOf(lines);
}

}  // namespace

void BindLeakStages(nb::module_& module) {
  nb::class_<LeakItems>(module, "LeakItems")
      .def("read", [](LeakItems& items) { Take(items.Read()); })
      .def("add", AddItems, nb::arg("data"), nb::arg("source"))
      .def("all", ListItems)
      .def("found", FindItems, nb::arg("data"))
      .def("finish", FinishItems);
  nb::class_<LeakLook>(module, "LeakLook")
      .def("take", LookAtTexts, nb::arg("data"))
      .def("read", LookAtRecords, nb::arg("reader"), nb::arg("most"));
  module.def("leak_items", MakeItems, nb::arg("words"), nb::arg("of_files"));
  module.def("leak_look", MakeLook, nb::arg("words"), nb::arg("key"),
             nb::arg("texts"), nb::arg("of_files"));
  module.def("leak_key", KeyOfLeak);
  module.def("open_leak", OpenOfLeak, nb::arg("words"), nb::arg("file"));
  module.def("leak_document_lines", DocumentLines, nb::arg("data"));
}

}  // namespace twinset::python
