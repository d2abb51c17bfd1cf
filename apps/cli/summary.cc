#include "summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain_command.h"
#include "output.h"
#include "twinset/json.h"
#include "twinset/methods.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

std::string Row(std::string_view head, std::string_view text) {
  return fmt::format("  {:<12} {}\n", head, text);
}

}  // namespace

std::string PlaceRows(const FlagOptions& options) {
  std::string text = Row("results", NameText(options.out));
  if (options.report)
    text += Row("report", NameText(options.out + "/report.html"));
  if (!options.write.empty()) text += Row("written", NameText(options.write));
  if (!options.save.empty()) text += Row("saved", NameText(options.save));
  return text;
}

namespace {

// About what fits a line after its head.
constexpr size_t kLineBytes = 64;

const Json& Member(const Json& object, const char* name) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

// A count, or the number of things in a list; 0 for anything else.
uint64_t CountOf(const Json& value) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  return value.is_array() ? value.size() : 0;
}

// "8: type 5, status 3", the most frequent reason first.
std::string SkippedText(uint64_t skipped, const Json& reasons) {
  std::vector<std::pair<uint64_t, std::string>> sorted;
  if (reasons.is_object())
    for (const auto& [reason, count] : reasons.items())
      if (CountOf(count) > 0) sorted.emplace_back(CountOf(count), reason);
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = NumberText(skipped);
  for (size_t i = 0; i < sorted.size() && i < 4; ++i)
    text +=
        fmt::format("{}{} {}", i == 0 ? ": " : ", ",
                    Printable(sorted[i].second), NumberText(sorted[i].first));
  return text;
}

std::string ClusterText(const DedupSummary& summary, const Json& json) {
  std::string text = NumberText(summary.clusters);
  const Json& classes = Member(json, "classes");
  const uint64_t equal =
      std::max(CountOf(classes), std::max(CountOf(Member(classes, "classes")),
                                          CountOf(Member(classes, "count"))));
  const uint64_t copies =
      std::max(CountOf(Member(classes, "copies")),
               CountOf(Member(Member(json, "documents"), "copies")));
  if (copies > 0)
    text += fmt::format(
        " ({} of the documents are copies: every shingle is that of another)",
        NumberText(copies));
  else if (equal > 0)
    text += fmt::format(" ({} of documents with the same shingles)",
                        CountText(equal, "class", "classes"));
  return text;
}

// Says for which clusters not every pair is listed.
std::string LargeClusterText(const Json& json) {
  const Json& large = Member(Member(json, "pairs"), "large_clusters");
  const uint64_t count = CountOf(Member(large, "count"));
  if (count == 0) return {};
  return fmt::format(
      "of {} ({} different documents) only pairs with the representative; "
      "--pairs all lists every one",
      CountText(count, "very large cluster", "very large clusters"),
      NumberText(CountOf(Member(large, "documents"))));
}

std::string LargestText(const Json& json) {
  const Json& largest = Member(json, "largest_clusters");
  if (!largest.is_array() || largest.empty()) return {};
  const Json& first = largest[0];
  std::string text =
      CountText(CountOf(Member(first, "size")), "document", "documents");
  const Json& samples = Member(first, "samples");
  if (!samples.is_array()) return text;
  size_t shown = 0;
  for (const Json& sample : samples) {
    const Json& id = sample.is_object() ? Member(sample, "id") : sample;
    if (!id.is_string()) continue;
    const std::string name = Printable(id.get<std::string>());
    if (shown > 0 && text.size() + name.size() > kLineBytes) break;
    text += fmt::format("{}{}", shown++ == 0 ? ", such as " : ", ", name);
  }
  return text;
}

// Where sketches would save a good part of the run.
std::string SketchText(const Json& json) {
  constexpr double kWorthwhile = .8, kLeastSeconds = 2;
  const Json& run = Member(json, "run");
  const Json& sketches = Member(run, "by_sketches");
  const Json& whole = Member(run, "seconds");
  if (!sketches.is_object() || !whole.is_number()) return {};
  const Json& taken = Member(sketches, "seconds");
  const Json& recall = Member(sketches, "recall_at_threshold");
  const Json& method = Member(sketches, "method");
  if (!taken.is_number() || !recall.is_number() || !method.is_string())
    return {};
  const double all = whole.get<double>(), less = taken.get<double>();
  if (all < kLeastSeconds || less > kWorthwhile * all) return {};
  return fmt::format(
      "--method {} would take about {:.0f} % less time and find {:.1f} % of "
      "the pairs at the threshold",
      method.get<std::string>(), 100 * (1 - less / all),
      100 * recall.get<double>());
}

// How much text goes with the dropped documents.
std::string SavedText(const Json& json) {
  const Json &dropped = Member(json, "dropped"), &text = Member(json, "text");
  const uint64_t bytes = CountOf(Member(dropped, "payload_bytes")),
                 tokens = CountOf(Member(dropped, "tokens"));
  if (bytes == 0) return {};
  std::string line =
      fmt::format("with {} ({})", BytesText(bytes),
                  ShareText(bytes, CountOf(Member(text, "payload_bytes"))));
  if (tokens > 0)
    line += fmt::format(" and {} ({})", CountText(tokens, "token"),
                        ShareText(tokens, CountOf(Member(text, "tokens"))));
  return line;
}

// What would be lost with the duplicates, when anything is.
std::string LostText(const Json& json) {
  const Json& contained = Member(json, "contained");
  const Json& least = Member(contained, "least");
  if (!least.is_number() || least.get<double>() >= 1) return {};
  return fmt::format(
      "the document that stays has at least {} of the shingles of each",
      PercentText(least.get<double>()));
}

// The source that lost the largest share of its documents, when there are
// several.
std::string SourceText(const Json& json) {
  const Json& sources = Member(json, "sources");
  if (!sources.is_array() || sources.size() < 2) return {};
  const Json* most = nullptr;
  double most_share = 0;
  for (const Json& source : sources) {
    const auto kept = static_cast<double>(CountOf(Member(source, "kept")));
    const auto dropped =
        static_cast<double>(CountOf(Member(source, "dropped")));
    if (dropped == 0 || dropped / (kept + dropped) <= most_share) continue;
    most_share = dropped / (kept + dropped);
    most = &source;
  }
  if (most == nullptr || !Member(*most, "source").is_string()) return {};
  const uint64_t dropped = CountOf(Member(*most, "dropped"));
  return fmt::format(
      "{} loses most: {} ({})",
      Printable(Member(*most, "source").get<std::string>()),
      NumberText(dropped),
      ShareText(dropped, dropped + CountOf(Member(*most, "kept"))));
}

// "3 times: "text"" of the unit that stands most often.
std::string MostFrequentText(const Json& json) {
  const Json& most = Member(json, "most_frequent");
  if (!most.is_array() || most.empty()) return {};
  const Json& text = Member(most[0], "text");
  if (!text.is_string()) return {};
  std::string shown = text.get<std::string>();
  for (const char space : {'\n', '\r', '\t'})
    std::replace(shown.begin(), shown.end(), space, ' ');
  shown = Printable(shown);
  if (shown.size() > kLineBytes) {
    size_t end = kLineBytes;
    while (end > 0 && (shown[end] & 0xC0) == 0x80) --end;
    shown = shown.substr(0, end) + "...";
  }
  return fmt::format("{} times: {}",
                     NumberText(CountOf(Member(most[0], "count"))), shown);
}

// What a run over units found, row by row.
std::string UnitRows(const Request& request, const CutSummary& summary,
                     const Json& json) {
  const FlagOptions& options = request.options;
  const Json& units = Member(json, "units");
  const Json& documents = Member(json, "documents");
  const auto count = [&](const char* name) {
    return CountOf(Member(units, name));
  };
  const std::string unit(ChoiceName(options.unit));
  const bool substrings = options.unit == UnitKind::kSubstring;
  const std::string least = CountText(LeastTokens(options), "token", "tokens");
  const bool windows = substrings || options.unit_window > 1;
  std::string text = Row(
      unit + "s",
      fmt::format("{}{}, {} of {}{}", NumberText(count("read")),
                  substrings ? " tokens" : "",
                  NumberText(count("considered")) + (windows ? " windows" : ""),
                  substrings ? "" : "at least ", least));
  text += Row("repeated",
              fmt::format("{} different, in {}", NumberText(count("repeated")),
                          CountText(count("occurrences"), "place", "places")));
  const std::string most = MostFrequentText(json);
  if (!most.empty()) text += Row("most often", most);
  if (options.unit_action != UnitAction::kList) {
    const uint64_t tokens = CountOf(Member(Member(json, "text"), "tokens"));
    text += Row("cut", fmt::format("{}, {} of the tokens, in {}",
                                   NumberText(count("cut")),
                                   ShareText(count("tokens_cut"), tokens),
                                   CountText(CountOf(Member(documents, "cut")),
                                             "document", "documents")));
  }
  if (const uint64_t left = CountOf(Member(documents, "left_empty")); left > 0)
    text +=
        Row("left empty", fmt::format("{}, see {}", NumberText(left),
                                      NameText(options.out + "/empty.txt")));
  text += PlaceRows(options);
  if (summary.documents > 0 && count("repeated") == 0)
    text += fmt::format("\nNo {} stands twice. Try {}a lower --min-tokens.\n",
                        substrings ? "passage of " + least : unit,
                        substrings ? "" : "a smaller unit, or ");
  return text;
}

// False of methods that find copies only: to them nothing is similar.
bool HasThreshold(const std::string& method) {
  const std::vector<std::string> methods = MethodsReading("threshold");
  return method.empty() ||
         std::find(methods.begin(), methods.end(), method) != methods.end();
}

// Where there is no pair: why, as far as it shows, and what may help.
std::string AdviceText(const Request& request, const DedupSummary& summary) {
  const FlagOptions& options = request.options;
  const uint64_t compared = summary.documents - summary.empty;
  if (compared == 0)
    return "No document has a word to compare. 'twinset text INPUT' shows what "
           "is read; --content all takes all of a page.\n";
  if (compared == 1)
    return "One document has words, so there is nothing to compare it with.\n";
  if (summary.quarantined > summary.documents)
    return fmt::format(
        "Most records could not be used: {}/quarantine.jsonl says why.\n",
        NameText(options.out));
  std::string scope;
  if (!options.within.empty()) scope = "--within " + options.within;
  if (!options.across.empty()) scope = "--across " + options.across;
  if (!options.window.empty()) scope = "--window " + options.window;
  if (!scope.empty())
    return fmt::format(
        "No pair that {} allows is that similar. Try it without, to see "
        "whether there are others.\n",
        Printable(scope));
  if (!HasThreshold(options.method.name))
    return "No two are equal. Near-duplicates are found without --method.\n";
  if (request.operands.empty())  // recut, which cannot go below
    return "No pair is that similar.\n";
  return "No pair is that similar. Try a lower --threshold, or a shorter "
         "--shingle as word:3.\n";
}

}  // namespace

std::string PageAdvice(const FlagOptions& options) {
  if (options.report) return {};
  std::string networks;
  for (const std::string& network : options.input.networks)
    networks += (networks.empty() ? " --networks " : ",") + network;
  return fmt::format(
      "Pairs side by side, on a page for any browser:\n  twinset report {}{}\n",
      Printable(ShellQuoted(options.out)), Printable(networks));
}

std::string IncompleteText(const Request& request, const RunSummary& summary) {
  const Json& json = summary.json;
  std::string sources;
  const Json& incomplete = Member(json, "incomplete_sources");
  if (incomplete.is_array()) {
    for (const Json& source : incomplete)
      if (source.is_string())
        sources += (sources.empty() ? "" : ", ") + source.get<std::string>();
  }
  if (summary.records > 0 && summary.quarantined == summary.records)
    return fmt::format("every record was quarantined (see {}/quarantine.jsonl)",
                       NameText(request.options.out));
  return fmt::format(
      "incomplete: {} could not be read to the end (the others are done, see "
      "{}/summary.json)",
      sources.empty() ? "an input" : sources, NameText(request.options.out));
}

namespace {

// "read 102 MB in 1.0 s, write 102 MB in 0.3 s" where the inputs were read more
// than once.
std::string PassesText(const Json& run) {
  const Json& passes = Member(run, "passes");
  if (!passes.is_array() || passes.size() < 2) return {};
  std::string text;
  for (const Json& pass : passes) {
    const Json& taken = Member(pass, "seconds");
    text += fmt::format(
        "{}{} {}{}", text.empty() ? "" : ", ",
        Printable(Member(pass, "stage").get<std::string>()),
        BytesText(CountOf(Member(pass, "bytes"))),
        taken.is_number() ? " in " + SecondsText(taken.get<double>()) : "");
  }
  return text;
}

// What became of the records: the first rows.
std::string InputRows(const Request& request, const RunSummary& summary,
                      const Json& json, uint64_t bytes) {
  std::string time = SecondsText(summary.seconds);
  bytes = std::max(bytes, CountOf(Member(Member(json, "run"), "input_bytes")));
  // A resumed run has not read all of it in its time.
  if (bytes > 0 && summary.seconds > 0 && !request.options.resume)
    time += fmt::format(
        ", {}/s", BytesText(static_cast<uint64_t>(static_cast<double>(bytes) /
                                                  summary.seconds)));
  std::string text =
      summary.page.Text(StyleOfStdout()) + "\n" +
      Row("read", CountText(summary.documents, "document") + " in " + time);
  if (const std::string passes = PassesText(Member(json, "run"));
      !passes.empty())
    text += Row("passes", passes);
  if (Member(Member(json, "limit"), "reached") == true)
    text += Row("limit", "only the first documents were read, as --limit says");
  if (summary.skipped > 0)
    text +=
        Row("skipped", SkippedText(summary.skipped,
                                   Member(Member(json, "records"), "skipped")));
  if (summary.quarantined > 0)
    text += Row(
        "quarantined",
        fmt::format(
            "{}, see {}",
            SkippedText(summary.quarantined,
                        Member(Member(json, "records"), "quarantine_reasons")),
            NameText(request.options.out + "/quarantine.jsonl")));
  if (const uint64_t again = CountOf(Member(json, "repeated_ids")); again > 0)
    text += Row("ids", CountText(again, "document has", "documents have") +
                           " the id of another, and #2, #3, ... behind it in "
                           "the results");
  return text;
}

}  // namespace

std::string SummaryText(const Request& request, const CutSummary& summary,
                        uint64_t bytes) {
  const Json& json = summary.json;
  const std::string text = InputRows(request, summary, json, bytes);
  return text + (summary.documents == 0
                     ? Row("results", NameText(request.options.out))
                     : UnitRows(request, summary, json));
}

std::string SummaryText(const Request& request, const DedupSummary& summary,
                        uint64_t bytes) {
  const Json& json = summary.json;
  const FlagOptions& options = request.options;
  std::string text = InputRows(request, summary, json, bytes);
  if (summary.documents == 0)
    return text + Row("results", NameText(options.out));
  if (summary.empty > 0)
    text += Row("empty", fmt::format("{} without a word: kept, in no pair",
                                     NumberText(summary.empty)));
  std::string pairs = NumberText(summary.pairs);
  if (const uint64_t implied =
          CountOf(Member(Member(json, "pairs"), "implied"));
      implied > 0)
    pairs +=
        fmt::format(" listed, {} more follow from them", NumberText(implied));
  text += Row("pairs", pairs);
  if (const std::string large = LargeClusterText(json); !large.empty())
    text += Row("", large);
  text += Row("clusters", ClusterText(summary, json));
  if (summary.clusters > 0) {
    const std::string largest = LargestText(json);
    if (!largest.empty()) text += Row("largest", largest);
  }
  text += Row("dropped",
              fmt::format("{} ({})", NumberText(summary.dropped),
                          ShareText(summary.dropped, summary.documents)));
  if (const std::string saved = SavedText(json); !saved.empty())
    text += Row("", saved);
  if (const std::string lost = LostText(json); !lost.empty())
    text += Row("", lost);
  text += Row("kept", NumberText(summary.kept));
  if (const std::string source = SourceText(json); !source.empty())
    text += Row("", source);
  if (const std::string sketches = SketchText(json); !sketches.empty())
    text += Row("", sketches);
  text += PlaceRows(options) + "\n";
  if (const std::string explain = ExplainCommand(request, json);
      !explain.empty()) {
    text += fmt::format("What the first pair has in common:\n  {}\n",
                        Printable(explain));
    text += PageAdvice(options);
  } else if (summary.pairs == 0) {
    text += AdviceText(request, summary);
  }
  return text;
}

}  // namespace twinset::cli
