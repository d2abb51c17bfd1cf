// twinset tune
#include "twinset/tune.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/values.h"
#include "twinset/json.h"
#include "twinset/plain_words.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kTuneName = "tune";

// To six places: what tells the curve, without the noise of the last bits.
double Six(double value) {
  return static_cast<double>(static_cast<int64_t>(value * 1e6 + 0.5)) / 1e6;
}

Json CopiesJson(const TuneResult& result, const TuneOptions& options) {
  Json json = {{"method", result.method},
               {"documents", options.collisions.documents},
               {"document_bytes", options.collisions.document_bytes},
               {"collisions", options.collisions.tolerated},
               {"documents_at_tenth", result.tenth},
               {"fingerprints", Json::array()}};
  for (const TuneFingerprint& law : result.fingerprints)
    json["fingerprints"].push_back({{"kind", law.kind},
                                    {"is_bound", law.is_bound},
                                    {"choices", law.choices},
                                    {"length", Six(law.length)},
                                    {"least_bits", law.least_bits},
                                    {"bits", law.bits},
                                    {"fixed_pair", law.fixed_pair},
                                    {"expected", law.expected},
                                    {"probability", law.probability},
                                    {"documents", law.documents}});
  return json;
}

Json LexiconsJson(const TuneResult& result, const TuneOptions& options) {
  Json json = {{"method", result.method},
               {"recall", options.recall},
               {"differing_terms", options.differing_terms},
               {"lexicon_drop", options.method.lexicon_drop},
               {"lexicons", result.lexicons},
               {"flags", result.flags},
               {"expected_recall", Six(result.expected_recall)},
               {"keys_per_document", result.keys_per_document},
               {"by_terms", Json::array()}};
  for (size_t i = 0; i < result.by_terms.size(); ++i)
    json["by_terms"].push_back(
        {{"terms", i + 1}, {"expected", Six(result.by_terms[i])}});
  return json;
}

Json TuneJson(const TuneResult& result, const TuneOptions& options) {
  if (!result.fingerprints.empty()) return CopiesJson(result, options);
  if (!result.by_terms.empty()) return LexiconsJson(result, options);
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

std::string CopiesText(const TuneResult& result, const TuneOptions& options) {
  const CollisionQuestion& asked = options.collisions;
  const int bits = result.fingerprints.front().bits;
  std::string text = fmt::format(
      "{} different texts of at most {} bytes, {:g} collisions tolerated\n\n"
      "{:<11}  {:>5}  {:>7}  {:>10}\n",
      NumberText(asked.documents), NumberText(asked.document_bytes),
      asked.tolerated, "fingerprint", "bits", "length", "drawn from");
  for (const TuneFingerprint& law : result.fingerprints)
    text += fmt::format("{:<11}  {:>5}  {:>7.1f}  {:>10.4g}\n", law.kind,
                        law.least_bits, law.length, law.choices);
  text += fmt::format(
      "\nwith {} bits\n{:<11}  {:>10}  {:>10}  {:>11}  {:>10}\n", bits,
      "fingerprint", "given pair", "expected", "probability", "documents");
  for (const TuneFingerprint& law : result.fingerprints)
    text += fmt::format("{:<11}  {:>10.4g}  {:>10.4g}  {:>11.4g}  {:>10.4g}\n",
                        law.kind, law.fixed_pair, law.expected, law.probability,
                        law.documents);
  return text +
         fmt::format(
             "\nuniform: what is expected; polynomial, prime: bounds for any "
             "texts, over what is drawn\n"
             "documents: so many have the tolerated collisions; {:.4e} "
             "have one with probability 0.1 by a uniform fingerprint\n",
             result.tenth);
}

std::string LexiconsText(const TuneResult& result, const TuneOptions& options) {
  std::string text = fmt::format(
      "{}: {}\n\nof the texts that differ in {} of the lexicon, {:.2f} "
      "% are found by the law\n{} keys per document\n\n{:>5}  {:>8}\n",
      result.method, result.flags,
      CountText(static_cast<uint64_t>(options.differing_terms), "term"),
      100 * result.expected_recall, result.keys_per_document, "terms", "law");
  for (size_t i = 0; i < result.by_terms.size(); ++i) {
    const std::string bar = Bar(result.by_terms[i]);
    text += fmt::format("{:>5}  {:>8.4f}{}{}\n", i + 1, result.by_terms[i],
                        bar.empty() ? "" : "  ", bar);
  }
  return text;
}

std::string TuneText(const TuneResult& result, const TuneOptions& options) {
  if (!result.fingerprints.empty()) return CopiesText(result, options);
  if (!result.by_terms.empty()) return LexiconsText(result, options);
  std::string text = fmt::format(
      "{} --threshold {}: {}\n\nof the pairs at exactly {}, {:.2f} % are found "
      "by the law\n{} for each document\n",
      result.method, options.method.threshold, result.flags,
      options.method.threshold, 100 * result.expected_recall,
      CountText(static_cast<uint64_t>(result.keys_per_document), "key"));
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
        NumberText(result.documents), NumberText(result.found_pairs),
        NumberText(result.true_pairs), result.measured_candidates_per_document,
        result.expected_candidates_per_document, options.floor);
  return text + Curve(result);
}

int RunTune(const Request& request) {
  ProgressTeller progress(kTuneName, request);
  StopOnSignal stop;
  TuneOptions options = request.Of<TuneOptions>();
  options.input = request.options.input;
  options.input.inputs = request.operands;
  options.features = request.options.features;
  options.method = request.options.method;
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
  TellWarnings(kTuneName, result->warnings);
  Output out;
  if (request.json)
    out.Write(TuneJson(*result, options).dump(2) + "\n");
  else
    out.Write(TuneText(*result, options));
  return out.Finish(kTuneName);
}

std::vector<Flag> TuneFlags() {
  return {
      {.name = "--recall",
       .value = "R",
       .help = "share of the pairs at the threshold that must be found",
       .default_text = "0.99",
       .set = SetShare<&TuneOptions::recall>},
      {.name = "--rule",
       .value = "NAME",
       .help = "what makes bands and rows good: {}",
       .long_help =
           "cheapest: the most rows, then the fewest bands, that reach "
           "--recall at the threshold. datasketch: the least sum of false "
           "positives and false negatives over all similarities, weighed "
           "equally, as that package does; --recall does not count then.",
       .default_text = "cheapest",
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<BandRule>(),
       .set = SetPick<&TuneOptions::rule>},
      {.name = "--documents",
       .value = "N",
       .help = "of copies: different texts that there are",
       .default_text = "1000000",
       .set =
           SetCount<&TuneOptions::collisions, &CollisionQuestion::documents>},
      {.name = "--document-bytes",
       .value = "SIZE",
       .help = "of copies: length of the longest text",
       .default_text = "1K",
       .set = SetSize<&TuneOptions::collisions,
                      &CollisionQuestion::document_bytes>},
      {.name = "--collisions",
       .value = "N",
       .help = "of copies: pairs of different texts with one fingerprint that "
               "may be expected",
       .long_help = "0.001 is one chance in a thousand that there is any.",
       .default_text = "0.001",
       .set =
           SetNumber<&TuneOptions::collisions, &CollisionQuestion::tolerated>},
      {.name = "--differing-terms",
       .value = "N",
       .help = "of i-match: terms of the lexicon in which two texts differ "
               "that must be found",
       .default_text = "1",
       .set = SetInt<1, 64, &TuneOptions::differing_terms>}};
}

Command TuneCommand() {
  return {
      .name = "tune",
      .group = CommandGroup::kStudies,
      .operands = "[INPUT...]",
      .help = "parameters of a method for a recall target, and what they cost",
      .long_help =
          "Picks bands and rows (--method minhash), the number of bits and the "
          "tables (simhash) or groups (super-shingle) so that --recall of the "
          "pairs at exactly --threshold are found, and shows the law: how "
          "likely a pair is found at each similarity. With an INPUT the law "
          "stands beside what was measured on it, with the expected and the "
          "measured number of candidates.\n\nOf methods that find copies "
          "(exact, rabin-mod-prime) it says how long a fingerprint must be for "
          "--documents and --collisions, and what one of --bits promises; of "
          "i-match how many random lexica find texts that differ in "
          "--differing-terms.",
      .examples =
          {{"twinset tune --threshold 0.8 --recall 0.99 --permutations 200",
            "bands and rows"},
           {"twinset tune corpus.jsonl --threshold 0.9 --method simhash",
            "and whether the corpus agrees"},
           {"twinset tune --method exact --documents 1000000000 --collisions "
            "0.01",
            "bits of a fingerprint that different texts do not share"}},
      .everyday = {"--method", "--threshold", "--recall", "--rule",
                   "--permutations", "--bits", "--groups", "--shingle",
                   "--text-field", "--id-field", "--json", "--threads",
                   "--memory", "--quiet"},
      .parameters = {.also = {"method", "threshold", "seed", "permutations",
                              "bits", "groups", "agree", "lexicons",
                              "lexicon-drop", "tokens", "stop-words", "stem",
                              "shingle", "content"}},
      .shared =
          Join({kRecordFlags,
                {"--json", "--floor", "--files-from", "--null", "--language",
                 "--page-kind", "--digest", "--threads", "--memory", "--tmp",
                 "--simd", "--progress", "--config"}}),
      .texts =
          {{.name = "--method",
            .help = "whose parameters are chosen: minhash, simhash, "
                    "super-shingle, ...",
            .long_help =
                "A method with a law of its own, as 'twinset methods' says.",
            .default_text = "minhash"},
           {.name = "--bits",
            .help = "length of a fingerprint, as 32, 64, 128 or 384",
            .long_help = "Of copies any length from 5 on; without it that of "
                         "the method's own fingerprints."},
           {.name = "--lexicons",
            .help = "of i-match: randomised lexica beside the first",
            .long_help = "",
            .default_text = "(the fewest for --recall)"},
           kOneJsonDocument,
           kPresetsOfMethods},
      .flags = TuneFlags(),
      .refusals = {kWritesNoFolder, kPassesOver, kPrintsText},
      .run = RunTune};
}

}  // namespace

const Registration kTune(TuneCommand);

}  // namespace twinset::cli
