// What a finished run says of one document.
#include "twinset/decision.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/document_pass.h"
#include "documents/text_lines.h"
#include "explain/decision_words.h"
#include "explain/pair_of_run.h"
#include "pipeline/report/result_rows.h"
#include "pipeline/report/run_reading.h"
#include "pipeline/report/texts_again.h"
#include "pipeline/saved/saved_options.h"
#include "store/folder_marker.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr size_t kMostNeighbours = 20;
// Ids have a bound of their own (--max-field).
constexpr uint64_t kMostIdBytes = 8 << 20;

constexpr char kRunRemedy[] =
    "name the folder of --out of dedup, match or recut: twinset explain ID RUN";

Result<bool> IsListed(const std::string& path, const std::string& id) {
  bool is_listed = false;
  if (!FileExists(path)) return false;
  TWINSET_TRY(ForEachTextLine(
      path,
      [&](const TextLine& line) {
        is_listed = line.raw == id;
        return !is_listed;
      },
      kMostIdBytes));
  return is_listed;
}

// "'a', 'b' and 3 more".
std::string NamesText(const std::vector<std::string>& names) {
  constexpr size_t kMost = 10;
  std::string text;
  const size_t shown = std::min(names.size(), kMost);
  const size_t more = names.size() - shown;
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == shown && more == 0 ? " and " : ", ";
    text += "'" + NameText(names[i]) + "'";
  }
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

struct Place {
  std::string source;
  uint64_t ordinal = 0;
};

Place PlaceOf(const Json& row) {
  return {row["source"].get<std::string>(), row["ordinal"].get<uint64_t>()};
}

// Looks through the lists of one result folder.
class Search {
 public:
  Search(const DecisionOptions& options, Json summary, PlanOptions run)
      : options_(options), summary_(std::move(summary)), run_(std::move(run)) {
    found_.id = options.id;
    facts_.is_match = IsMatch(summary_);
  }

  Result<DocumentDecision> Do() {
    TWINSET_TRY(FindName());
    TWINSET_TRY(FindFate());
    if (found_.fate != Fate::kQuarantined && found_.fate != Fate::kRevisit) {
      TWINSET_TRY(facts_.is_match ? FindBest() : FindCluster());
      TWINSET_TRY(FindPairs());
    }
    found_.rule = RuleOfRun(summary_, run_);
    found_.sentence = SentenceOf(found_, facts_, summary_, run_);
    TWINSET_ASSIGN(const std::vector<std::string> same, NumberedIds());
    if (!same.empty())
      found_.sentence += " The run also has " + NamesText(same) +
                         ": an id that comes again gets a number.";
    if (!found_.other.empty()) ReadTexts();
    return std::move(found_);
  }

 private:
  std::string File(const char* name) const {
    return options_.folder + "/" + name;
  }

  // An id that no list can hold is asked for as its record has it, or as the
  // run calls it.
  Status FindName() {
    if (!BreaksLists(found_.id)) return {};
    std::vector<std::string> names;
    TWINSET_TRY(ForEachRowWith(options_.folder, "renamed", found_.id,
                               [&](const Json& row) {
                                 if (row["original"] == Json(found_.id))
                                   names.push_back(row.value("id", ""));
                                 return true;
                               }));
    if (names.size() == 1) found_.id = names[0];
    if (names.size() <= 1) return {};
    return Fail(ErrorCode::kUsage,
                "several documents of the run have the id '" +
                    NameText(found_.id) + "', and it calls them " +
                    NamesText(names),
                NameText(options_.folder), "name one of these");
  }

  // Ids that the run lists and that are the one asked for with a number.
  Result<std::vector<std::string>> NumberedIds() const {
    const std::string begin = found_.id + "#";
    std::vector<std::string> ids;
    for (const char* list : {"keep.txt", "drop.txt"}) {
      if (!FileExists(File(list))) continue;
      TWINSET_TRY(ForEachTextLine(
          File(list),
          [&](const TextLine& line) {
            if (line.raw.starts_with(begin) && line.raw.size() > begin.size() &&
                line.raw.find_first_not_of("0123456789", begin.size()) ==
                    line.raw.npos)
              ids.emplace_back(line.raw);
            return true;
          },
          kMostIdBytes));
    }
    std::sort(ids.begin(), ids.end(), [](const auto& x, const auto& y) {
      return x.size() != y.size() ? x.size() < y.size() : x < y;
    });
    return ids;
  }

  Status FindFate() {
    TWINSET_ASSIGN(const bool dropped, IsListed(File("drop.txt"), found_.id));
    if (dropped) {
      found_.fate = Fate::kDropped;
      return {};
    }
    TWINSET_ASSIGN(const bool kept, IsListed(File("keep.txt"), found_.id));
    if (kept) {
      TWINSET_ASSIGN(facts_.is_empty, IsListed(File("empty.txt"), found_.id));
      return {};
    }
    return FindElsewhere();
  }

  // A record that is no document, or a document of the second side.
  Status FindElsewhere() {
    bool is_known = false;
    const auto look = [&](const char* list, const char* key, Fate fate) {
      return ForEachRowWith(options_.folder, list, found_.id,
                            [&](const Json& row) {
                              if (row[key] != Json(found_.id)) return true;
                              is_known = true;
                              found_.fate = fate;
                              facts_.reason = row.value("reason", "");
                              facts_.detail = row.value("detail", "");
                              return false;
                            });
    };
    if (facts_.is_match) TWINSET_TRY(look("pairs", "b", Fate::kCompared));
    if (!is_known) TWINSET_TRY(look("quarantine", "id", Fate::kQuarantined));
    if (!is_known) TWINSET_TRY(look("revisits", "id", Fate::kRevisit));
    if (is_known) return {};
    return Fail(
        ErrorCode::kUsage,
        "the run has no document of the id '" + NameText(found_.id) + "'",
        NameText(options_.folder),
        facts_.is_match ? "keep.txt and drop.txt list those of the "
                          "first side, pairs.jsonl those of the second "
                          "that are like one of them"
                        : "keep.txt and drop.txt list the ids");
  }

  Status FindCluster() {
    std::string cluster;
    TWINSET_TRY(ForEachRowWith(
        options_.folder, "clusters", found_.id, [&](const Json& row) {
          if (row["id"] != Json(found_.id)) return true;
          cluster = row["cluster"].get<std::string>();
          found_.cluster_size = row["size"].get<uint64_t>();
          facts_.is_representative = row["is_representative"] == true;
          if (!facts_.is_representative) Take(cluster, row);
          own_ = PlaceOf(row);
          return false;
        }));
    if (cluster.empty()) return {};
    return ForEachRowWith(
        options_.folder, "clusters", cluster, [&](const Json& row) {
          if (row["cluster"] != Json(cluster)) return true;
          if (!facts_.is_representative) {
            if (row["id"] != Json(cluster)) return true;
            others_ = PlaceOf(row);
            return false;
          }
          // The most similar of those that it stands for.
          const double similarity = row["similarity"].get<double>();
          if (row["is_representative"] == true ||
              (found_.similarity && similarity <= *found_.similarity))
            return true;
          Take(row["id"].get<std::string>(), row);
          others_ = PlaceOf(row);
          return true;
        });
  }

  void Take(const std::string& other, const Json& row) {
    found_.other = other;
    found_.similarity = row["similarity"].get<double>();
    found_.contained.reset();
    if (row.contains("contained"))
      found_.contained = row["contained"].get<double>();
    facts_.level = row.value("level", "");
    facts_.template_differs |= row["template_differs"] == true;
  }

  Status FindBest() {
    if (found_.fate == Fate::kCompared) return {};
    return ForEachRowWith(options_.folder, "best", found_.id,
                          [&](const Json& row) {
                            if (row["a"] != Json(found_.id)) return true;
                            Take(row["b"].get<std::string>(), row);
                            return false;
                          });
  }

  // In a match, the best partner of a document of the second side, and of one
  // without a match, is among its pairs.
  Status FindPairs() {
    const bool of_second = found_.fate == Fate::kCompared;
    auto& list = found_.neighbours;
    TWINSET_TRY(ForEachRowWith(
        options_.folder, "pairs", found_.id, [&](const Json& row) {
          const bool is_a = row["a"] == Json(found_.id);
          const bool is_b = row["b"] == Json(found_.id);
          if (facts_.is_match ? (of_second ? !is_b : !is_a) : !is_a && !is_b)
            return true;
          ++found_.pairs;
          const bool other_is_b = is_a && !of_second;
          DecisionNeighbour next{row[other_is_b ? "b" : "a"].get<std::string>(),
                                 row["similarity"].get<double>()};
          const auto more = [](const DecisionNeighbour& x,
                               const DecisionNeighbour& y) {
            return x.similarity > y.similarity;
          };
          list.insert(std::upper_bound(list.begin(), list.end(), next, more),
                      std::move(next));
          if (list.size() > kMostNeighbours) list.pop_back();
          return true;
        }));
    if (facts_.is_match && found_.other.empty() && !list.empty()) {
      facts_.is_unmatched = !of_second;
      found_.other = list.front().id;
      found_.similarity = list.front().similarity;
    }
    return {};
  }

  void ReadTexts() {
    TextsAgain texts;
    texts.KeepDocuments();
    size_t own = 0, other = 0;
    if (facts_.is_match || !options_.inputs.empty()) {
      const int side = found_.fate == Fate::kCompared ? 1 : 0;
      own = texts.WantId(side, found_.id);
      other = texts.WantId(facts_.is_match ? 1 - side : 0, found_.other);
    } else {
      own = texts.WantAt(own_.source, own_.ordinal, found_.id);
      other = texts.WantAt(others_.source, others_.ordinal, found_.other);
    }
    auto reading = ReadingOfRun(summary_, run_, options_);
    if (reading) {
      reading->on_progress = options_.on_progress;
      const Status read = texts.Read(*reading);
      if (texts.missing() == 0) {
        Compare(texts[other].document, texts[own].document);
        return;
      }
      if (!read) found_.note = NoTexts(read.error());
    } else {
      found_.note = NoTexts(reading.error());
    }
    if (found_.note.empty()) found_.note = NoTexts({});
  }

  void Compare(DocumentText other, DocumentText own) {
    other.id = found_.other;
    own.id = found_.id;
    auto explanation = ExplainPairOfRun(std::move(other), std::move(own), run_);
    if (!explanation) {
      found_.note = NoTexts(explanation.error());
      return;
    }
    if (run_.method.measure == Measure::kJaccard &&
        explanation->jaccard != found_.similarity) {
      found_.note = PartCompared(explanation->jaccard);
    }
    found_.explanation = std::move(*explanation);
  }

  const DecisionOptions& options_;
  const Json summary_;
  const PlanOptions run_;
  DocumentDecision found_;
  DecisionFacts facts_;
  Place own_, others_;
};

}  // namespace

Json v1::SummaryJson(const DocumentDecision& decision) {
  return FieldsToJson(decision);
}

bool v1::IsFinishedRun(const std::string& path) {
  return FolderMarker::StandsIn(path) && FileExists(path + "/summary.json");
}

Result<DocumentDecision> v1::ExplainDecision(
    const DecisionOptions& options) try {
  TWINSET_ASSIGN(Json summary, ReadRunSummary(options.folder, kRunRemedy));
  if (summary.contains("units")) {
    return Fail(ErrorCode::kUnsupported,
                "the run cut repeated passages and dropped no document",
                NameText(options.folder),
                "units.jsonl lists what was cut, and from which documents");
  }
  TWINSET_ASSIGN(PlanOptions run, OptionsOfParameters(summary["parameters"]));
  return Search(options, std::move(summary), std::move(run)).Do();
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
