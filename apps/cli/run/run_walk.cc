// twinset walk.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/studies.h"
#include "cli/values.h"
#include "twinset/walk.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kWalkName = "walk";

std::string FactsText(const GraphFacts& facts) {
  std::string text = fmt::format("{} nodes, {} arcs\n", Grouped(facts.nodes),
                                 Grouped(facts.arcs));
  const auto note = [&text](uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("  {} {}\n", Grouped(count), what);
  };
  note(facts.self_loops, "links of pages to themselves left out");
  note(facts.repeated_arcs, "repeated links left out");
  note(facts.without_url, "documents without an address left out");
  note(facts.repeated_urls, "documents with an address that came before");
  note(facts.unresolved, "links that lead to no page of the web");
  note(facts.rejected, "records that are no documents");
  return text;
}

// What a user must not miss, on standard error.
void TellProblems(const GraphFacts& facts, bool keep_dangling) {
  if (facts.garbage > 0)
    Tell(kWalkName,
         fmt::format("{} lines are no arcs", Grouped(facts.garbage)));
  if (facts.dangling > 0 && facts.kind == GraphKind::kEdges && !keep_dangling) {
    Tell(kWalkName,
         fmt::format("{} arcs to ids that the node file lacks are left "
                     "out (--keep-dangling keeps them)",
                     Grouped(facts.dangling)));
  }
  if (facts.repeated_ids > 0)
    Tell(kWalkName, fmt::format("{} ids of the node file came before",
                                Grouped(facts.repeated_ids)));
  constexpr size_t kMost = 3;
  for (size_t i = 0; i < facts.problems.size() && i < kMost; ++i)
    Tell(kWalkName, Printable(facts.problems[i]));
}

void TellTrusted(const TrustedFacts& trusted) {
  const uint64_t lost = trusted.unknown + trusted.bad;
  if (lost == 0) return;
  Tell(kWalkName, fmt::format("{} of {} trusted pages are no page of the graph",
                              Grouped(lost), Grouped(trusted.lines)));
  constexpr size_t kMost = 3;
  for (size_t i = 0; i < trusted.problems.size() && i < kMost; ++i)
    Tell(kWalkName, Printable(trusted.problems[i]));
}

std::string LawText(std::string_view name, const DegreeLaw& law) {
  std::string text =
      fmt::format("{}: mean {:.2f}, most {}, none on {} pages", name, law.mean,
                  Grouped(law.most), Grouped(law.zero));
  if (law.fitted) {
    text += fmt::format(
        "\n  power law from {}: exponent {:.2f} over {} "
        "pages, KS {:.3f}",
        law.least, law.exponent, Grouped(law.tail), law.ks);
  }
  return text + "\n";
}

int Structure(const Request& request, const GraphOptions& graph) {
  const auto structure = MeasureGraph(graph);
  if (!structure) return TellError(kWalkName, structure.error());
  Output out;
  if (request.json) {
    out.Line(structure->json);
  } else {
    out.Write(FactsText(structure->facts));
    for (const auto& [part, size] : structure->parts) {
      const uint64_t nodes = structure->facts.nodes;
      out.Line(fmt::format("{:<9} {:>12}  {:5.1f} %", part, Grouped(size),
                           nodes == 0 ? 0
                                      : 100 * static_cast<double>(size) /
                                            static_cast<double>(nodes)));
    }
    out.Line(fmt::format(
        "{} strong components, {} weak ones, the largest of {} pages",
        Grouped(structure->strong_components),
        Grouped(structure->weak_components), Grouped(structure->largest_weak)));
    out.Write(LawText("in-degree", structure->in));
    out.Write(LawText("out-degree", structure->out));
    if (structure->spectral_gap >= 0) {
      out.Line(fmt::format("spectral gap of the walk both ways: {:.2e}{}",
                           structure->spectral_gap,
                           structure->gap_converged ? "" : " (roughly)"));
    }
  }
  TellProblems(structure->facts, graph.keep_dangling);
  return out.Finish(kWalkName);
}

int Rank(const Request& request, const GraphOptions& graph) {
  RankOptions options = request.study->rank;
  options.method = *request.study->walk_rank;
  options.graph = graph;
  options.damping = request.study->walk.damping;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  const auto summary = RankGraph(options);
  if (!summary) return TellError(kWalkName, summary.error());
  Output out;
  if (request.json) {
    out.Line(summary->json);
  } else if (!request.quiet) {
    out.Write(FactsText(summary->facts));
    out.Line(fmt::format("{} in {} rounds{}", ChoiceName(summary->method),
                         summary->rounds,
                         summary->converged ? "" : "; not converged"));
    out.Line(
        fmt::format("next: twinset dedup INPUT... --fields {} --keep "
                    "max:{} --out DIR",
                    ShellQuoted(options.out), ChoiceName(summary->method)));
  }
  TellProblems(summary->facts, graph.keep_dangling);
  TellTrusted(summary->trusted);
  if (!summary->converged)
    Tell(kWalkName, "the ranks have not settled; raise --tolerance");
  return out.Finish(kWalkName);
}

std::string WalkText(const WalkSummary& walk) {
  std::string text = fmt::format(
      "{} visits to {} pages; the links of {} pages were asked for\n"
      "{} rows of {} chain{}; R-hat {:.3f}\n"
      "{:.1f} % of the second half is on pages that the first had not seen; "
      "{:.1f} % on pages visited once\n",
      Grouped(walk.visits), Grouped(walk.distinct), Grouped(walk.pages_asked),
      Grouped(walk.rows), walk.chains, walk.chains == 1 ? "" : "s", walk.r_hat,
      100 * walk.unseen, 100 * walk.good_turing);
  // A walk that has not seen enough cannot know what it is worth.
  text += walk.no_interval.empty()
              ? fmt::format("worth about {:.0f} independent draws\n",
                            walk.effective_size)
              : fmt::format("no intervals: {}\n", walk.no_interval);
  if (walk.reachable > 0) {
    text += fmt::format(
        "{} of {} pages can be reached; total variation from uniform {:.4f} "
        "(independent draws: {:.4f}), KS of the in-degree {:.4f}\n",
        Grouped(walk.reachable), Grouped(walk.facts.nodes),
        walk.total_variation, walk.total_variation_floor, walk.ks_in_degree);
  }
  return text;
}

int Walk(const Request& request, const GraphOptions& graph) {
  WalkOptions options = request.study->walk;
  options.fetching = request.study->fetching;
  options.graph = graph;
  options.seed = request.options.method.seed;
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.report = request.options.report;
  const StopOnSignal stop;  // nothing is written then
  options.stop = stop.flag();
  const auto walk = WalkWeb(options);
  if (!walk) return TellErrorOrStop(kWalkName, walk.error(), stop.signal());
  Output out;
  if (request.json) {
    out.Line(walk->json);
  } else if (!request.quiet) {
    if (walk->facts.kind != GraphKind::kLive) out.Write(FactsText(walk->facts));
    out.Write(WalkText(*walk));
    out.Line(
        fmt::format("next: twinset estimate mean {}/sample.jsonl --of "
                    "depth",
                    ShellQuoted(options.out)));
  }
  TellProblems(walk->facts, graph.keep_dangling);
  if (!walk->stopped.empty())
    Tell(kWalkName, "the walk ended early: " + Printable(walk->stopped));
  for (const std::string& warning : walk->warnings)
    Tell(kWalkName, Printable(warning));
  return out.Finish(kWalkName);
}

}  // namespace

int RunWalk(const Request& request) {
  if (request.operands.empty()) {
    return TellError(kWalkName, {ErrorCode::kUsage,
                                 "no graph is given",
                                 {},
                                 "twinset walk GRAPH... --out DIR"});
  }
  GraphOptions graph = request.study->walk.graph;
  graph.input = request.options.input;
  graph.input.inputs = request.operands;
  graph.features = request.options.features;
  graph.memory_bytes = request.options.resources.memory_bytes;
  if (!request.study->walk_rank && !request.study->rank.trusted.empty()) {
    return TellError(kWalkName, {ErrorCode::kUsage,
                                 "trusted pages are of trustrank only",
                                 {},
                                 "give --rank trustrank"});
  }
  if (request.study->walk_structure) return Structure(request, graph);
  if (request.study->walk_rank) return Rank(request, graph);
  return Walk(request, graph);
}

}  // namespace twinset::cli
