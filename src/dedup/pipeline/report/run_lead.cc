// What a run found, in a sentence and four numbers.
#include <string>

#include "pipeline/report/run_page.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

using html::Cell;

// Below it a threshold that no pair was compared with says nothing: presets
// whose sketches alone decide have one.
constexpr double kLeastTold = .01;

// "at least 80 % alike"
std::string HowAlike(const RunStory& story) {
  return (story.threshold() < 1 ? "at least " : "") +
         PercentText(story.threshold()) + " alike";
}

// "are at least 80 % alike to"
std::string AlikeTo(const RunStory& story, bool one) {
  if (!story.is_exact) {
    const bool verified = story.options.method.verify;
    if (!verified && story.threshold() < kLeastTold)
      return one ? "has a sketch that agrees with that of"
                 : "have sketches that agree with that of";
    return std::string(one ? "is " : "are ") +
           (verified ? "" : "by estimate ") + HowAlike(story) + " to";
  }
  switch (story.options.method.level) {
    case CopyLevel::kBytes:
      return one ? "has the bytes of" : "have the bytes of";
    case CopyLevel::kText:
      return one ? "has the text of" : "have the text of";
    case CopyLevel::kTokens:
      break;
  }
  return one ? "has the words of" : "have the words of";
}

// How far the pairs can be relied on.
std::string Promise(const RunStory& story) {
  if (story.is_exact) return "Nothing was left to chance.";
  if (!story.options.method.verify)
    return "The similarities are estimates: no pair was compared exactly.";
  const Json& recall = story.summary["expected_recall"];
  if (recall["complete"] == true)
    return "Every pair was compared exactly, and none was missed.";
  std::string text = "Every pair was compared exactly";
  if (recall["at_threshold"].is_number())
    return text + "; of the pairs that are just so alike about " +
           PercentText(recall["at_threshold"].get<double>()) +
           " are found, and more of those that are more alike.";
  return text + "; how many the method missed is not known.";
}

// Members of a component may be less alike to the one that stays than any of
// its pairs; what is equal to the next is equal to all.
bool IsLinked(const RunStory& story) {
  return !story.is_exact && story.options.cluster == ClusterRule::kComponents;
}

std::string LinkingPairs(const RunStory& story) {
  if (story.options.method.verify) return "pairs " + HowAlike(story);
  return story.threshold() < kLeastTold
             ? "pairs whose sketches agree"
             : "pairs by estimate " + HowAlike(story);
}

// What the dropped documents have to do with those that stay.
std::string BoundTo(const RunStory& story, uint64_t dropped, uint64_t kept) {
  const std::string stays =
      kept == 1 ? "the one that stays"
                : "one of the " + NumberText(kept) + " that stay";
  if (!IsLinked(story)) return AlikeTo(story, dropped == 1) + " " + stays;
  return std::string(dropped == 1 ? "is" : "are") + " linked to " + stays +
         " by " + LinkingPairs(story);
}

html::Lead DocumentsLead(const RunStory& story) {
  const Json& documents = story.summary["documents"];
  const uint64_t all = CountIn(documents, "read"),
                 dropped = CountIn(documents, "dropped"),
                 kept = CountIn(documents, "kept");
  const uint64_t clusters = story.summary["clusters"].get<uint64_t>();
  if (all == 0)
    return {"There was nothing to compare.", "The inputs hold no document."};
  const std::string of_all = "Of " + CountText(all, "document") + ", ";
  if (clusters == 0) {
    return {"No document is a duplicate of another.",
            of_all + "none " +
                (story.is_exact ? "equals" : AlikeTo(story, true)) +
                " another. " + Promise(story)};
  }
  if (dropped == 0) {
    return {"Nothing was dropped, but there are duplicates.",
            "Among " + CountText(all, "document") +
                std::string(clusters == 1 ? " is " : " are ") +
                CountText(clusters, "cluster") + " whose members " +
                (IsLinked(story) ? "are linked by " + LinkingPairs(story)
                                 : AlikeTo(story, false) + " one of them") +
                ". " + Promise(story)};
  }
  if (story.options.action == Action::kDropAll) {
    return {ShareInWords(dropped, all) + " of the documents can go.",
            of_all + NumberText(dropped) + (dropped == 1 ? " is" : " are") +
                " in one of " + CountText(clusters, "cluster") +
                " of duplicates, of which none stays; " + NumberText(kept) +
                (kept == 1 ? " is" : " are") + " left. " + Promise(story)};
  }
  return {ShareInWords(dropped, all) + " of the documents can go.",
          of_all + NumberText(dropped) + " " + BoundTo(story, dropped, kept) +
              ". " + Promise(story)};
}

// What --max-loss asks of the other document of a match: "that has at least 95
// % of its shingles". Equal documents have all.
std::string ThatHasEnough(const RunStory& story, bool one) {
  const double max_loss = story.options.max_loss;
  if (max_loss >= 1 || story.is_exact) return {};
  return " that has " +
         (max_loss > 0 ? "at least " + PercentText(1 - max_loss) : "all") +
         " of " + (one ? "its" : "their") + " shingles";
}

html::Lead MatchLead(const RunStory& story) {
  const Json& documents = story.summary["documents"];
  const uint64_t a = CountIn(documents, "a"), b = CountIn(documents, "b"),
                 matched = CountIn(documents, "matched");
  const std::string of_a = "document of " + SideName(story, 0),
                    of_b = "a document of " + SideName(story, 1) +
                           ThatHasEnough(story, matched == 0);
  const bool is_one = matched == 1;
  std::string how = AlikeTo(story, matched == 0) + " ";
  if (story.is_containment) {
    how = std::string(matched == 0 ? "has " : "have ") +
          (story.threshold() >= 1
               ? "all of "
               : "at least " + PercentText(story.threshold()) + " of ") +
          (matched == 0 ? "its" : "their") + " text in ";
  }
  if (matched == 0) {
    return {"No " + of_a + " " + how + of_b + ".",
            CountText(a, "document") + " of the first were compared with " +
                NumberText(b) + " of the second. " + Promise(story)};
  }
  return {ShareInWords(matched, a) + " of the documents of " +
              SideName(story, 0) + " " + how + of_b + ".",
          NumberText(matched) + " of " + CountText(a, "document") +
              (is_one ? " is" : " are") +
              " found there. They were compared with " +
              CountText(b, "document") + ". " + Promise(story)};
}

// As ShareInWords, of what is no number of things.
std::string AmountInWords(uint64_t part, uint64_t whole) {
  const std::string words = ShareInWords(part, whole);
  return words == "A few"      ? "A little"
         : words == "Very few" ? "Very little"
                               : words;
}

html::Lead UnitsLead(const RunStory& story) {
  const Json &documents = story.summary["documents"],
             &units = story.summary["units"];
  const uint64_t repeated = CountIn(units, "repeated");
  const std::string unit(ChoiceName(story.options.unit));
  if (repeated == 0) {
    return {"No " + unit + " stands twice.",
            CountText(CountIn(units, "considered"), unit) + " of " +
                CountText(CountIn(documents, "read"), "document") +
                " were compared exactly."};
  }
  const uint64_t tokens = CountIn(story.summary["text"], "tokens"),
                 cut = CountIn(units, "tokens_cut");
  const std::string how =
      CountText(repeated, unit) + (repeated == 1 ? " stands" : " stand") +
      " more than once, in " +
      CountText(CountIn(units, "occurrences"), "place") + ".";
  if (cut == 0)
    return {"Some of the text is repeated.", how + " Nothing was cut."};
  return {AmountInWords(cut, tokens) + " of the text is repeated and was cut.",
          how + " " + CountText(CountIn(documents, "cut"), "document") +
              " of " + NumberText(CountIn(documents, "read")) + " lose " +
              CountText(cut, "token") + " of " + NumberText(tokens) + "."};
}

std::string Of(uint64_t all) { return "of " + NumberText(all); }

std::string NameOf(const RunSide& side) {
  const auto name = [](std::string_view text) { return Shortened(text, 100); };
  if (side.inputs == 1) return name(side.first);
  // The folder that was given; those below it have no name of their own.
  if (!side.folder.empty())
    return name(side.folder.substr(0, side.folder.find('/')));
  if (side.inputs == 2) return name(side.first) + " and " + name(side.second);
  return name(side.first) + " and " + CountText(side.inputs - 1, "more input");
}

}  // namespace

std::string SideName(const RunStory& story, size_t side) {
  if (story.sides[side].inputs == 0)
    return side == 0 ? "the first collection" : "the second collection";
  const std::string name = NameOf(story.sides[side]);
  // Each side has names of its own.
  const RunSide& other = story.sides[1 - side];
  if (other.inputs == 0 || NameOf(other) != name) return name;
  return name + (side == 0 ? " (first)" : " (second)");
}

std::string EqualInWords(const RunStory& story) {
  switch (story.options.method.level) {
    case CopyLevel::kBytes:
      return "the same bytes";
    case CopyLevel::kText:
      return "the same text";
    case CopyLevel::kTokens:
      break;
  }
  return "the same words";
}

html::Lead RunLead(const RunStory& story) {
  return story.kind == RunStory::kMatch   ? MatchLead(story)
         : story.kind == RunStory::kUnits ? UnitsLead(story)
                                          : DocumentsLead(story);
}

void AddRunLead(const RunStory& story, KeptPage* page) {
  page->Add(RunLead(story));
  if (story.summary["complete"] == false) {
    page->Add(html::Warning{
        "The run is not complete. An input could not be read to its end, or "
        "no record could be used."});
  }
  for (const char* list : {"warnings", "notices"}) {
    for (const Json& line : story.summary[list])
      page->Add(html::Warning{Shortened(line.get<std::string>(), 300)});
  }
}

void AddRunFacts(const RunStory& story, KeptPage* page) {
  const Json &documents = story.summary["documents"],
             &units = story.summary["units"];
  const auto share = [](uint64_t part, uint64_t whole) {
    return ShareText(part, whole);
  };
  html::Facts facts;
  if (story.kind == RunStory::kMatch) {
    const uint64_t a = CountIn(documents, "a"),
                   matched = CountIn(documents, "matched");
    facts.facts = {
        {"found in the second", NumberText(matched), Of(a)},
        {"dropped from the first", NumberText(CountIn(documents, "dropped")),
         share(CountIn(documents, "dropped"), a)},
        {"pairs", NumberText(story.summary["pairs"].get<uint64_t>()),
         NumberText(story.counts.equal) +
             (story.is_containment ? " with all of the first" : " equal")}};
    if (story.is_containment) {
      facts.facts.push_back(
          {"copied passages",
           NumberText(story.summary["passages"].get<uint64_t>()), ""});
    } else {
      facts.facts.push_back(
          {"documents of the second", NumberText(CountIn(documents, "b")), ""});
    }
  } else if (story.kind == RunStory::kUnits) {
    const uint64_t tokens = CountIn(story.summary["text"], "tokens");
    const std::string unit(ChoiceName(story.options.unit));
    facts.facts = {
        {"repeated " + unit + "s", NumberText(CountIn(units, "repeated")),
         units.contains("distinct")
             ? Of(CountIn(units, "distinct")) + " different"
             : ""},
        {"places", NumberText(CountIn(units, "occurrences")), ""},
        {"documents cut", NumberText(CountIn(documents, "cut")),
         Of(CountIn(documents, "read"))},
        {"tokens cut", NumberText(CountIn(units, "tokens_cut")),
         share(CountIn(units, "tokens_cut"), tokens)}};
  } else {
    const uint64_t all = CountIn(documents, "read");
    uint64_t largest = 0;
    for (const ShownCluster& cluster : story.clusters)
      largest = std::max(largest, cluster.size);
    const Json& pairs = story.summary["pairs"];
    const uint64_t implied = CountIn(pairs, "implied");
    facts.facts = {
        {"documents kept", NumberText(CountIn(documents, "kept")), Of(all)},
        {"documents dropped", NumberText(CountIn(documents, "dropped")),
         share(CountIn(documents, "dropped"), all)},
        {"clusters", NumberText(story.summary["clusters"].get<uint64_t>()),
         largest == 0 ? "" : "largest: " + CountText(largest, "document")},
        {"pairs listed", NumberText(CountIn(pairs, "written")),
         implied > 0 ? NumberText(implied) + " more follow from them"
                     : NumberText(story.counts.equal) + " equal"}};
    const Json& dropped = story.summary["dropped"];
    const uint64_t bytes = CountIn(dropped, "payload_bytes"),
                   tokens = CountIn(dropped, "tokens");
    if (bytes > 0) {
      std::string below =
          share(bytes, CountIn(story.summary["text"], "payload_bytes"));
      if (tokens > 0) below += ", " + CountText(tokens, "token");
      facts.facts.push_back({"text dropped", BytesText(bytes), below});
    }
  }
  page->Add(facts);
}

}  // namespace twinset
