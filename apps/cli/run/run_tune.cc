// twinset tune
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/tune.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kTuneName = "tune";

// To six places: what tells the curve, without the noise of the last bits.
double Six(double value) {
  return static_cast<double>(static_cast<int64_t>(value * 1e6 + 0.5)) / 1e6;
}

Json TuneJson(const TuneResult& result, const TuneOptions& options) {
  Json json = {{"method", result.method},
               {"threshold", options.method.threshold},
               {"recall", options.recall},
               {"rule", options.rule},
               {"flags", result.flags},
               {"expected_recall", Six(result.expected_recall)},
               {"keys_per_document", result.keys_per_document}};
  if (result.bands.bands > 0) {
    json["permutations"] = options.method.permutations;
    json["bands"] = result.bands.bands;
    json["rows"] = result.bands.rows;
  } else if (result.groups == 0) {
    json["bits"] = options.method.bits;
    json["distance"] = result.distance;
    json["tables"] = Json::array();
    for (const TuneTables& tables : result.tables)
      json["tables"].push_back(
          {{"design", tables.design},
           {"tables", tables.tables},
           {"key_bits", tables.key_bits},
           {"candidates_per_document", Six(tables.candidates_per_document)}});
  } else {
    json["groups"] = result.groups;
    json["group_size"] = result.group_size;
    json["agree"] = result.agree;
  }
  json["curve"] = Json::array();
  const bool measured = result.documents > 0;
  for (const TunePoint& point : result.curve) {
    Json row = {{"similarity", point.similarity},
                {"expected", Six(point.expected)}};
    if (measured) {
      row["pairs"] = point.pairs;
      row["found"] = point.found;
    }
    json["curve"].push_back(row);
  }
  if (measured)
    json["measured"] = {{"documents", result.documents},
                        {"true_pairs", result.true_pairs},
                        {"found_pairs", result.found_pairs},
                        {"expected_candidates_per_document",
                         Six(result.expected_candidates_per_document)},
                        {"candidates_per_document",
                         Six(result.measured_candidates_per_document)}};
  return json;
}

std::string Bar(double share) {
  return std::string(static_cast<size_t>(share * 30 + 0.5), '#');
}

std::string Curve(const TuneResult& result) {
  const bool measured = result.documents > 0;
  std::string text = fmt::format("\n{:>10}  {:>8}", "similarity", "law");
  if (measured)
    text += fmt::format("  {:>9}  {:>9}  {:>8}", "pairs", "found", "measured");
  text += "\n";
  for (size_t i = 0; i < result.curve.size(); i += 5) {
    const TunePoint& point = result.curve[i];
    // The line stands for the five hundredths that begin here; the law, where
    // there are pairs, for the pairs as they lie in them.
    TunePoint sum;
    double expected = 0;
    for (size_t j = i; j < std::min(i + 5, result.curve.size()); ++j) {
      const TunePoint& one = result.curve[j];
      const double next =
          result.curve[std::min(j + 1, result.curve.size() - 1)].expected;
      sum.pairs += one.pairs;
      sum.found += one.found;
      expected += static_cast<double>(one.pairs) * (one.expected + next) / 2;
    }
    sum.expected = sum.pairs == 0 ? point.expected
                                  : expected / static_cast<double>(sum.pairs);
    text += fmt::format("{:>10.2f}  {:>8.4f}", point.similarity, sum.expected);
    if (measured) {
      const std::string share =
          sum.pairs == 0
              ? "-"
              : fmt::format("{:.4f}", static_cast<double>(sum.found) /
                                          static_cast<double>(sum.pairs));
      text += fmt::format("  {:>9}  {:>9}  {:>8}", sum.pairs, sum.found, share);
    }
    const std::string bar = Bar(sum.expected);
    text += bar.empty() ? "\n" : "  " + bar + "\n";
  }
  return text;
}

std::string TuneText(const TuneResult& result, const TuneOptions& options) {
  std::string text = fmt::format(
      "{} --threshold {}: {}\n\nof the pairs at exactly {}, {:.2f} % are found "
      "by the law\n{} key{} a document\n",
      result.method, options.method.threshold, result.flags,
      options.method.threshold, 100 * result.expected_recall,
      result.keys_per_document, result.keys_per_document == 1 ? "" : "s");
  for (const TuneTables& tables : result.tables) {
    text += fmt::format("--tables {}: {} tables, keys of {} bits",
                        tables.design, tables.tables, tables.key_bits);
    if (result.documents > 0)
      text += fmt::format(", {:.3f} documents a look-up by chance",
                          tables.candidates_per_document);
    text += "\n";
  }
  if (result.documents > 0)
    text += fmt::format(
        "\n{} documents: {} of {} pairs at the threshold and above are found\n"
        "{:.3f} candidates a document, {:.3f} expected of the pairs from "
        "{:.2f} "
        "on\n",
        Grouped(result.documents), Grouped(result.found_pairs),
        Grouped(result.true_pairs), result.measured_candidates_per_document,
        result.expected_candidates_per_document, options.floor);
  return text + Curve(result);
}

}  // namespace

int RunTune(const Request& request) {
  ProgressTeller progress(kTuneName, request);
  StopOnSignal stop;
  TuneOptions options;
  options.input = request.options.input;
  options.input.inputs = request.operands;
  options.features = request.options.features;
  options.method = request.options.method;
  options.recall = request.recall;
  options.rule = request.rule;
  options.floor = request.floor;
  options.resources = request.options.resources;
  options.stop = stop.flag();
  options.on_progress = [&progress](const Progress& now) {
    progress.Update(now);
  };
  if (options.floor == 0)
    options.floor = std::max(0.3, options.method.threshold - 0.3);
  const auto result = Tune(options);
  progress.Clear();
  if (!result) {
    if (result.error().code == ErrorCode::kInterrupted && stop.signal() != 0)
      return 128 + stop.signal();
    return TellError(kTuneName, result.error());
  }
  Output out;
  if (request.json)
    out.Write(TuneJson(*result, options).dump(2) + "\n");
  else
    out.Write(TuneText(*result, options));
  return out.Finish(kTuneName);
}

}  // namespace twinset::cli
