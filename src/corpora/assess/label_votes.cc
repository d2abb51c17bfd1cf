#include "assess/label_votes.h"

#include <set>
#include <string>

#include "estimate/agreement.h"
#include "estimate/stratified_share.h"

namespace twinset {

namespace {

constexpr size_t kAnswers = kChoices<LabelAnswer>.size();

std::optional<LabelAnswer> AnswerOf(const PairLabel* label,
                                    LabelQuestion question) {
  if (label == nullptr) return {};
  return label->answers[static_cast<size_t>(question)];
}

void Count(LabelAnswer answer, LabelShare* share) {
  share->yes += answer == LabelAnswer::kYes;
  share->no += answer == LabelAnswer::kNo;
  share->unsure += answer == LabelAnswer::kUnsure;
}

void Settle(LabelShare* share) {
  const uint64_t decided = share->yes + share->no;
  if (decided > 0)
    share->share =
        static_cast<double>(share->yes) / static_cast<double>(decided);
  const Interval interval = WilsonInterval(share->yes, decided);
  share->low = interval.low;
  share->high = interval.high;
}

void SettleAll(MethodScore* method) {
  std::vector<Stratum> strata;
  for (LabelShare& share : method->strata) {
    Settle(&share);
    method->all.pairs += share.pairs;
    method->all.yes += share.yes;
    method->all.no += share.no;
    method->all.unsure += share.unsure;
    strata.push_back(
        {static_cast<double>(share.pairs), share.yes, share.yes + share.no});
  }
  const StratifiedShare all = StratifiedWilson(strata);
  method->all.share = all.share;
  method->all.low = all.interval.low;
  method->all.high = all.interval.high;
}

PairAgreement AgreementBetween(const LabelTable& table,
                               std::span<const LabelsFile> files, size_t x,
                               size_t y, LabelQuestion question) {
  std::vector<uint64_t> counts(kAnswers * kAnswers);
  PairAgreement agreement;
  agreement.x = files[x].assessor;
  agreement.y = files[y].assessor;
  for (const auto& labels : table) {
    const auto of_x = AnswerOf(labels[x], question);
    const auto of_y = AnswerOf(labels[y], question);
    if (!of_x || !of_y) continue;
    ++counts[static_cast<size_t>(*of_x) * kAnswers +
             static_cast<size_t>(*of_y)];
    agreement.agreed += *of_x == *of_y;
  }
  const JudgeAgreement found = AgreementOf(counts, kAnswers);
  agreement.pairs = found.items;
  if (!found.kappa) return agreement;
  agreement.kappa = found.kappa->value;
  agreement.low = found.kappa->interval.low;
  agreement.high = found.kappa->interval.high;
  return agreement;
}

}  // namespace

Result<LabelTable> TableOf(const Assessment& sample,
                           std::span<const LabelsFile> files) {
  LabelTable table(sample.pairs.size(),
                   std::vector<const PairLabel*>(files.size()));
  const std::string digest = sample.Digest();
  std::set<std::string> assessors;
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].sample != digest)
      return Fail(
          ErrorCode::kUsage,
          "the labels of " + files[i].assessor + " are of another sample", {},
          "give the folder that their page came from");
    if (!assessors.insert(files[i].assessor).second)
      return Fail(ErrorCode::kUsage,
                  "two files are of the assessor " + files[i].assessor, {},
                  "import both into one page and export them together, or give "
                  "each a name of its own");
    for (const PairLabel& label : files[i].labels) {
      if (label.pair > sample.pairs.size() ||
          label.a != sample.pairs[label.pair - 1].a ||
          label.b != sample.pairs[label.pair - 1].b)
        return Fail(ErrorCode::kUsage, "the sample has no such pair " +
                                           std::to_string(label.pair) + " as " +
                                           files[i].assessor + " labelled");
      table[label.pair - 1][i] = &label;
    }
  }
  return table;
}

std::optional<LabelAnswer> VoteOf(std::span<const PairLabel* const> labels,
                                  LabelQuestion question) {
  uint64_t yes = 0, no = 0, any = 0;
  for (const PairLabel* label : labels) {
    const auto answer = AnswerOf(label, question);
    any += answer.has_value();
    yes += answer == LabelAnswer::kYes;
    no += answer == LabelAnswer::kNo;
  }
  if (any == 0) return {};
  if (yes == no) return LabelAnswer::kUnsure;
  return yes > no ? LabelAnswer::kYes : LabelAnswer::kNo;
}

QuestionScore ScoreQuestion(const Assessment& sample, const LabelTable& table,
                            std::span<const LabelsFile> files,
                            LabelQuestion question) {
  QuestionScore score;
  for (const AssessMethod& method : sample.methods) {
    MethodScore& of = score.methods.emplace_back();
    of.name = method.name;
    for (const AssessStratum& stratum : method.strata) {
      LabelShare& share = of.strata.emplace_back();
      share.name = stratum.name;
      share.pairs = stratum.pairs;
    }
  }
  for (size_t i = 0; i < table.size(); ++i) {
    const auto vote = VoteOf(table[i], question);
    if (!vote) continue;
    for (const PairDrawing& drawing : sample.pairs[i].drawings)
      Count(*vote, &score.methods[drawing.method].strata[drawing.stratum]);
  }
  for (MethodScore& method : score.methods) SettleAll(&method);
  for (size_t x = 0; x < files.size(); ++x)
    for (size_t y = x + 1; y < files.size(); ++y)
      score.agreements.push_back(
          AgreementBetween(table, files, x, y, question));
  return score;
}

}  // namespace twinset
