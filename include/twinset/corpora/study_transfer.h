// What a study finds when judgements are carried over: the judgements, the
// comparison of systems under them, and what people say of the pairs
// (docs/methods/transfer-study.md).
#ifndef TWINSET_CORPORA_STUDY_TRANSFER_H_
#define TWINSET_CORPORA_STUDY_TRANSFER_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "twinset/corpora/qrels.h"
#include "twinset/corpora/run_comparison.h"
#include "twinset/corpora/study_counts.h"

namespace twinset {
inline namespace v1 {

// Documents of B that get judgements of several documents of A.
struct StudySeveral {
  uint64_t agree = 0, conflict = 0;

  static void Fields(auto& several, auto& field) {
    field("agree", several.agree);
    field("conflict", several.conflict);
  }
};

// What each rule would transfer.
struct StudyByRule {
  std::array<GradeCounts, kConflictRules> rules;

  static void Fields(auto& by_rule, auto& field) {
    field.template ByChoice<ConflictRule>(by_rule.rules);
  }
};

struct StudyTransfer {
  // Judgements by grade, of A and as carried over to B.
  struct Topic {
    std::string topic;
    std::map<int64_t, uint64_t> source, transferred;

    static void Fields(auto& row, auto& field) {
      field("topic", row.topic);
      field("source", row.source);
      field("transferred", row.transferred);
    }
  };
  GradeCounts source, transferred;
  StudyShare judgements_with_target;
  // Nothing where no pair is found.
  std::optional<uint64_t> merged, refused_conflict;
  std::optional<StudySeveral> targets_of_several;
  std::optional<StudyByRule> by_rule;
  // Nothing where no judgement is carried over.
  std::optional<std::vector<Topic>> topics;

  static void Fields(auto& found, auto& field) {
    field("source", found.source);
    field("transferred", found.transferred);
    field("judgements_with_target", found.judgements_with_target);
    field("merged", found.merged);
    field("refused_conflict", found.refused_conflict);
    field("targets_of_several", found.targets_of_several);
    field("by_rule", found.by_rule);
    field("topics", found.topics);
  }
};

// The systems under one condition against those of A under A's judgements.
struct StudyComparison {
  struct System {
    std::string system;
    std::optional<double> first, second;  // means of the measure
    uint64_t first_rank = 0, second_rank = 0;
    std::optional<double> unjudged_10;

    static void Fields(auto& row, auto& field) {
      field("system", row.system);
      field.OrNull("first", row.first);
      field.OrNull("second", row.second);
      field("first_rank", row.first_rank);
      field("second_rank", row.second_rank);
      field.OrNull("unjudged_10", row.unjudged_10);
    }
  };
  // Nothing where a side has no order; `undefined` says why.
  std::optional<double> tau_b, tau_ap, rbo;
  uint64_t pairs = 0, swapped = 0, tied = 0;
  std::optional<std::string> undefined;
  std::array<uint64_t, kSwapKinds> significance{};  // by SwapKind
  std::optional<double> unjudged_10;                // mean of the systems
  uint64_t topics = 0;
  std::vector<System> systems;

  static void Fields(auto& compared, auto& field) {
    field.OrNull("tau_b", compared.tau_b);
    field.OrNull("tau_ap", compared.tau_ap);
    field.OrNull("rbo", compared.rbo);
    field("pairs", compared.pairs);
    field("swapped", compared.swapped);
    field("tied", compared.tied);
    field.OrNull("undefined", compared.undefined);
    field.template ByChoice<SwapKind>("significance", compared.significance);
    field.OrNull("unjudged_10", compared.unjudged_10);
    field("topics", compared.topics);
    field("systems", compared.systems);
  }
};

// One condition with a share of the judgements, over draws of them.
struct StudyFewer {
  struct System {
    std::string system;
    std::optional<double> second;  // mean

    static void Fields(auto& row, auto& field) {
      field("system", row.system);
      field.OrNull("second", row.second);
    }
  };
  uint64_t draws = 0;
  std::optional<double> mean, least, most;  // of tau b
  std::optional<double> swapped;            // mean
  std::vector<System> systems;

  static void Fields(auto& seen, auto& field) {
    field("draws", seen.draws);
    field.OrNull("mean", seen.mean);
    field.OrNull("least", seen.least);
    field.OrNull("most", seen.most);
    field.OrNull("swapped", seen.swapped);
    field("systems", seen.systems);
  }
};

// One finding for each condition. `mapped`: A's rankings with the ids of B;
// `anew`: new rankings of B; `anew_condensed`: without unjudged documents.
template <typename Finding>
struct StudyConditions {
  Finding mapped, anew, anew_condensed;
};

struct StudyFewerRow : StudyConditions<std::optional<StudyFewer>> {
  std::optional<double> share;

  static void Fields(auto& row, auto& field) {
    field.OrNull("share", row.share);
    field.OrNull("mapped", row.mapped);
    field.OrNull("anew", row.anew);
    field.OrNull("anew_condensed", row.anew_condensed);
  }
};

struct StudyCarryOver : StudyConditions<std::optional<StudyComparison>> {
  struct Side {
    struct System {
      std::string system;
      uint64_t documents = 0;

      static void Fields(auto& row, auto& field) {
        field("system", row.system);
        field("documents", row.documents);
      }
    };
    uint64_t documents = 0, topics = 0;
    std::vector<System> systems;

    static void Fields(auto& side, auto& field) {
      field("documents", side.documents);
      field("topics", side.topics);
      field("systems", side.systems);
    }
  };
  std::string measure;
  Side a, b;
  std::optional<StudyShare> ranked_documents_mapped;
  std::optional<std::string> none;  // why nothing is compared
  std::optional<std::vector<StudyFewerRow>> fewer_judgements;

  static void Fields(auto& found, auto& field) {
    field("measure", found.measure);
    field("a", found.a);
    field("b", found.b);
    field("ranked_documents_mapped", found.ranked_documents_mapped);
    field("none", found.none);
    field("mapped", found.mapped);
    field("anew", found.anew);
    field("anew_condensed", found.anew_condensed);
    field("fewer_judgements", found.fewer_judgements);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_TRANSFER_H_
