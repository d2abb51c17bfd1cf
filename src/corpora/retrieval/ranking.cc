#include "retrieval/ranking.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "twinset/plain_words.h"

namespace twinset {

namespace {

// Numbers beyond the range of 32 bits become infinite, as in C.
float ToFloat(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  if (value > kMost) return std::numeric_limits<float>::infinity();
  if (value < -kMost) return -std::numeric_limits<float>::infinity();
  return static_cast<float>(value);
}

class RankingParser {
 public:
  RankingParser(std::string name, const LineReadOptions& lines,
                StudyNames* names, Ranking* ranking)
      : name_(std::move(name)),
        names_(names),
        log_(&ranking->facts.lines, lines, "ranked document"),
        ranking_(ranking) {}

  LineLog* log() { return &log_; }

  Status Take(std::string_view line, uint64_t number) {
    SplitColumns(line, &columns_);
    const auto leave_out = [&](const std::string& reason,
                               const std::string& what) {
      return log_.LeaveOut(reason, LineLog::Where(name_, number), what);
    };
    if (columns_.size() != 6)
      return leave_out(
          columns_.size() < 6 ? "missing-columns" : "too-many-columns",
          std::to_string(columns_.size()) + " columns where six belong");
    const auto score = ParseFinite(columns_[4]);
    if (!score) return leave_out("bad-score", "the score is no finite number");
    const uint32_t topic = names_->topics.NumberOf(columns_[0]);
    const uint32_t document = names_->documents.NumberOf(columns_[2]);
    if (!seen_.insert(uint64_t{topic} << 32 | document).second)
      return leave_out("repeated-id", names_->documents[document] +
                                          " stands under topic " +
                                          names_->topics[topic] + " already");
    ++log_.counts().used;
    if (ranking_->tag.empty()) ranking_->tag = std::string(columns_[5]);
    const auto [place, is_new] =
        places_.emplace(topic, ranking_->topics.size());
    if (is_new) ranking_->topics.push_back({topic, {}});
    ranking_->topics[place->second].documents.push_back(
        {document, ToFloat(*score)});
    return {};
  }

  void Finish() {
    RunFacts& facts = ranking_->facts;
    facts.name = NameText(SystemName(name_));
    facts.topics = ranking_->topics.size();
    facts.documents = facts.lines.used;
    for (TopicRanking& topic : ranking_->topics)
      SortRanking(names_->documents, &topic.documents);
    facts.tied_share = TiedShare(ranking_->topics);
  }

 private:
  const std::string name_;
  StudyNames* const names_;
  LineLog log_;
  Ranking* const ranking_;
  std::vector<std::string_view> columns_;
  std::unordered_set<uint64_t> seen_;
  std::unordered_map<uint32_t, size_t> places_;
};

}  // namespace

void SortRanking(const IdTable& documents, std::vector<RankedDocument>* list) {
  std::sort(list->begin(), list->end(),
            [&](const RankedDocument& x, const RankedDocument& y) {
              if (x.score != y.score) return x.score > y.score;
              return documents[x.document] > documents[y.document];
            });
}

Result<Ranking> ReadRanking(const StudyText& text, const LineReadOptions& lines,
                            StudyNames* names) {
  Ranking ranking;
  RankingParser parser(text.name, lines, names, &ranking);
  TWINSET_TRY(ForEachStudyLine(text, parser.log(),
                               [&](std::string_view line, uint64_t number) {
                                 return parser.Take(line, number);
                               }));
  parser.Finish();
  TWINSET_TRY(CheckLastFile(ranking.facts.lines,
                            "lines are 'topic Q0 document rank score tag', see "
                            "docs/formats/qrels.md"));
  return ranking;
}

std::string SystemName(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

double TiedShare(const std::vector<TopicRanking>& topics) {
  uint64_t documents = 0, different = 0;
  for (const TopicRanking& topic : topics) {
    documents += topic.documents.size();
    for (size_t i = 0; i < topic.documents.size(); ++i)
      different +=
          i == 0 || topic.documents[i].score != topic.documents[i - 1].score;
  }
  return documents == 0 ? 0
                        : 1 - static_cast<double>(different) /
                                  static_cast<double>(documents);
}

std::string ScoreText(float score) {
  // Readers may refuse what is not finite.
  constexpr float kMost = std::numeric_limits<float>::max();
  if (std::isinf(score)) score = score > 0 ? kMost : -kMost;
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, score);
  return std::string(text, written.ptr);
}

std::string RunLine(const StudyNames& names, uint32_t topic, uint32_t document,
                    uint64_t rank, float score, const std::string& tag) {
  return DocumentName(names.topics[topic]) + " Q0 " +
         DocumentName(names.documents[document]) + " " + std::to_string(rank) +
         " " + ScoreText(score) + " " + DocumentName(tag) + "\n";
}

}  // namespace twinset
