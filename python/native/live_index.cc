#include "live_index.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/commands/index_open.h"
#include "cli/parse.h"
#include "documents.h"
#include "served_call.h"
#include "sides.h"
#include "twinset/index.h"
#include "twinset/index_files.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

using Words = std::vector<std::string>;

// Columns that a document has beside its text, as fields of it.
constexpr std::string_view kIdField = "id", kTagField = "tag";
constexpr size_t kBatchDocuments = 1000;
constexpr uint64_t kBatchBytes = 64 << 20;

cli::Request RequestOf(const Words& words) {
  return Take(cli::Parse(*cli::FindCommand("index"), words));
}

void CreateIndex(const std::string& folder, const Words& words) {
  const cli::Request request = RequestOf(words);
  IndexOptions options;
  CopyParts<ComparisonOptions>(request.options, &options);
  options.key = request.options.resources.key;
  Take(WithoutGil([&] { return Index::Create(folder, options); }));
}

nb::object MatchTuple(const IndexMatch& match) {
  nb::list differences;
  for (const IndexDifference& one : match.differences)
    differences.append(nb::make_tuple(one.of_asked ? "a" : "b", one.text));
  return nb::make_tuple(match.id, match.url, match.similarity, match.contained,
                        match.contains, match.is_kept, match.copies,
                        match.first_seen, match.last_seen, match.tags,
                        match.index, differences);
}

nb::object AnswerTuple(const IndexAnswer& answer) {
  const bool is_stored = answer.rejected.empty();
  return nb::make_tuple(answer.id, answer.is_new, answer.is_repeated,
                        is_stored ? MatchTuple(answer.kept) : nb::none(),
                        answer.is_bounded, answer.is_empty, answer.rejected,
                        answer.detail, answer.replaced);
}

nb::object FoundTuple(const IndexFound& found) {
  nb::list matches;
  for (const IndexMatch& match : found.matches)
    matches.append(MatchTuple(match));
  return nb::make_tuple(matches, found.is_bounded, found.is_empty,
                        found.rejected, found.detail);
}

// What a row is in the index: its columns "id" and "tag" stand in its fields.
IndexInput InputOf(Document document, const std::string& tag) {
  IndexInput input;
  input.tag = tag;
  for (auto& [name, value] : std::exchange(document.fields, {})) {
    if (name == kIdField) document.id = std::move(value);
    if (name == kTagField && !value.empty()) input.tag = std::move(value);
  }
  input.document = std::move(document);
  return input;
}

// An index that is open in this process. A call holds it until it returns, also
// when another thread closes it.
class LiveIndex {
 public:
  LiveIndex(const std::string& folder, const Words& words, bool read_only)
      : index_(Open(folder, words, read_only)), process_(getpid()) {}
  // After a fork the files belong to the process that opened them.
  ~LiveIndex() {
    if (getpid() != process_) new std::shared_ptr<Index>(std::move(index_));
  }

  // The answers to documents in their order.
  nb::list Add(nb::dict data, const std::string& tag, bool why, bool replace,
               nb::object on_progress) {
    std::vector<IndexAnswer> answers;
    IndexAddOptions options;
    options.why = why;
    options.replaces = replace;
    ForEachAnswer(std::move(data), tag, options, std::move(on_progress),
                  [&](IndexAnswer& one) { answers.push_back(std::move(one)); });
    nb::list tuples;
    for (const IndexAnswer& one : answers) tuples.append(AnswerTuple(one));
    return tuples;
  }
  // The same, counted.
  std::string AddCounted(nb::dict data, const std::string& tag, bool replace,
                         nb::object on_progress) {
    IndexFilesSummary summary;
    IndexAddOptions options;
    options.replaces = replace;
    ForEachAnswer(std::move(data), tag, options, std::move(on_progress),
                  [&](const IndexAnswer& one) { summary.Count(one); });
    return SummaryJson(summary).dump();
  }
  // What is found for each document, in their order, in this index and others.
  nb::list Ask(nb::dict data, const IndexQuery& query,
               const std::vector<const LiveIndex*>& against,
               nb::object on_progress) const {
    std::vector<std::shared_ptr<Index>> held = {Held()};
    for (const LiveIndex* other : against) held.push_back(other->Held());
    std::vector<const Index*> indexes;
    for (const auto& index : held) indexes.push_back(index.get());
    std::vector<IndexFound> answers;
    ForEachBatch(std::move(data), std::move(on_progress), {},
                 [&](std::vector<IndexInput> batch) -> Status {
                   for (const IndexInput& input : batch) {
                     TWINSET_ASSIGN(answers.emplace_back(),
                                    QueryAll(indexes, input.document, query));
                   }
                   return {};
                 });
    nb::list tuples;
    for (const IndexFound& found : answers) tuples.append(FoundTuple(found));
    return tuples;
  }

  // (removed, dropped because of it) of each; "" in place of the second.
  nb::list Remove(const std::string& name, bool is_tag) {
    const std::shared_ptr<Index> index = Held();
    std::vector<IndexRemoval> told;
    const auto sink = [&](const IndexRemoval& one) { told.push_back(one); };
    Take(WithoutGil([&] {
      return is_tag ? index->RemoveTag(name, sink) : index->Remove(name, sink);
    }));
    nb::list rows;
    for (const IndexRemoval& one : told)
      rows.append(nb::make_tuple(one.id, one.dropped));
    return rows;
  }

  std::string Stats() const {
    const std::shared_ptr<Index> index = Held();
    return WithoutGil([&] { return SummaryJson(index->Stats()).dump(); });
  }
  std::vector<std::string> Repairs() const { return Held()->Stats().repairs; }
  std::vector<std::string> Verify(bool repair) {
    const std::shared_ptr<Index> index = Held();
    return Take(WithoutGil([&] { return index->Verify(repair); }));
  }
  void Compact() {
    const std::shared_ptr<Index> index = Held();
    Take(WithoutGil([&] { return index->Compact(); }));
  }
  void Snapshot(const std::string& folder) {
    const std::shared_ptr<Index> index = Held();
    Take(WithoutGil([&] { return index->Snapshot(folder); }));
  }
  void Rebuild(const std::string& folder, const Words& words) const {
    const std::shared_ptr<Index> index = Held();
    const auto changed =
        cli::IndexOpenOptionsOf(RequestOf(words), true).expected;
    ServedCall call{nb::none()};
    Status done;
    call.Run([&] { done = index->Rebuild(folder, changed, call.stop()); });
    Take(done);
  }
  void Sync() {
    const std::shared_ptr<Index> index = Held();
    Take(WithoutGil([&] { return index->Sync(); }));
  }
  void Close() {
    if (index_ == nullptr || getpid() != process_) return;
    const std::shared_ptr<Index> index = std::exchange(index_, nullptr);
    Take(WithoutGil([&] { return index->Close(); }));
  }

 private:
  static std::shared_ptr<Index> Open(const std::string& folder,
                                     const Words& words, bool read_only) {
    const IndexOpenOptions options =
        cli::IndexOpenOptionsOf(RequestOf(words), read_only);
    return Take(WithoutGil([&] { return Index::Open(folder, options); }));
  }

  std::shared_ptr<Index> Held() const {
    if (index_ == nullptr) Raise({ErrorCode::kUsage, "the index is closed"});
    if (getpid() != process_) {
      Raise({ErrorCode::kUsage,
             "the index was opened by another process, of which this is a fork",
             {},
             "open it in this one; one process at a time writes to it"});
    }
    return index_;
  }

  template <typename Each>
  void ForEachAnswer(nb::dict data, const std::string& tag,
                     const IndexAddOptions& options, nb::object on_progress,
                     const Each& each) {
    const std::shared_ptr<Index> index = Held();
    ForEachBatch(std::move(data), std::move(on_progress), tag,
                 [&](std::vector<IndexInput> batch) -> Status {
                   TWINSET_ASSIGN(auto answers, index->CheckAndAdd(
                                                    std::move(batch), options));
                   for (IndexAnswer& answer : answers) each(answer);
                   return {};
                 });
  }

  // Reads documents and hands them on, many at a time, without the GIL.
  template <typename Each>
  static void ForEachBatch(nb::dict data, nb::object on_progress,
                           const std::string& tag, const Each& each) {
    ServedCall call(std::move(on_progress));
    OpenSide side(SideOf(std::move(data)), &call);
    const ProgressSink tell = call.progress();
    Status done;
    call.Run([&] {
      done = [&]() -> Status {
        Progress progress;
        progress.stage = "index";
        for (bool more = true; more;) {
          std::vector<IndexInput> batch;
          for (uint64_t bytes = 0;
               batch.size() < kBatchDocuments && bytes < kBatchBytes;) {
            Document document;
            TWINSET_ASSIGN(more, side.source->Next(&document));
            if (!more) break;
            bytes += document.payload.size();
            batch.push_back(InputOf(std::move(document), tag));
          }
          if (*call.stop())
            return Fail(ErrorCode::kInterrupted, "the call was interrupted");
          progress.done += batch.size();
          if (!batch.empty()) TWINSET_TRY(each(std::move(batch)));
          if (tell) tell(progress);
        }
        return {};
      }();
    });
    Take(done);
  }

  std::shared_ptr<Index> index_;
  const pid_t process_;
};

}  // namespace

void BindLiveIndex(nb::module_& module) {
  module.def("create_index", CreateIndex, nb::arg("folder"), nb::arg("words"));
  module.def(
      "restore_index",
      [](const std::string& snapshot, const std::string& folder) {
        Take(WithoutGil([&] { return Index::Restore(snapshot, folder); }));
      },
      nb::arg("snapshot"), nb::arg("folder"));
  nb::class_<IndexQuery>(module, "IndexQuery")
      .def(nb::init<>())
      .def_rw("limit", &IndexQuery::limit)
      .def_rw("kept_only", &IndexQuery::kept_only)
      .def_rw("one_of_equal", &IndexQuery::one_of_equal)
      .def_rw("within_tags", &IndexQuery::within_tags)
      .def_rw("without_tags", &IndexQuery::without_tags)
      .def_rw("why", &IndexQuery::why);
  nb::class_<LiveIndex>(module, "LiveIndex")
      .def(nb::init<const std::string&, const Words&, bool>(),
           nb::arg("folder"), nb::arg("words"), nb::arg("read_only"))
      .def("add", &LiveIndex::Add, nb::arg("data"), nb::arg("tag"),
           nb::arg("why"), nb::arg("replace"), nb::arg("on_progress").none())
      .def("add_counted", &LiveIndex::AddCounted, nb::arg("data"),
           nb::arg("tag"), nb::arg("replace"), nb::arg("on_progress").none())
      .def("ask", &LiveIndex::Ask, nb::arg("data"), nb::arg("query"),
           nb::arg("against"), nb::arg("on_progress").none())
      .def("remove", &LiveIndex::Remove, nb::arg("name"), nb::arg("is_tag"))
      .def("stats", &LiveIndex::Stats)
      .def("repairs", &LiveIndex::Repairs)
      .def("verify", &LiveIndex::Verify, nb::arg("repair"))
      .def("compact", &LiveIndex::Compact)
      .def("snapshot", &LiveIndex::Snapshot, nb::arg("folder"))
      .def("rebuild", &LiveIndex::Rebuild, nb::arg("folder"), nb::arg("words"))
      .def("sync", &LiveIndex::Sync)
      .def("close", &LiveIndex::Close);
}

}  // namespace twinset::python
