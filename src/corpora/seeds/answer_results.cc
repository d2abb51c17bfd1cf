#include "seeds/answer_results.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "engine/answer_json.h"
#include "engine/answer_log.h"
#include "net/url.h"
#include "retrieval/ranking.h"
#include "twinset/json.h"

namespace twinset {
namespace {

constexpr uint64_t kHitBytes = 24;
constexpr uint64_t kTextBytes = 120;

// The words of a question; "" for the question for a page.
std::string WordsOfQuestion(std::string_view question) {
  const Json json = Json::Parse(question);
  std::string words;
  if (!json["terms"].is_array()) return words;
  const bool all = json.value("all", true);
  for (const Json& term : json["terms"]) {
    const std::string* word = term.if_string();
    if (word == nullptr) return {};
    if (!words.empty()) words += all ? " " : " OR ";
    words += *word;
  }
  return words;
}

}  // namespace

uint64_t AnswerResults::bytes() const {
  return hits_.size() * kHitBytes + text_bytes_;
}

uint32_t AnswerResults::Question(const std::string& file,
                                 const std::string& text) {
  const size_t before = questions_.size();
  // No path holds a zero byte.
  const uint32_t number =
      questions_.NumberOf(file + std::string(1, '\0') + text);
  if (questions_.size() > before)
    text_bytes_ += kTextBytes + file.size() + text.size();
  return number;
}

Status AnswerResults::Add(uint32_t question, std::string_view url,
                          size_t place) {
  if (top_ > 0 && place > top_) return {};
  const std::string normal = NormaliseUrl(url);
  const size_t before = addresses_.size();
  const uint32_t address = addresses_.NumberOf(normal);
  if (addresses_.size() > before) text_bytes_ += kTextBytes + normal.size();
  hits_.push_back({address, question,
                   static_cast<uint32_t>(std::min<size_t>(place, UINT32_MAX))});
  if (bytes() <= memory_bytes_) return {};
  return Fail(ErrorCode::kMemory,
              "the results of the answers need more than " +
                  std::to_string(memory_bytes_ >> 20) + "M",
              {}, "raise --memory, or give --top");
}

Status AnswerResults::Read(const std::string& path, SeedsResult* result) {
  const size_t before = questions_.size();
  if (!result->answers) result->answers.emplace();
  TWINSET_TRY(AnswerLog::IsLog(path) ? ReadLog(path, result)
                                     : ReadRun(path, result));
  result->answers->questions += questions_.size() - before;
  return {};
}

Status AnswerResults::ReadLog(const std::string& path, SeedsResult* result) {
  return AnswerLog::ForEach(
      path, [&](std::string_view question, std::string_view text) -> Status {
        TWINSET_TRY(CheckStop(stop_));
        const std::string words = WordsOfQuestion(question);
        if (words.empty()) return {};  // a page that was fetched
        const uint32_t number = Question(path, words);
        bool broken = false;
        const auto answer = ParseAnswer(text, &broken);
        if (broken) {
          Error error = answer.error();
          error.where = path;
          return tl::unexpected<Error>(std::move(error));
        }
        if (!answer) {
          ++result->answers->failed;
          return {};
        }
        for (size_t i = 0; i < answer->urls.size(); ++i)
          TWINSET_TRY(Add(number, answer->urls[i], i + 1));
        return {};
      });
}

Status AnswerResults::ReadRun(const std::string& path, SeedsResult* result) {
  StudyNames names;
  TWINSET_ASSIGN(const Ranking ranking, ReadRanking(path, {}, &names));
  for (const std::string& problem : ranking.facts.lines.problems)
    result->problems.push_back(problem);
  for (const TopicRanking& topic : ranking.topics) {
    TWINSET_TRY(CheckStop(stop_));
    const uint32_t number = Question(path, names.topics[topic.topic]);
    for (size_t i = 0; i < topic.documents.size(); ++i)
      TWINSET_TRY(
          Add(number, names.documents[topic.documents[i].document], i + 1));
  }
  return {};
}

std::vector<ReturnedAddress> AnswerResults::Ranked(SeedsResult* result) {
  // An address that a question returned several times counts at its best place.
  std::sort(hits_.begin(), hits_.end());
  hits_.erase(std::unique(hits_.begin(), hits_.end(),
                          [](const Hit& x, const Hit& y) {
                            return x.address == y.address &&
                                   x.question == y.question;
                          }),
              hits_.end());
  std::vector<ReturnedAddress> pages;
  std::vector<bool> answered(questions_.size());
  for (const Hit& hit : hits_) answered[hit.question] = true;
  result->answers->answered =
      static_cast<uint64_t>(std::count(answered.begin(), answered.end(), true));
  result->answers->results = hits_.size();
  for (size_t i = 0; i < hits_.size(); ++i) {
    if (pages.empty() || pages.back().address != hits_[i].address)
      pages.push_back(
          {hits_[i].address, 0, hits_[i].place, static_cast<uint32_t>(i)});
    ++pages.back().queries;
    pages.back().best = std::min(pages.back().best, hits_[i].place);
  }
  std::stable_sort(pages.begin(), pages.end(),
                   [](const ReturnedAddress& x, const ReturnedAddress& y) {
                     return x.queries != y.queries ? x.queries > y.queries
                                                   : x.best < y.best;
                   });
  return pages;
}

std::vector<std::string> AnswerResults::QuestionsOf(const ReturnedAddress& page,
                                                    size_t most) const {
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min<size_t>(page.queries, most); ++i) {
    const std::string& name = questions_[hits_[page.first + i].question];
    texts.push_back(name.substr(name.find('\0') + 1));
  }
  return texts;
}

}  // namespace twinset
