// twinset index: documents that are stored one after the other, each asked for
// what is already there.
#include "twinset/index.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/commands/index_open.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/nouns.h"
#include "cli/output.h"
#include "cli/printed_rows.h"
#include "twinset/index_files.h"
#include "twinset/plain_words.h"
#include "twinset/saved_run.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kIndexName = "index";

// What the command alone is asked for.
struct IndexAsked {
  std::string tag, tag_field, save;
  int batch = 1000;
  uint64_t limit = 0;
  bool kept_only = false, repair = false, why = false, ids = false;
  bool new_only = false, trusts_declared = false, replaces = false;
  std::vector<std::string> within_tags, without_tags;
  Durability durability = Durability::kSynced;
};

int TellUsage(std::string message, std::string remedy) {
  return TellError(
      kIndexName,
      {ErrorCode::kUsage, std::move(message), {}, std::move(remedy)});
}

const std::string& Noun(const Request& request) {
  return request.operands.front();
}

// Opens the index that the command names and tells what was put right.
Result<std::unique_ptr<Index>> OpenIndex(const Request& request,
                                         bool read_only) {
  TWINSET_ASSIGN(
      auto index,
      Index::Open(request.operands[1], IndexOpenOptionsOf(request, read_only)));
  for (const std::string& repair : index->Stats().repairs)
    Tell(kIndexName, repair);
  return index;
}

// Closes, so that an error of that is told.
int Finish(Index* index, int code) {
  const Status closed = index->Close();
  return closed ? code : TellError(kIndexName, closed.error());
}

int Create(const Request& request) {
  IndexOptions options;
  CopyParts<ComparisonOptions>(request.options, &options);
  options.key = request.options.resources.key;
  const Status made = Index::Create(request.operands[1], options);
  return made ? kExitDone : TellError(kIndexName, made.error());
}

uint64_t ReadBy(const IndexFilesSummary& summary) { return summary.documents; }
uint64_t ReadBy(const IndexImportSummary& summary) { return summary.captures; }

// Runs over the documents of the inputs, printing rows as they come.
template <typename Job>
int RunOverInputs(const Request& request, Index* index, const Job& job) {
  const IndexAsked& asked = request.Of<IndexAsked>();
  IndexFilesOptions options;
  options.input = request.options.input;
  options.input.inputs = {request.operands.begin() + 2, request.operands.end()};
  options.tag = asked.tag;
  options.tag_field = asked.tag_field;
  options.batch = static_cast<uint64_t>(asked.batch);
  options.query.limit = asked.limit;
  options.query.kept_only = asked.kept_only;
  options.query.within_tags = asked.within_tags;
  options.query.without_tags = asked.without_tags;
  options.query.why = options.add.why = asked.why;
  options.add.trusts_declared = asked.trusts_declared;
  options.add.replaces = asked.replaces;
  ProgressTeller progress(kIndexName, request);
  StopOnSignal stop;
  Output out;
  options.stop = stop.flag();
  options.on_progress = [&](const Progress& now) {
    // What is acknowledged is told before more is read.
    (void)out.Flush();
    if (!StdoutIsTerminal() || !StderrIsTerminal()) progress.Update(now);
  };
  Rejections rejections(kIndexName, request);
  const auto summary = job(options, &out, [&](const RejectedRecord& record) {
    progress.Clear();
    rejections.Add(record);
  });
  progress.Clear();
  const int finished = out.Finish(kIndexName);
  if (!summary) {
    (void)Finish(index, kExitDone);
    return TellNoResult(kIndexName, request, summary.error(), stop.signal(),
                        nullptr,
                        "interrupted; what was acknowledged is in the index");
  }
  TellWarnings(kIndexName, summary->warnings);
  const int code = rejections.Finish(ReadBy(*summary));
  return Finish(index, code != kExitDone ? code : finished);
}

int NoInput(const Request& request) {
  return TellUsage("no input is given",
                   "twinset index " + Noun(request) + " INDEX INPUT...");
}

int ImportLists(const Request& request) {
  if (request.operands.size() < 3) return NoInput(request);
  auto index = OpenIndex(request, false);
  if (!index) return TellError(kIndexName, index.error());
  return RunOverInputs(
      request, index->get(),
      [&](const IndexFilesOptions& options, Output* out,
          const IndexRejectedSink& on_rejected) {
        const auto summary = ImportFiles(index->get(), options, on_rejected);
        if (summary && request.json) {
          out->Line(SummaryJson(*summary).dump(2));
        } else if (summary && !request.quiet) {
          out->Line(CountText(summary->captures, "capture") + ": " +
                    NumberText(summary->stored) + " new, " +
                    NumberText(summary->captures - summary->stored) +
                    " whose digest was there");
        }
        return summary;
      });
}

void TellAdded(const Request& request, const IndexFilesSummary& summary,
               Output* out) {
  if (request.json) {
    out->Line(SummaryJson(summary).dump(2));
  } else if (!request.quiet) {
    out->Line(CountText(summary.documents, "document") + ": " +
              NumberText(summary.is_new) + " new, " +
              NumberText(summary.dropped) + " dropped, " +
              NumberText(summary.repeated) + " there already" +
              (request.Of<IndexAsked>().replaces
                   ? ", " + NumberText(summary.replaced) + " replaced"
                   : ""));
  }
}

int AdoptSavedRun(const Request& request) {
  auto index = OpenIndex(request, false);
  if (!index) return TellError(kIndexName, index.error());
  return RunOverInputs(request, index->get(),
                       [&](const IndexFilesOptions& options, Output* out,
                           const IndexRejectedSink& on_rejected) {
                         auto summary =
                             AdoptRun(index->get(), request.operands[2],
                                      options, on_rejected);
                         if (summary) TellAdded(request, *summary, out);
                         return summary;
                       });
}

int Import(const Request& request) {
  for (size_t i = 2; i < request.operands.size(); ++i) {
    if (!IsSavedRun(request.operands[i])) continue;
    if (request.operands.size() == 3) return AdoptSavedRun(request);
    return TellUsage("a saved run is imported alone",
                     "twinset index import INDEX RUN");
  }
  return ImportLists(request);
}

int AddDocuments(const Request& request, bool prints_rows) {
  if (request.operands.size() < 3) return NoInput(request);
  auto index = OpenIndex(request, false);
  if (!index) return TellError(kIndexName, index.error());
  return RunOverInputs(
      request, index->get(),
      [&](IndexFilesOptions options, Output* out,
          const IndexRejectedSink& on_rejected) {
        const bool passes_on = request.Of<IndexAsked>().new_only;
        // What nobody gets must not be taken for seen.
        if (passes_on)
          options.on_record = [out](std::string_view record) {
            return out->Write(record);
          };
        const IndexAnswerSink print = [&](const IndexAnswer& answer) {
          // A reader that went away does not end the adding.
          (void)out->Line(RowJson(answer).dump());
          return true;
        };
        auto summary = AddFiles(
            index->get(), options,
            prints_rows && !passes_on ? print : IndexAnswerSink(), on_rejected);
        if (summary && !prints_rows) TellAdded(request, *summary, out);
        return summary;
      });
}

// The index and those of --against.
Result<std::vector<std::unique_ptr<Index>>> OpenAll(const Request& request) {
  std::vector<std::unique_ptr<Index>> indexes;
  TWINSET_ASSIGN(indexes.emplace_back(), OpenIndex(request, true));
  for (const std::string& folder : request.against) {
    TWINSET_ASSIGN(
        indexes.emplace_back(),
        Index::Open(folder, IndexOpenOptionsOf(request, /*read_only=*/true)));
  }
  return indexes;
}

int Ask(const Request& request, bool checks) {
  if (request.operands.size() < 3) return NoInput(request);
  const auto opened = OpenAll(request);
  if (!opened) return TellError(kIndexName, opened.error());
  std::vector<const Index*> indexes;
  for (const auto& index : *opened) indexes.push_back(index.get());
  std::vector<std::string> names;
  if (!request.against.empty()) {
    names = request.against;
    names.insert(names.begin(), request.operands[1]);
  }
  return RunOverInputs(
      request, opened->front().get(),
      [&](IndexFilesOptions options, Output* out,
          const IndexRejectedSink& on_rejected) {
        if (checks) {
          options.query.one_of_equal = options.query.asks_declared = true;
          if (options.query.limit == 0) options.query.limit = 1;
        }
        return AskFiles(
            indexes, options,
            [&](const std::string& id, const IndexFound& found) {
              if (checks) return out->Line(CheckJson(id, found, names).dump());
              const auto rows = QueryRows(id, found, names);
              return std::all_of(
                  rows.begin(), rows.end(),
                  [&](const Json& row) { return out->Line(row.dump()); });
            },
            on_rejected);
      });
}

int RemoveDocuments(const Request& request) {
  const std::string& tag = request.Of<IndexAsked>().tag;
  if (tag.empty() == (request.operands.size() == 2)) {
    return TellUsage("what is to be removed is not said, or said twice",
                     "twinset index remove INDEX ID..., or --tag NAME");
  }
  auto index = OpenIndex(request, false);
  if (!index) return TellError(kIndexName, index.error());
  Output out;
  const auto print = [&](const IndexRemoval& removal) {
    Json row = {{"removed", removal.id}};
    if (!removal.dropped.empty())
      row = Json{{"dropped", removal.dropped}, {"because_of", removal.id}};
    (void)out.Line(row.dump());
  };
  int code = kExitDone;
  uint64_t count = 0;
  if (!tag.empty()) {
    const auto removed = (*index)->RemoveTag(tag, print);
    if (!removed) code = TellError(kIndexName, removed.error());
    count = 1;
  }
  for (size_t i = 2; i < request.operands.size() && code == kExitDone; ++i) {
    const auto removed = (*index)->Remove(request.operands[i], print);
    if (!removed) {
      code = TellError(kIndexName, removed.error());
    } else if (*removed == 0) {
      Tell(kIndexName,
           "no document has the id '" + Printable(request.operands[i]) + "'");
    } else {
      ++count;
    }
  }
  if (count == 0 && code == kExitDone) code = kExitFailed;
  const int finished = out.Finish(kIndexName);
  return Finish(index->get(), code != kExitDone ? code : finished);
}

int ShowStats(const Request& request) {
  auto index = OpenIndex(request, true);
  if (!index) return TellError(kIndexName, index.error());
  const IndexStats stats = (*index)->Stats();
  Output out;
  if (request.json) {
    out.Line(SummaryJson(stats).dump(2));
    return out.Finish(kIndexName);
  }
  out.Line(CountText(stats.documents, "document") + ": " +
           NumberText(stats.kept) + " kept, " + NumberText(stats.dropped()) +
           " dropped; " + NumberText(stats.empty) + " without features");
  if (stats.declared > 0)
    out.Line(CountText(stats.declared, "digest") + " declared by lists");
  out.Line(BytesText(stats.bytes) + " in " + CountText(stats.runs, "run") +
           " of postings and the log");
  const Json& of = stats.parameters;
  out.Line("method " + of["method"].get<std::string>() + ", threshold " +
           of["threshold"].dump() + ", shingle " +
           of["shingle"].get<std::string>() +
           (stats.expected_recall > 0 ? "; expected recall at the threshold " +
                                            PercentText(stats.expected_recall)
                                      : ""));
  if (!stats.tags.empty()) {
    std::string tags;
    for (const std::string& tag : stats.tags)
      tags += (tags.empty() ? "tags: " : ", ") + Printable(tag);
    out.Line(tags);
  }
  return out.Finish(kIndexName);
}

int VerifyIndex(const Request& request) {
  const bool repair = request.Of<IndexAsked>().repair;
  auto index = OpenIndex(request, !repair);
  if (!index) return TellError(kIndexName, index.error());
  const auto findings = (*index)->Verify(repair);
  if (!findings) return TellError(kIndexName, findings.error());
  Output out;
  bool is_sound = true;
  for (const std::string& finding : *findings) {
    out.Line(Printable(finding));
    is_sound &= repair && finding.ends_with("(made again from the log)");
  }
  if (findings->empty() && !request.quiet)
    out.Line(CountText((*index)->Stats().documents, "document") +
             ": all is as it was written");
  const int finished = out.Finish(kIndexName);
  return Finish(index->get(), is_sound ? finished : kExitFailed);
}

int CompactIndex(const Request& request) {
  auto index = OpenIndex(request, false);
  if (!index) return TellError(kIndexName, index.error());
  const Status done = (*index)->Compact();
  if (!done) return TellError(kIndexName, done.error());
  return Finish(index->get(), kExitDone);
}

// The third operand, of nouns that make an index.
int NoFolder(const Request& request) {
  return TellUsage("the folder of the other index is not given",
                   "twinset index " + Noun(request) + " INDEX FOLDER");
}

int SnapshotIndex(const Request& request) {
  if (request.operands.size() != 3) return NoFolder(request);
  auto index = OpenIndex(request, false);
  if (!index) return TellError(kIndexName, index.error());
  const Status done = (*index)->Snapshot(request.operands[2]);
  if (!done) return TellError(kIndexName, done.error());
  return Finish(index->get(), kExitDone);
}

int RestoreIndex(const Request& request) {
  if (request.operands.size() != 3) return NoFolder(request);
  const Status done = Index::Restore(request.operands[1], request.operands[2]);
  return done ? kExitDone : TellError(kIndexName, done.error());
}

int RebuildIndex(const Request& request) {
  if (request.operands.size() != 3) return NoFolder(request);
  IndexOpenOptions options = IndexOpenOptionsOf(request, /*read_only=*/true);
  const auto changed = std::exchange(options.expected, {});
  const auto index = Index::Open(request.operands[1], options);
  if (!index) return TellError(kIndexName, index.error());
  StopOnSignal stop;
  const Status done =
      (*index)->Rebuild(request.operands[2], changed, stop.flag());
  if (done) return kExitDone;
  return TellNoResult(kIndexName, request, done.error(), stop.signal(), nullptr,
                      "interrupted; nothing was written");
}

int SaveIndex(const Request& request, const Index& index) {
  const IndexAsked& asked = request.Of<IndexAsked>();
  if (asked.ids)
    return TellUsage("ids are no run", "leave out --ids or --save");
  IndexSaveOptions options;
  options.folder = asked.save;
  options.kept_only = asked.kept_only;
  options.resources = request.options.resources;
  StopOnSignal stop;
  options.stop = stop.flag();
  const auto saved = SaveAsRun(index, options);
  if (!saved)
    return TellNoResult(kIndexName, request, saved.error(), stop.signal(),
                        nullptr, "interrupted; there is no saved run");
  if (!request.quiet)
    Tell(kIndexName, CountText(saved->documents, "document") + " saved");
  return kExitDone;
}

int ExportIndex(const Request& request) {
  auto index = OpenIndex(request, true);
  if (!index) return TellError(kIndexName, index.error());
  const IndexAsked& asked = request.Of<IndexAsked>();
  if (!asked.save.empty()) return SaveIndex(request, **index);
  Output out;
  const Status done =
      (*index)->ForEach([&](const IndexEntry& entry) -> Result<bool> {
        if (asked.kept_only && !entry.is_kept) return true;
        return out.Line(asked.ids ? entry.name : RowJson(entry).dump());
      });
  if (!done) return TellError(kIndexName, done.error());
  return out.Finish(kIndexName);
}

int RunIndex(const Request& request) {
  if (const Status noun = CheckNoun(kIndexName, request); !noun)
    return TellError(kIndexName, noun.error());
  if (request.operands.size() < 2) {
    return TellUsage("no index is given",
                     "twinset index " + Noun(request) + " INDEX");
  }
  using Run = std::function<int(const Request&)>;
  const std::pair<std::string_view, Run> runs[] = {
      {"create", Create},
      {"add", [](const Request& r) { return AddDocuments(r, false); }},
      {"check", [](const Request& r) { return Ask(r, true); }},
      {"query", [](const Request& r) { return Ask(r, false); }},
      {"check-and-add", [](const Request& r) { return AddDocuments(r, true); }},
      {"remove", RemoveDocuments},
      {"stats", ShowStats},
      {"verify", VerifyIndex},
      {"compact", CompactIndex},
      {"snapshot", SnapshotIndex},
      {"restore", RestoreIndex},
      {"rebuild", RebuildIndex},
      {"export", ExportIndex},
      {"import", Import}};
  for (const auto& [noun, run] : runs)
    if (noun == Noun(request)) return run(request);
  return kExitUsage;
}

std::vector<Flag> IndexFlags() {
  return {
      {.name = "--tag",
       .value = "NAME",
       .help = "the set that the documents belong to, as a crawl; of remove, "
               "which goes",
       .set = SetText<&IndexAsked::tag>},
      {.name = "--tag-field",
       .value = "FIELD",
       .help = "add, check-and-add: the field of a row that holds its tag",
       .long_help = "A row without it has that of --tag.",
       .kind = ValueKind::kField,
       .set = SetText<&IndexAsked::tag_field>},
      {.name = "--batch",
       .value = "N",
       .help = "add, check-and-add, import: documents that are acknowledged "
               "together",
       .long_help = "Their rows are printed when all of them are on the disk.",
       .default_text = "1000",
       .set = SetInt<1, 100000, &IndexAsked::batch>},
      {.name = "--durability",
       .value = "WHEN",
       .help = "add, check-and-add, import: what is acknowledged is synced or "
               "relaxed",
       .long_help =
           "synced: it is on the disk. relaxed: the system has it; a loss of "
           "power may take what came since the last run of postings was "
           "written.",
       .default_text = "synced",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<Durability>(),
       .set = SetPick<&IndexAsked::durability>},
      {.name = "--max-matches",
       .value = "N",
       .help = "check, query: at most so many documents of the index each; 0: "
               "all",
       .long_help = "Of check 0 stands for 1.",
       .default_text = "0",
       .set = SetCount<&IndexAsked::limit>},
      {.name = "--kept-only",
       .help = "query, export: no documents that were dropped",
       .set = SetSwitch<&IndexAsked::kept_only>},
      {.name = "--new-only",
       .help = "check-and-add: print the records that are new, not rows",
       .long_help =
           "JSON lines, or records of a WARC, go out as they came in once they "
           "are on the disk; what is not new does not. Of a WARC, records that "
           "are no documents go out too, and a revisit record in place of a "
           "document whose payload is that of the kept one.",
       .set = SetSwitch<&IndexAsked::new_only>},
      {.name = "--replace",
       .help = "add, check-and-add: a document replaces the stored one of its "
               "id",
       .long_help =
           "Without it, other content with the same id becomes ID#2. Removal "
           "and addition are one step. What had been dropped because of the "
           "replaced document stays dropped.",
       .set = SetSwitch<&IndexAsked::replaces>},
      {.name = "--trust-declared",
       .help = "add, check-and-add: drop what a list declares to be captured",
       .long_help =
           "A document that would be new is not, and is not stored, where an "
           "import declares a capture with the digest of its payload.",
       .set = SetSwitch<&IndexAsked::trusts_declared>},
      {.name = "--ids",
       .help = "export: ids alone, one a line",
       .set = SetSwitch<&IndexAsked::ids>},
      {.name = "--save",
       .value = "DIR",
       .help = "export: a saved run of the documents, in place of rows",
       .long_help = "What dedup --save keeps of them, with the parameters of "
                    "the index, for recut, match and dedup.",
       .kind = ValueKind::kFolder,
       .set = SetText<&IndexAsked::save>},
      {.name = "--within-tags",
       .value = "TAGS",
       .help = "check, query: only documents that have one of these tags",
       .long_help =
           "A check then tells documents of these sets whether they were kept "
           "or dropped, as they may have been dropped for one of another set.",
       .list = true,
       .set = SetTextList<&IndexAsked::within_tags>},
      {.name = "--without-tags",
       .value = "TAGS",
       .help = "check, query: no documents that have one of these tags",
       .list = true,
       .set = SetTextList<&IndexAsked::without_tags>},
      {.name = "--why",
       .help = "check, query, check-and-add: what differs from the most "
               "similar one",
       .long_help = "At most 20 passages of it, of long ones the begin.",
       .set = SetSwitch<&IndexAsked::why>},
      {.name = "--repair",
       .help = "verify: make runs of postings that are damaged again",
       .set = SetSwitch<&IndexAsked::repair>}};
}

Command IndexCommand() {
  return {
      .name = "index",
      .group = CommandGroup::kEveryday,
      .operands = "create|add|check|... INDEX [INPUT...]",
      .help = "a live index: what is new, and what was seen before",
      .long_help =
          "create makes an empty INDEX; its parameters are frozen. add stores "
          "the documents of INPUT..., check-and-add also prints a row for each "
          "once it is on the disk: whether it is new, and if not the kept "
          "document that is most similar. check says so without storing "
          "anything; query lists every stored document at the threshold. "
          "remove takes documents away by ID, or all of a --tag, and tells "
          "what had been dropped because of them. stats, verify (with --repair "
          "it makes damaged postings again), compact (the texts of what was "
          "removed leave all files) and snapshot (an index of its own in "
          "another folder) look after it; restore makes an INDEX of a "
          "snapshot that is sound. rebuild makes one of the same documents "
          "with other parameters, where only those that change are named. "
          "export prints the documents that are there as rows, or with --save "
          "makes a saved run of them. import reads "
          "lists of captures (CDX, CDXJ, WACZ): their digests are told beside "
          "answers as declared; of a saved run it adds the documents, whose "
          "inputs must be what they were.\n\nOne process "
          "at a time may write "
          "to an index, and any number may read it. The same id with the same "
          "content is not stored again, so a run that was cut off may be "
          "repeated. docs/methods/index.md says what the answers mean.",
      .nouns = {"create", "add", "check", "query", "check-and-add", "remove",
                "stats", "verify", "compact", "snapshot", "restore", "rebuild",
                "export", "import"},
      .prints_rows = true,
      .examples = {{"twinset index create pages.index --threshold 0.8",
                    "an empty index"},
                   {"twinset index check-and-add pages.index crawl.warc.gz "
                    "--tag 2026-11",
                    "one row for each page, once it is on the disk"},
                   {"twinset index check pages.index page.html",
                    "have I seen this page?"},
                   {"twinset index remove pages.index --tag 2026-10",
                    "a whole crawl goes"},
                   {"twinset index import pages.index old.cdxj --tag 2025",
                    "what an older crawl says that it has captured"},
                   {"twinset index rebuild pages.index strict.index "
                    "--threshold 0.9",
                    "the same documents, decided at another threshold"}},
      .everyday = {"--tag", "--threshold", "--method", "--shingle",
                   "--text-field", "--id-field", "--url-field", "--max-matches",
                   "--kept-only", "--new-only", "--replace", "--batch",
                   "--durability", "--repair", "--json", "--quiet"},
      .parameters = {.groups = kComparing,
                     .but = {"template", "max-df", "asked-chunks"}},
      .shared = Join({kRecordFlags,
                      {"--against", "--json", "--files-from", "--null",
                       "--digest", "--strict", "--threads", "--memory", "--tmp",
                       "--key", "--progress", "--config"}}),
      .texts = {{.name = "--method",
                 .help = "how similar documents are found; see 'twinset "
                         "methods'",
                 .long_help =
                     "complete looks at all documents together, which an index "
                     "never has.",
                 .default_text = "minhash"},
                {.name = "--against",
                 .help = "check, query: another index that is asked too"},
                {.name = "--bucket-limit",
                 .help = "members above which a band bucket is not looked "
                         "through; 0: no limit",
                 .long_help = "Of a larger bucket at most 64 leaders are "
                              "compared, and the row says so."},
                {.name = "--json",
                 .help = "add, stats: print one JSON object; all rows are JSON "
                         "anyway"},
                {.name = "--key",
                 .help = "create: secret under which what is verified is "
                         "hashed: 32 hexadecimal digits",
                 .default_text = "(drawn for the index)"},
                {.name = "--memory",
                 .help = "memory budget, as 8G",
                 .default_text = "(60 % of what is available, at most 1G)"},
                {.name = "--tmp",
                 .help = "export --save: folder for work files"},
                kPresetsOfMethods,
                kTypesOfRecords},
      .flags = IndexFlags(),
      .refusals = {{{"--overwrite"},
                    "an index is never replaced",
                    "remove its folder first"},
                   {{"--out"}, "the folder is its second operand"},
                   {{"--resume"},
                    "what was acknowledged is in the index",
                    "run it again: the same id with the same content is not "
                    "stored twice"},
                   kPrintsText},
      .run = RunIndex};
}

}  // namespace

IndexOpenOptions IndexOpenOptionsOf(const Request& request, bool read_only) {
  IndexOpenOptions options;
  options.read_only = read_only;
  options.durability = request.Of<IndexAsked>().durability;
  options.threads = request.options.resources.threads;
  options.memory_bytes = request.options.resources.memory_bytes;
  for (const auto& [flag, value] : request.given) {
    const std::string name = flag.substr(flag.find_first_not_of('-'));
    if (FindParameter(name) != nullptr)
      options.expected.emplace_back(name, value);
  }
  return options;
}

const Registration kIndex(IndexCommand);

}  // namespace twinset::cli
