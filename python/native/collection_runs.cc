// dedup and match over documents that Python has.
#include "collection_runs.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/parse.h"
#include "column.h"
#include "documents.h"
#include "served_call.h"
#include "sides.h"
#include "twinset/collection.h"

namespace nb = nanobind;

namespace twinset::python {
namespace {

using Words = std::vector<std::string>;

// What flags say that only a run over files reads, so that nothing is ignored
// in silence.
constexpr std::string_view kSharedRead[] = {
    "--threads", "--memory", "--tmp",    "--simd",
    "--key",     "--within", "--across", "--window",
    "--config",  "--preset", "--quiet",  "--max-document"};

bool IsRead(std::string_view flag) {
  if (std::find(std::begin(kSharedRead), std::end(kSharedRead), flag) !=
      std::end(kSharedRead))
    return true;
  const Parameter* const parameter = FindParameter(flag.substr(2));
  return parameter != nullptr && parameter->group != ParameterGroup::kUnits;
}

cli::Request RequestOf(std::string_view command, const Words& words) {
  cli::Request request = Take(cli::Parse(*cli::FindCommand(command), words));
  for (const auto& [flag, value] : request.given) {
    if (IsRead(flag)) continue;
    Raise({ErrorCode::kUnsupported,
           fmt::format("{} works only with files, and the data is in memory",
                       flag),
           {},
           "give paths of files in place of the data"});
  }
  return request;
}

template <typename Options>
Options OptionsOf(const cli::Request& request, ServedCall* call) {
  Options options;
  CopyParts<ComparisonOptions, PriorityOptions, ClusterOptions, ScopeOptions>(
      request.options, &options);
  options.resources = request.options.resources;
  options.window = request.options.window;
  options.action = request.options.action;
  options.max_loss = request.options.max_loss;
  options.max_document_bytes = request.options.input.max_document_bytes;
  options.on_progress = call->progress();
  options.stop = call->stop();
  return options;
}

// The results as columns.
class Columns : public Sink {
 public:
  Status OnRejected(const RejectedDocument& rejected) override {
    rejected_side_.push_back(rejected.side);
    rejected_.push_back(static_cast<int64_t>(rejected.document));
    reasons_.Add(rejected.reason);
    details_.Add(rejected.detail);
    return {};
  }
  Status OnPairs(std::span<const Pair> pairs) override {
    for (const Pair& pair : pairs) {
      a_.push_back(static_cast<int64_t>(pair.a));
      b_.push_back(static_cast<int64_t>(pair.b));
      similarity_.push_back(pair.similarity);
    }
    return {};
  }
  Status OnMembers(std::span<const ClusterMember> members) override {
    for (const ClusterMember& member : members) {
      representative_.push_back(static_cast<int64_t>(member.representative));
      member_.push_back(static_cast<int64_t>(member.document));
      member_similarity_.push_back(member.similarity);
      contained_.push_back(member.contained);
    }
    return {};
  }
  Status OnDecisions(std::span<const KeepDecision> decisions) override {
    for (const auto& [document, kept] : decisions)
      (kept ? kept_ : dropped_).push_back(static_cast<int64_t>(document));
    return {};
  }

  nb::dict Take() && {
    nb::dict columns;
    const auto add = [&](const char* name, auto& values) {
      columns[name] = Column(std::move(values));
    };
    add("a", a_);
    add("b", b_);
    add("similarity", similarity_);
    add("representative", representative_);
    add("member", member_);
    add("member_similarity", member_similarity_);
    add("contained", contained_);
    add("kept", kept_);
    add("dropped", dropped_);
    add("rejected_side", rejected_side_);
    add("rejected", rejected_);
    add("reason", reasons_);
    add("detail", details_);
    return columns;
  }

 private:
  std::vector<int64_t> a_, b_, representative_, member_, kept_, dropped_,
      rejected_side_, rejected_;
  std::vector<double> similarity_, member_similarity_, contained_;
  TextValues reasons_, details_;
};

nb::dict Finished(Columns columns, const CollectionSummary& summary) {
  nb::dict result = std::move(columns).Take();
  result["summary"] = SummaryJson(summary).dump();
  return result;
}

nb::dict DedupData(const Words& words, nb::dict data, nb::object on_progress) {
  const cli::Request request = RequestOf("dedup", words);
  ServedCall call(std::move(on_progress));
  const auto options = OptionsOf<CollectionOptions>(request, &call);
  OpenSide side(SideOf(std::move(data)), &call);
  Columns columns;
  std::optional<Result<CollectionSummary>> done;
  call.Run([&] { done = Dedup(*side.source, options, columns); });
  nb::dict result = Finished(std::move(columns), Take(*std::move(done)));
  result["ids"] = std::move(side.ids).Finish();
  return result;
}

nb::dict MatchData(const Words& words, nb::dict a, nb::dict b,
                   nb::object on_progress) {
  const cli::Request request = RequestOf("match", words);
  ServedCall call(std::move(on_progress));
  const auto options = OptionsOf<CollectionMatchOptions>(request, &call);
  OpenSide first(SideOf(std::move(a)), &call);
  OpenSide second(SideOf(std::move(b)), &call);
  Columns columns;
  std::optional<Result<CollectionSummary>> done;
  call.Run(
      [&] { done = Match(*first.source, *second.source, options, columns); });
  nb::dict result = Finished(std::move(columns), Take(*std::move(done)));
  result["ids"] = std::move(first.ids).Finish();
  result["ids_b"] = std::move(second.ids).Finish();
  return result;
}

// Names of the fields of documents that the options of a command read.
Words FieldsRead(const std::string& command, const Words& words) {
  const cli::Request request = RequestOf(command, words);
  CollectionOptions options;
  CopyParts<ComparisonOptions, PriorityOptions, ScopeOptions>(request.options,
                                                              &options);
  return Take(FieldsOf(options));
}

// The places in `members` of the documents `dropped`, which are ascending, in
// the order of the documents.
Column MembersOf(const Column& members, const Column& dropped) {
  const auto& documents = std::get<std::vector<int64_t>>(members.values());
  const auto& gone = std::get<std::vector<int64_t>>(dropped.values());
  std::vector<std::pair<int64_t, int64_t>> places;
  for (size_t i = 0; i < documents.size(); ++i)
    if (std::binary_search(gone.begin(), gone.end(), documents[i]))
      places.emplace_back(documents[i], static_cast<int64_t>(i));
  std::sort(places.begin(), places.end());
  std::vector<int64_t> found;
  for (const auto& [document, place] : places) found.push_back(place);
  return Column(std::move(found));
}

// How many members the clusters of these documents have; 1 where they lead
// none.
Column CopiesOf(const Column& kept, const Column& representatives) {
  std::unordered_map<int64_t, int64_t> sizes;
  for (const int64_t document :
       std::get<std::vector<int64_t>>(representatives.values()))
    ++sizes[document];
  std::vector<int64_t> copies;
  for (const int64_t document : std::get<std::vector<int64_t>>(kept.values())) {
    const auto found = sizes.find(document);
    copies.push_back(found == sizes.end() ? 1 : found->second);
  }
  return Column(std::move(copies));
}

}  // namespace

void BindCollectionRuns(nb::module_& module) {
  module.def("dedup_data", DedupData, nb::arg("words"), nb::arg("data"),
             nb::arg("on_progress").none() = nb::none());
  module.def("match_data", MatchData, nb::arg("words"), nb::arg("a"),
             nb::arg("b"), nb::arg("on_progress").none() = nb::none());
  module.def("members_of", MembersOf, nb::arg("members"), nb::arg("dropped"));
  module.def("copies_of", CopiesOf, nb::arg("kept"),
             nb::arg("representatives"));
  module.def(
      "reads_in_memory", [](const std::string& flag) { return IsRead(flag); },
      nb::arg("flag"));
  module.def("fields_read", FieldsRead, nb::arg("command"), nb::arg("words"));
}

}  // namespace twinset::python
