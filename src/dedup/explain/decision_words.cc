#include "explain/decision_words.h"

#include <vector>

#include "options/parameters.h"
#include "pipeline/report/run_reading.h"
#include "report/html_blocks.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string Quoted(const std::string& id) { return "'" + NameText(id) + "'"; }

// "0.938 alike", "a copy by its bytes".
std::string HowAlike(const DocumentDecision& decision,
                     const DecisionFacts& facts) {
  if (facts.level == "bytes") return "the same bytes";
  if (facts.level == "text") return "the same text";
  if (facts.level == "tokens") return "the same words";
  return FixedText(decision.similarity.value_or(0), 3) + " alike";
}

// Returns true iff the method of the run finds equal documents.
bool FindsCopies(const PlanOptions& run) {
  for (const MethodInfo& method : Methods())
    if (method.name == run.method.name) return Reads(method, "level");
  return false;
}

// "at least 0.8 alike", or what equal copies are.
std::string Limit(const PlanOptions& run) {
  if (FindsCopies(run)) return "equal";
  return "at least " + html::Cell::Rounded(run.method.threshold).text +
         " alike";
}

// How sure it is that nothing else is like the document.
std::string Chance(const Json& summary) {
  const Json& recall = summary["expected_recall"];
  if (recall["complete"] == true) return "";
  if (!recall["at_threshold"].is_number())
    return " that the method proposed for comparison";
  return " among those that the method compared (it finds about " +
         PercentText(recall["at_threshold"].get<double>()) +
         " of the pairs at the threshold)";
}

std::string LossText(const PlanOptions& run) {
  return "--max-loss " + html::Cell::Rounded(run.max_loss).text;
}

std::string OfKept(const DocumentDecision& decision, const DecisionFacts& facts,
                   const Json& summary, const PlanOptions& run) {
  const std::string id = Quoted(decision.id);
  if (facts.is_empty)
    return id + " was kept: it has no text that could be compared.";
  if (facts.is_match) {
    if (decision.other.empty()) {
      return id + " was kept: no document of the second side is " + Limit(run) +
             " to it" + Chance(summary) + ".";
    }
    if (facts.is_unmatched) {
      return id + " was kept: " + CountText(decision.pairs, "document") +
             " of the second side " + (decision.pairs == 1 ? "is " : "are ") +
             Limit(run) + " to it, but " +
             (decision.pairs == 1 ? "lacks" : "each lacks") +
             " more of its shingles than " + LossText(run) + " allows.";
    }
    return id + " was kept, as --action " +
           std::string(ChoiceName(run.action)) +
           " drops nothing: " + Quoted(decision.other) +
           " of the second side and it are " + HowAlike(decision, facts) + ".";
  }
  if (decision.cluster_size > 1 && facts.is_representative) {
    const uint64_t others = decision.cluster_size - 1;
    return id + " was kept: it stays for " +
           CountText(others, "other document") +
           (others == 1 ? ", " : ", the most similar of which is ") +
           Quoted(decision.other) + ", " + HowAlike(decision, facts) + ".";
  }
  if (decision.cluster_size > 1) {
    return id + " was kept, as --action " +
           std::string(ChoiceName(run.action)) +
           " drops nothing: it is in the cluster of " + Quoted(decision.other) +
           ", " + HowAlike(decision, facts) + ".";
  }
  if (decision.pairs > 0) {
    return id + " was kept: " + CountText(decision.pairs, "document") +
           (decision.pairs == 1 ? " is " : " are ") + Limit(run) +
           " to it, and joined others that they are more like" +
           (run.max_loss < 1
                ? ", or " + LossText(run) + " lets neither go for the other"
                : "") +
           ".";
  }
  return id + " was kept: no other document of the run is " + Limit(run) +
         " to it" + Chance(summary) + ".";
}

std::string WhatStays(const DocumentDecision& decision) {
  if (!decision.contained) return {};
  if (*decision.contained >= 1)
    return " All of its shingles are in that document.";
  return " That document has " + PercentText(*decision.contained) +
         " of its shingles.";
}

std::string OfDropped(const DocumentDecision& decision,
                      const DecisionFacts& facts, const PlanOptions& run) {
  const std::string id = Quoted(decision.id);
  if (!facts.is_match && run.action == Action::kDropAll) {
    return id + " was dropped: it is in a cluster of " +
           CountText(decision.cluster_size, "document") +
           ", and --action drop-all keeps none that has a copy.";
  }
  if (decision.other.empty()) return id + " was dropped.";
  return id + " was dropped: it and " + Quoted(decision.other) +
         (facts.is_match ? " of the second side are " : ", which stays, are ") +
         HowAlike(decision, facts) + "." + WhatStays(decision);
}

}  // namespace

std::string SentenceOf(const DocumentDecision& decision,
                       const DecisionFacts& facts, const Json& summary,
                       const PlanOptions& run) {
  const std::string id = Quoted(decision.id);
  switch (decision.fate) {
    case Fate::kKept:
      return OfKept(decision, facts, summary, run);
    case Fate::kDropped:
      return OfDropped(decision, facts, run);
    case Fate::kCompared:
      return id + " is of the second side, of which nothing is dropped: " +
             CountText(decision.pairs, "document") + " of the first " +
             (decision.pairs == 1 ? "is " : "are ") + Limit(run) + " to it.";
    case Fate::kQuarantined:
      return id + " could not be used: " + facts.reason +
             (facts.detail.empty() ? "" : ", " + facts.detail) + ".";
    case Fate::kRevisit:
      return id +
             " is a revisit record, which refers to another one and holds no "
             "text of its own.";
  }
  return {};
}

std::string RuleOfRun(const Json& summary, const PlanOptions& run) {
  const std::string measured = std::string(ChoiceName(run.method.measure)) +
                               " measure over " + run.features.shingle +
                               " shingles";
  std::string text = "Two documents are a pair when they are " + Limit(run) +
                     ", by the " + measured + ".";
  if (FindsCopies(run)) {
    text = "Two documents are a pair when they have the same " +
           std::string(ChoiceName(run.method.level)) + ".";
  }
  if (!run.method.verify) text += " The similarities are estimates.";
  const std::string loss =
      run.max_loss >= 1
          ? ""
          : " no more of its shingles than " + LossText(run) + " allows";
  if (IsMatch(summary)) {
    return text +
           (run.action == Action::kDrop
                ? " A document of the first side that is in a pair" +
                      (loss.empty() ? "" : " with one that lacks" + loss) +
                      " is dropped."
                : " Nothing is dropped.");
  }
  std::string order = "--keep " + Joined(run.keep);
  if (!run.prefer.empty())
    order = "--prefer " + Joined(run.prefer) + " and then " + order;
  if (run.cluster == ClusterRule::kStar) {
    text += " Documents are visited in the order of " + order +
            "; each joins the most similar one that is visited earlier and "
            "stays" +
            (loss.empty() ? "" : ", of those that lack" + loss) +
            ", and stays itself where there is none.";
  } else {
    text +=
        " Documents that are linked by pairs, also over others, are one "
        "cluster, of which the first one by " +
        order + " stays.";
  }
  if (run.action == Action::kDropAll) text += " None of a cluster is kept.";
  if (run.action != Action::kDrop && run.action != Action::kDropAll)
    text += " Nothing is dropped.";
  return text;
}

std::string NoTexts(const Error& error) {
  const std::string why =
      error.message.empty()
          ? "The inputs do not hold both documents any more"
          : "The inputs could not be read again: " +
                (error.where.empty() ? "" : error.where + ": ") + error.message;
  // A store that may not be asked is there; what helps is to name its network.
  if (error.code == ErrorCode::kUsage && !error.remedy.empty())
    return why + " (" + error.remedy + ").";
  return why + ". --in INPUT says where they are now.";
}

std::string PartCompared(double whole) {
  return "The run compared less than the whole texts (it leaves out what "
         "repeats on the pages of a site, and what --max-df and --ignore say); "
         "as a whole they are " +
         FixedText(whole, 3) + " alike.";
}

}  // namespace twinset
