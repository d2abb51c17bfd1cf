// Lines and judgements of the files of retrieval studies, counted, and shares
// of them.
#ifndef TWINSET_CORPORA_STUDY_COUNTS_H_
#define TWINSET_CORPORA_STUDY_COUNTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "twinset/results.h"
#include "twinset/text_choices.h"

namespace twinset {
inline namespace v1 {

// Counts the lines of files, among them those that break the format or repeat
// an earlier line. No line is passed over without being counted here.
struct LineCounts {
  uint64_t lines = 0;  // all, blank ones included
  uint64_t used = 0;   // those that count
  // Lines that do not count, by reason ("missing-columns", "duplicate", ...); a
  // reason that is absent has none.
  std::map<std::string, uint64_t> left_out;
  // The first kMostLineProblems of them as "FILE:LINE: what".
  std::vector<std::string> problems;
  std::vector<SideRead> files;  // what was read of each file
  uint64_t left_out_in_all() const;

  static void Fields(auto& counts, auto& field) {
    field("lines", counts.lines);
    field("used", counts.used);
    field("left_out", counts.left_out);
    field.Derived("files", SidesJson(counts.files));
    field("problems", counts.problems);
  }
};
// Lines by their part in the command.
struct LinesOf {
  std::string side;  // "judgements"
  const LineCounts* counts;
  std::string name = {};  // of one among several of a side: of a run
};
using LinesRead = std::vector<LinesOf>;
// What was read of each of their files.
std::vector<SideRead> SidesOf(const LinesRead& lines);
inline constexpr size_t kMostLineProblems = 20;

// Judgements counted.
struct GradeCounts {
  uint64_t judgements = 0, documents = 0, topics = 0;
  std::map<int64_t, uint64_t> by_grade;
  // Topics with at least one, and with at least five, judgements of grade 1 or
  // more.
  uint64_t topics_with_1_relevant = 0, topics_with_5_relevant = 0;

  static void Fields(auto& counts, auto& field) {
    field("judgements", counts.judgements);
    field("documents", counts.documents);
    field("topics", counts.topics);
    field("by_grade", counts.by_grade);
    field("topics_with_1_relevant", counts.topics_with_1_relevant);
    field("topics_with_5_relevant", counts.topics_with_5_relevant);
  }
};

// A share with Wilson's interval of 95 %. As all numbers of studies that are no
// counts it is rounded to six decimals, so that a resumed study has the same.
struct StudyShare {
  uint64_t part = 0, whole = 0;
  std::optional<double> share;  // nothing without a whole
  double low = 0, high = 1;

  static void Fields(auto& share, auto& field) {
    field("part", share.part);
    field("whole", share.whole);
    field.OrNull("share", share.share);
    field("low", share.low);
    field("high", share.high);
  }
};

// A finding about documents under one kind of content.
template <typename Finding>
struct StudyOf {
  ContentMode content = ContentMode::kAll;
  Finding found;

  static void Fields(auto& row, auto& field) {
    field("content", row.content);
    Finding::Fields(row.found, field);
  }
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CORPORA_STUDY_COUNTS_H_
