// twinset/corpora/seeds.h: seeds for a crawl.
#include "twinset/corpora/seeds.h"

#include <utility>

#include "base/file.h"
#include "base/machine.h"
#include "base/stop.h"
#include "documents/result_places.h"
#include "documents/side_check.h"
#include "report/line_list.h"
#include "seeds/answer_results.h"
#include "seeds/host_list.h"
#include "seeds/seed_choice.h"
#include "seeds/seeds_report.h"
#include "web/edge_list.h"
#include "web/graph_input.h"
#include "web/page_ranks.h"

namespace twinset {
namespace {

constexpr char kSeedsText[] = "seeds.txt";
constexpr char kSeedsRows[] = "seeds.jsonl";
constexpr char kLeftOut[] = "left-out.jsonl";
constexpr char kSummary[] = "summary.json";
constexpr char kReport[] = "report.html";

bool HasGraph(const SeedsOptions& options) {
  return !options.graph.input.inputs.empty();
}

Status CheckSeeds(const SeedsOptions& options) {
  if (!HasGraph(options) && options.answers.empty() && options.given.empty())
    return Fail(ErrorCode::kUsage, "no source of seeds is given", {},
                "twinset seeds pick GRAPH... or --answers FILE or --add FILE");
  if (options.out.empty())
    return Fail(ErrorCode::kUsage, "the seeds need a folder", {},
                "add --out DIR");
  if (options.size == 0) return Fail(ErrorCode::kUsage, "0 seeds are no list");
  if (HasGraph(options)) return CheckRanks(options.ranks);
  if (options.ranks.trusted.empty()) return {};
  return Fail(ErrorCode::kUsage, "trusted pages are of a graph", {},
              "name the graph whose pages they are");
}

std::vector<std::string> InputsOf(const SeedsOptions& options) {
  std::vector<std::string> inputs = options.graph.input.inputs;
  if (!options.graph.nodes.empty()) inputs.push_back(options.graph.nodes);
  for (const auto* more : {&options.ranks.trusted, &options.answers,
                           &options.given, &options.blacklists, &options.spam})
    inputs.insert(inputs.end(), more->begin(), more->end());
  return inputs;
}

void Warn(uint64_t count, const std::string& of, SeedsResult* result) {
  if (count == 0) return;
  result->warnings.push_back(std::to_string(count) +
                             (count == 1 ? " line of " : " lines of ") + of);
}

void WarnOfLines(SeedsResult* result) {
  const SeedRanks ranks = result->ranks.value_or(SeedRanks());
  Warn(ranks.graph.garbage, "the graph without an arc", result);
  if (result->given)
    Warn(result->given->bad, "the given lists without an address", result);
  Warn(result->blacklist.bad, "the blacklist without a host", result);
  Warn(result->spam.bad, "the list of spam without a host", result);
  Warn(ranks.trusted.bad, "the trusted pages that cannot be read", result);
  Warn(ranks.trusted.unknown, "the trusted pages without a page of the graph",
       result);
  if (!ranks.converged)
    result->warnings.push_back("the ranks have not settled");
  if (!result->enough)
    result->warnings.push_back("the sources give only " +
                               std::to_string(result->seeds) +
                               (result->seeds == 1 ? " seed" : " seeds"));
}

// What the seeds are chosen from, read within the memory.
class Sources {
 public:
  explicit Sources(const SeedsOptions& options)
      : options_(options),
        memory_bytes_(MemoryOr(options.graph.memory_bytes)),
        spam_(options.spam_below),
        answers_(options.top, memory_bytes_ / 4, options.stop) {}

  Status Read(SeedsResult* result) {
    for (const std::string& path : options_.blacklists)
      TWINSET_TRY(ReadHosts(path, "blacklist", &blacklist_, &result->blacklist,
                            result));
    for (const std::string& path : options_.spam)
      TWINSET_TRY(ReadHosts(path, "spam", &spam_, &result->spam, result));
    TWINSET_TRY(ReadGiven(result));
    for (const std::string& path : options_.answers)
      TWINSET_TRY(ReadAnswers(path, result));
    if (!options_.answers.empty()) {
      proposals_.answers = &answers_;
      proposals_.returned = answers_.Ranked(result);
    }
    return HasGraph(options_) ? RankGraphPages(result) : Status();
  }

  const SeedProposals& proposals() const { return proposals_; }
  const HostList& blacklist() const { return blacklist_; }
  const HostList& spam() const { return spam_; }
  // For the addresses that are looked at.
  uint64_t choice_bytes() const { return memory_bytes_ / 8; }

 private:
  uint64_t lists_bytes() const {
    return blacklist_.bytes() + spam_.bytes() + given_bytes_;
  }
  uint64_t most_lists_bytes() const { return memory_bytes_ / 8; }

  // kMemory for a list with which the lists are too large.
  Status CheckLists(const std::string& path) const {
    if (lists_bytes() <= most_lists_bytes()) return {};
    return Fail(ErrorCode::kMemory,
                "the lists up to this one need more than an eighth of the "
                "memory",
                path, "raise --memory");
  }

  // kCorrupt for a list without an entry.
  Status ReadHosts(const std::string& path, const char* side, HostList* list,
                   HostListFacts* facts, SeedsResult* result) {
    SideRead read{side, path, "host"};
    const HostListFacts before = *facts;
    const size_t problems = result->problems.size();
    TWINSET_TRY(list->Read(path,
                           most_lists_bytes() - lists_bytes() + list->bytes(),
                           facts, &result->problems));
    TWINSET_TRY(CheckLists(path));
    read.records = facts->lines - before.lines;
    read.quarantined = facts->bad - before.bad;
    read.used = read.records - read.quarantined;
    if (result->problems.size() > problems)
      read.problem = result->problems[problems];
    return Took(std::move(read), result);
  }

  Status ReadAnswers(const std::string& path, SeedsResult* result) {
    SideRead read{"answers", path, "question"};
    const uint64_t before = result->answers ? result->answers->questions : 0;
    TWINSET_TRY(answers_.Read(path, result));
    read.records = read.used = result->answers->questions - before;
    return Took(std::move(read), result);
  }

  Status ReadGiven(SeedsResult* result) {
    if (!options_.given.empty()) result->given.emplace();
    for (const std::string& path : options_.given) {
      SideRead read{"given list", path, "address"};
      TWINSET_TRY(ForEachPageLine({path}, [&](const PageLine& line) -> Status {
        TakeGiven(line, &read, result);
        return CheckLists(path);
      }));
      TWINSET_TRY(Took(std::move(read), result));
    }
    return {};
  }

  void TakeGiven(const PageLine& line, SideRead* read, SeedsResult* result) {
    ++result->given->lines;
    ++read->records;
    if (line.problem.empty()) {
      ++read->used;
      given_bytes_ += line.name.size() + 48;
      proposals_.given.push_back(line.name);
      return;
    }
    ++result->given->bad;
    const std::string problem = line.where + ": " + line.problem;
    if (read->quarantined++ == 0) read->problem = problem;
    if (result->problems.size() < kMostProblems)
      result->problems.push_back(problem);
  }

  static Status Took(SideRead read, SeedsResult* result) {
    result->sides.push_back(std::move(read));
    return CheckSide(result->sides.back());
  }

  Status RankGraphPages(SeedsResult* result) {
    GraphOptions options = options_.graph;
    options.memory_bytes = memory_bytes_ / 2;
    options.on_progress = options_.on_progress;
    TWINSET_ASSIGN(graph_, LoadGraph(options));
    if (graph_.named.urls.empty() && !options.nodes.empty()) {
      return Fail(ErrorCode::kCorrupt, "the nodes name no page of the graph",
                  options.nodes, "lines are 'ID ADDRESS'");
    }
    if (graph_.named.urls.empty() && graph_.named.graph.nodes() > 0)
      return Fail(ErrorCode::kUsage,
                  "the graph names its pages by numbers, and a crawl begins at "
                  "addresses",
                  options.input.inputs.front(), "add --nodes FILE");
    SeedRanks& ranks = result->ranks.emplace();
    ranks.graph = graph_.facts;
    result->warnings = graph_.facts.warnings;
    SideRead read{"graph", "", "page"};
    read.records = read.used = graph_.named.graph.nodes();
    TWINSET_TRY(Took(std::move(read), result));
    ranks.method = options_.ranks.method;
    ranks.damping = options_.ranks.damping;
    TWINSET_ASSIGN(RankedPages pages, RankPages(graph_, options_.ranks));
    ranks.converged = pages.converged;
    ranks.trusted = std::move(pages.trusted);
    proposals_.graph = &graph_;
    proposals_.ranks = std::move(pages.values);
    return {};
  }

  const SeedsOptions& options_;
  uint64_t memory_bytes_, given_bytes_ = 0;
  HostList blacklist_, spam_;
  AnswerResults answers_;
  LoadedGraph graph_;
  SeedProposals proposals_;
};

// The rows of seeds and of what was left out, and the plain list.
Status WriteSeeds(const SeedsOptions& options, const Sources& sources,
                  SeedsResult* result) {
  const std::string out = options.out + "/";
  TWINSET_ASSIGN(LineList text, LineList::Create(out + kSeedsText));
  TWINSET_ASSIGN(OutputFile rows, OutputFile::Create(out + kSeedsRows));
  TWINSET_ASSIGN(OutputFile left, OutputFile::Create(out + kLeftOut));
  html::Table first = FirstSeeds();
  SeedChoice choice(options, sources.proposals(), sources.blacklist(),
                    sources.spam(), [&](const SeedVerdict& verdict) -> Status {
                      const std::string row =
                          SeedRow(verdict, sources.proposals(),
                                  options.ranks.method, result->seeds);
                      if (verdict.refusal) return left.Write(row);
                      AddFirstSeed(verdict, sources.proposals(),
                                   options.ranks.method, &first);
                      TWINSET_TRY(text.Add(verdict.address));
                      return rows.Write(row);
                    });
  TWINSET_TRY(choice.Run(sources.choice_bytes(), result));
  TWINSET_TRY(text.Commit());
  TWINSET_TRY(rows.Commit());
  TWINSET_TRY(left.Commit());
  WarnOfLines(result);
  result->page =
      ResultPage(SeedsPage(options, *result, std::move(first), choice.hosts()));
  TWINSET_TRY(WriteKeptPage(*result->page.kept(), options.out,
                            options.report ? kReport : ""));
  return WriteWholeFile(out + kSummary, SummaryJson(*result).dump(2) + "\n");
}

}  // namespace

Result<SeedsResult> v1::PickSeeds(const SeedsOptions& options) try {
  TWINSET_TRY(CheckSeeds(options));
  TWINSET_ASSIGN(
      ResultFolder folder,
      OpenResultFolder(OutRequest("seeds", options), InputsOf(options)));
  SeedsResult result;
  result.parameters = {options.size, options.per_host, options.top,
                       options.spam_below};
  Sources sources(options);
  TWINSET_TRY(sources.Read(&result));
  std::vector<std::string> files = {kSeedsText, kSeedsRows, kLeftOut, kSummary,
                                    KeptPage::kFileName};
  if (options.report) files.push_back(kReport);
  TWINSET_TRY(folder.Begin(files));
  TWINSET_TRY(RemoveUnless(WriteSeeds(options, sources, &result), &folder));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
