#include "forecast_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "twinset/json.h"
#include "twinset/plain_words.h"
#include "values.h"

namespace twinset::cli {
namespace {

constexpr size_t kMostShown = 8;

std::string Row(std::string_view head, std::string_view text) {
  return fmt::format("  {:<12} {}\n", head, text);
}

uint64_t CountOf(const Json& value) {
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

double NumberOf(const Json& value) {
  return value.is_number() ? value.get<double>() : 0;
}

std::string BytesOf(const Json& value) {
  return BytesText(static_cast<uint64_t>(NumberOf(value)));
}

std::string TextOf(const Json& value) {
  return value.is_string() ? Printable(value.get<std::string>()) : "";
}

// A count of which two digits mean something.
std::string Rough(double count) {
  if (count < 100)
    return NumberText(static_cast<uint64_t>(std::llround(count)));
  const double unit = std::pow(10, std::floor(std::log10(count)) - 1);
  return NumberText(static_cast<uint64_t>(std::round(count / unit) * unit));
}

std::string RoughSeconds(double seconds) {
  if (seconds < 10)
    return fmt::format("{:.0f} s", std::max(1.0, std::round(seconds)));
  if (seconds < 90) return fmt::format("{:.0f} s", 5 * std::round(seconds / 5));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  const double hours = seconds / 3600;
  return hours < 48 ? fmt::format("{:.1f} hours", hours)
                    : fmt::format("{:.0f} days", hours / 24);
}

// "3 to 5 min", "about 1 s".
template <typename ToText>
std::string Between(const Json& span, const ToText& to_text) {
  const std::string least = to_text(NumberOf(span["least"]));
  const std::string most = to_text(NumberOf(span["most"]));
  return least == most ? "about " + least : least + " to " + most;
}

std::string FilesText(const Json& inputs) {
  return CountText(CountOf(inputs["files"]), "file") + ", " +
         BytesOf(inputs["bytes"]);
}

std::string KindText(const Json& kind) {
  const std::string compression = TextOf(kind["compression"]);
  return fmt::format(
      "{}{}{}: {}; a document is {}",
      kind.contains("side") && TextOf(kind["side"]) == "b" ? "B, " : "",
      TextOf(kind["format"]), compression == "none" ? "" : ", " + compression,
      FilesText(kind), TextOf(kind["document"]));
}

std::string InputRows(const Json& inputs) {
  std::string text = "would read " + FilesText(inputs) + "\n";
  for (const Json& kind : inputs["kinds"]) text += Row("", KindText(kind));
  if (inputs.contains("saved_run")) {
    const Json& saved = inputs["saved_run"];
    std::string folders;
    if (saved["folder"].is_array()) {
      for (const Json& folder : saved["folder"])
        folders += (folders.empty() ? "" : ", ") + TextOf(folder);
    } else {
      folders = TextOf(saved["folder"]);
    }
    text += Row("saved run",
                fmt::format("{}: {} documents, taken over, not "
                            "read again",
                            folders, NumberText(CountOf(saved["documents"]))));
  }
  size_t shown = 0;
  for (const Json& file : inputs["not_read"]) {
    if (++shown > kMostShown) break;
    text += Row(shown == 1 ? "not read" : "",
                TextOf(file["path"]) + ": " + TextOf(file["reason"]));
  }
  if (const uint64_t all = CountOf(inputs["not_read_files"]); all > kMostShown)
    text += Row("", fmt::format("and {} more (--json names {})",
                                NumberText(all - kMostShown),
                                inputs["not_read"].size()));
  const Json& left_out = inputs["left_out"];
  const auto left = [&](const char* name, std::string_view what) {
    if (const uint64_t count = CountOf(left_out[name]); count > 0)
      text += Row("left out", fmt::format("{} {}", NumberText(count), what));
  };
  left("hidden", "hidden files or folders: name them to have them read");
  left("links_to_folders", "links to folders: name them to have them read");
  left("no_files", "pipes, sockets or devices in folders");
  if (const uint64_t looked = CountOf(inputs["looked_at"]);
      looked + inputs["pipes"].size() < CountOf(inputs["files"]))
    text += Row("", fmt::format("{} of the files were looked into, evenly",
                                NumberText(looked)));
  return text;
}

std::string PlanRows(const Json& plan) {
  std::vector<std::string> stages;
  for (const Json& stage : plan["stages"]) stages.push_back(TextOf(stage));
  std::string text = fmt::format("plan: {}\n", fmt::join(stages, ", "));
  const Json& parameters = plan["parameters"];
  if (plan.contains("method")) {
    text += Row("method", fmt::format("{}: {}", TextOf(plan["method"]),
                                      TextOf(plan["summary"])));
    std::string compares = TextOf(parameters["measure"]);
    if (parameters.contains("threshold"))
      compares +=
          fmt::format(" of at least {}", NumberOf(parameters["threshold"]));
    if (parameters.contains("shingle"))
      compares += ", " + TextOf(parameters["shingle"]);
    text += Row("compares", compares);
    if (plan["finds_every_pair"] == true)
      text += Row("finds", "every pair there is");
    else if (plan["recall_at_threshold"].is_number())
      text += Row("finds",
                  fmt::format("{:.1f} % of the pairs at the threshold",
                              100 * NumberOf(plan["recall_at_threshold"])));
  } else if (parameters.contains("unit")) {
    text += Row("looks for", "repeated " + TextOf(parameters["unit"]) + "s");
  }
  text += Row("content", TextOf(parameters["content"]));
  if (parameters.contains("limit"))
    text += Row(
        "limit",
        fmt::format("the first {} documents{}",
                    NumberText(CountOf(parameters["limit"])),
                    parameters.contains("inputs_of_a") ? " of each side" : ""));
  text += Row("uses", fmt::format("{} threads, at most {} of memory",
                                  CountOf(plan["threads"]),
                                  BytesOf(plan["memory_bytes"])));
  return text;
}

// Stages that take a tenth or more, the longest first.
std::string StagesText(const Json& expected) {
  std::vector<std::pair<double, std::string>> stages;
  const double all = NumberOf(expected["seconds"]["most"]);
  for (const auto& [name, span] : expected["stage_seconds"].items())
    if (NumberOf(span["most"]) >= .1 * all)
      stages.emplace_back(
          NumberOf(span["most"]),
          fmt::format("{} {}", name, Between(span, RoughSeconds)));
  std::stable_sort(
      stages.begin(), stages.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  texts.reserve(stages.size());
  for (const auto& [seconds, text] : stages) texts.push_back(text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string ExpectedRows(const Json& json) {
  const Json& expected = json["expected"];
  if (!expected.is_object())
    return "nothing is expected: no document could be looked at\n";
  std::string text = fmt::format("expects about {} documents",
                                 Rough(NumberOf(expected["documents"])));
  if (expected.contains("pairs"))
    text += ", " + Between(expected["pairs"], Rough) + " pairs";
  text += "\n";
  text += Row("time", Between(expected["seconds"], RoughSeconds));
  if (NumberOf(expected["seconds"]["most"]) >= 2)
    text += Row("", StagesText(expected));
  text += Row("memory", "up to about " + BytesOf(expected["memory_bytes"]));
  std::string disk = fmt::format(
      "about {} of work files, removed at the end; {} of results",
      BytesOf(expected["work_bytes"]), BytesOf(expected["result_bytes"]));
  if (expected.contains("written_bytes_most"))
    disk += fmt::format("; the written corpus, at most {}",
                        BytesOf(expected["written_bytes_most"]));
  text += Row("disk", disk);
  const Json& sketches = json["by_sketches"];
  if (sketches.is_object()) {
    const double whole = NumberOf(sketches["instead_of_seconds"]),
                 less = NumberOf(sketches["seconds"]);
    if (less < .8 * whole && whole > 2)
      text +=
          Row("cheaper",
              fmt::format("--method {} would take about {:.0f} % less time and "
                          "find {:.1f} % of the pairs at the threshold",
                          TextOf(sketches["method"]), 100 * (1 - less / whole),
                          100 * NumberOf(sketches["recall_at_threshold"])));
  }
  return text;
}

std::string SampleRow(const Json& sample) {
  if (!sample.is_object()) return "";
  const uint64_t files = CountOf(sample["files"]);
  const std::string documents = NumberText(CountOf(sample["documents"]));
  std::string text;
  if (sample["is_all"] == true) {
    text = fmt::format("all {} documents", documents);
  } else {
    text = fmt::format("{} documents: the {} of {}, {}", documents,
                       WordFor(files, "beginning", "beginnings"),
                       CountText(files, "file"), BytesOf(sample["bytes"]));
  }
  text += fmt::format(", which took {:.1f} s; {} of them would go",
                      NumberOf(sample["seconds"]),
                      NumberText(CountOf(sample["dropped"])));
  std::string skipped;
  for (const char* kind : {"skipped", "quarantined"}) {
    for (const auto& [reason, count] : sample[kind].items())
      skipped += fmt::format("{}{} {} ({})", skipped.empty() ? "" : ", ",
                             NumberText(CountOf(count)), kind,
                             Printable(std::string(reason)));
  }
  text = Row("rests on", text);
  return skipped.empty() ? text : text + Row("", "not used: " + skipped);
}

}  // namespace

Status CheckDryRun(const Request& request) {
  if (!request.options.resume) return {};
  return Fail(ErrorCode::kUsage, "--dry-run does not go with --resume", {},
              "leave out --resume: the forecast is of the whole run");
}

std::string ForecastText(const RunForecast& forecast) {
  const Json& json = forecast.json;
  std::string text = InputRows(json["inputs"]) + PlanRows(json["plan"]) +
                     ExpectedRows(json) + SampleRow(json["sample"]);
  bool first = true;
  for (const std::string& cost : forecast.costs) {
    text += Row(first ? "costly" : "", Printable(cost));
    first = false;
  }
  return text + "Nothing was written.\n";
}

}  // namespace twinset::cli
