#include "pipeline/pairs/pair_findings.h"

#include <algorithm>
#include <utility>

namespace twinset {

namespace {

void Count(const Judgement& judgement, JudgedCounts* counts) {
  ++counts->pairs;
  ++counts->kinds[static_cast<size_t>(judgement.kind)];
  ++counts->differences[static_cast<size_t>(judgement.difference)];
  ++counts->grades[std::min<size_t>(judgement.per_mille / 100, 9)];
}

}  // namespace

Result<PairLook> PairLook::Open(Run* run, JudgedCounts* counts) {
  PairLook look;
  look.counts_ = counts;
  if (TemplateCheck::IsNeeded(*run)) {
    TWINSET_ASSIGN(look.check_, TemplateCheck::Open(run));
  }
  if (run->plan.options.kinds) {
    TWINSET_ASSIGN(look.judging_, PairJudging::Open(run));
  }
  return look;
}

bool PairLook::ReadsTexts(const Run& run) {
  return TemplateCheck::IsNeeded(run) || run.plan.options.kinds;
}

std::string PairLook::Columns() const {
  return std::string(check_ ? ",template_differs" : "") +
         (judging_ ? ",duplicate_kind,difference,grade" : "");
}

void PairLook::AddTo(RowText* row, const PairFindings& findings) const {
  if (check_) row->Flag("template_differs", findings.template_differs);
  if (!judging_) return;
  const Judgement& judgement = findings.judgement;
  row->Text("duplicate_kind", ChoiceName(judgement.kind))
      .Text("difference", ChoiceName(judgement.difference))
      .Number("grade", judgement.per_mille / 1000.0);
}

Status PairLook::AddChecked(uint64_t a, uint64_t b, bool template_differs,
                            std::function<Status(const PairFindings&)> done) {
  if (!judging_) return done({template_differs, {}});
  return judging_->Add(a, b,
                       [this, template_differs, done = std::move(done)](
                           const Judgement& judgement) -> Status {
                         if (counts_ != nullptr) Count(judgement, counts_);
                         return done({template_differs, judgement});
                       });
}

Status PairLook::Add(uint64_t a, uint64_t b, bool alike,
                     std::function<Status(const PairFindings&)> done) {
  if (!check_) return AddChecked(a, b, false, std::move(done));
  return check_->Add(std::min(a, b), std::max(a, b), alike,
                     [this, a, b, done = std::move(done)](bool differs) {
                       return AddChecked(a, b, differs, done);
                     });
}

Status PairLook::Flush() {
  if (check_) TWINSET_TRY(check_->Flush());
  return judging_ ? judging_->Flush() : Status();
}

}  // namespace twinset
