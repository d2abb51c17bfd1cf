// What the searches of a study find (docs/methods/transfer-study.md).
#ifndef TWINSET_CORPORA_STUDY_SEARCHES_H_
#define TWINSET_CORPORA_STUDY_SEARCHES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/corpora/study_counts.h"
#include "twinset/text_choices.h"

namespace twinset {
inline namespace v1 {

// A part of B.
struct StudySegment {
  std::string segment;
  uint64_t documents = 0;

  static void Fields(auto& row, auto& field) {
    field("segment", row.segment);
    field("documents", row.documents);
  }
};

struct StudyJudgements {
  struct File {
    std::string file;
    GradeCounts counts;

    static void Fields(auto& row, auto& field) {
      field("file", row.file);
      field("counts", row.counts);
    }
  };
  std::vector<File> files;
  GradeCounts all;
  StudyShare judged_in_a;  // documents

  static void Fields(auto& found, auto& field) {
    field("files", found.files);
    field("all", found.all);
    field("judged_in_a", found.judged_in_a);
  }
};

// Candidates of the judged documents in one part of B.
struct StudySegmentSearch {
  std::string segment;
  uint64_t documents_of_b = 0, pairs = 0, found = 0, near = 0;
  // Candidates of the documents that have one; nothing where none has.
  std::optional<double> mean, quartile1, median, quartile3;
  std::optional<uint64_t> most;
  uint64_t found_so_far = 0, near_so_far = 0;  // with the parts before

  static void Fields(auto& row, auto& field) {
    field("segment", row.segment);
    field("documents_of_b", row.documents_of_b);
    field("pairs", row.pairs);
    field("found", row.found);
    field("near", row.near);
    field("mean", row.mean);
    field("quartile1", row.quartile1);
    field("median", row.median);
    field("quartile3", row.quartile3);
    field("most", row.most);
    field("found_so_far", row.found_so_far);
    field("near_so_far", row.near_so_far);
  }
};

inline constexpr size_t kStudyBins = 20;  // of similarities, from 0 to 1

struct StudyJudgedSearch {
  struct Hub {
    std::string id;
    uint64_t candidates = 0;

    static void Fields(auto& hub, auto& field) {
      field("id", hub.id);
      field("candidates", hub.candidates);
    }
  };
  uint64_t documents = 0, pairs = 0, near_pairs = 0;
  StudyShare found, near, precision_of_pairs, precision_of_documents;
  std::vector<Hub> hubs;  // documents with the most candidates
  std::array<uint64_t, kStudyBins> similarity_of_all{}, similarity_of_best{};
  std::vector<StudySegmentSearch> segments;

  static void Fields(auto& judged, auto& field) {
    field("documents", judged.documents);
    field("pairs", judged.pairs);
    field("near_pairs", judged.near_pairs);
    field("found", judged.found);
    field("near", judged.near);
    field("precision_of_pairs", judged.precision_of_pairs);
    field("precision_of_documents", judged.precision_of_documents);
    field("hubs", judged.hubs);
    field("similarity_of_all", judged.similarity_of_all);
    field("similarity_of_best", judged.similarity_of_best);
    field("segments", judged.segments);
  }
};

struct StudySearch {
  ContentMode content = ContentMode::kAll;
  std::string mix;                          // or "complete"
  std::optional<StudyJudgedSearch> judged;  // nothing for the control
  struct All {
    uint64_t pairs = 0, near_pairs = 0;
    uint64_t found = 0, near = 0;  // documents of A

    static void Fields(auto& all, auto& field) {
      field("pairs", all.pairs);
      field("near_pairs", all.near_pairs);
      field("found", all.found);
      field("near", all.near);
    }
  } all;

  static void Fields(auto& search, auto& field) {
    field("content", search.content);
    field("mix", search.mix);
    field("judged", search.judged);
    field("all", search.all);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_SEARCHES_H_
