// What a study finds of the addresses that A and B have both, and of the
// documents behind them (docs/methods/transfer-study.md).
#ifndef TWINSET_CORPORA_STUDY_ADDRESSES_H_
#define TWINSET_CORPORA_STUDY_ADDRESSES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/corpora/study_counts.h"
#include "twinset/corpora/urls.h"

namespace twinset {
inline namespace v1 {

struct StudyOverlap {
  StudyShare a_in_b_as_written, a_in_b, b_in_a;
  StudyShare judged_in_b_as_written, judged_in_b;

  static void Fields(auto& overlap, auto& field) {
    field("a_in_b_as_written", overlap.a_in_b_as_written);
    field("a_in_b", overlap.a_in_b);
    field("b_in_a", overlap.b_in_a);
    field("judged_in_b_as_written", overlap.judged_in_b_as_written);
    field("judged_in_b", overlap.judged_in_b);
  }
};

struct StudyTopLevelOverlap : StudyOverlap {
  std::string top_level;

  static void Fields(auto& row, auto& field) {
    field("top_level", row.top_level);
    StudyOverlap::Fields(row, field);
  }
};

struct StudyAddressOverlap : StudyOverlap {
  struct Common {
    uint64_t as_written = 0, under_all_rules = 0;

    static void Fields(auto& common, auto& field) {
      field("as_written", common.as_written);
      field("under_all_rules", common.under_all_rules);
    }
  } common;
  struct Rule {
    UrlRule rule = {};
    uint64_t alone = 0, so_far = 0;  // common addresses

    static void Fields(auto& row, auto& field) {
      field("rule", row.rule);
      field("alone", row.alone);
      field("so_far", row.so_far);
    }
  };
  std::vector<Rule> rules;
  std::vector<StudyTopLevelOverlap> by_top_level;
  std::string public_suffixes;  // the date of the list
  std::vector<std::string> warnings;

  static void Fields(auto& overlap, auto& field) {
    StudyOverlap::Fields(overlap, field);
    field("common", overlap.common);
    field("rules", overlap.rules);
    field("by_top_level", overlap.by_top_level);
    field("public_suffixes", overlap.public_suffixes);
    field("warnings", overlap.warnings);
  }
};

// How alike documents of one address are.
struct StudySimilarity {
  uint64_t pairs = 0;
  StudyShare near_duplicates;
  std::optional<double> mean, median;

  static void Fields(auto& alike, auto& field) {
    field("pairs", alike.pairs);
    field("near_duplicates", alike.near_duplicates);
    field.OrNull("mean", alike.mean);
    field.OrNull("median", alike.median);
  }
};

struct StudyTopLevelSimilarity : StudySimilarity {
  std::string top_level;

  static void Fields(auto& row, auto& field) {
    field("top_level", row.top_level);
    StudySimilarity::Fields(row, field);
  }
};

struct StudySimilarities : StudySimilarity {
  std::vector<StudyTopLevelSimilarity> by_top_level;

  static void Fields(auto& alike, auto& field) {
    StudySimilarity::Fields(alike, field);
    field("by_top_level", alike.by_top_level);
  }
};

struct StudyAddresses {
  std::optional<StudyAddressOverlap> overlap;  // nothing without addresses
  struct Without {
    StudyShare a, b;

    static void Fields(auto& without, auto& field) {
      field("a", without.a);
      field("b", without.b);
    }
  } without_address;
  // They are of the judged documents of A, and of all of A.
  std::vector<StudyOf<StudySimilarities>> judged, all;

  static void Fields(auto& found, auto& field) {
    field.OrNull("overlap", found.overlap);
    field("without_address", found.without_address);
    field("judged", found.judged);
    field("all", found.all);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_ADDRESSES_H_
