// Drawings of what methods do with two or a few documents. Each shows a bounded
// number of things, however many there are, and its note counts the others.
#ifndef TWINSET_SRC_STAGES_REPORT_STEP_DRAWINGS_H_
#define TWINSET_SRC_STAGES_REPORT_STEP_DRAWINGS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/html_blocks.h"

namespace twinset {

// ---- Two sequences, place by place ----

// The places of two documents side by side, cut into rows.
struct SlotRows {
  struct Row {
    std::string name;
    std::vector<bool> equal;  // by place
    bool all_equal() const;
  };
  std::string title, a, b;  // of what; the documents
  std::string row, place;   // what a row and a place of it are: "band", "slot"
  std::string meaning;      // of a row that agrees as a whole; empty: nothing
  std::vector<Row> rows;
};
html::Drawing DrawSlots(const SlotRows& slots);

// ---- Votes ----

// The sums of votes for each bit of one document or two: bars above and below
// zero, the bits that they decide, and where these differ.
struct BitVotes {
  std::string title;
  std::vector<std::pair<std::string, std::vector<int64_t>>> documents;
};
html::Drawing DrawVotes(const BitVotes& votes);

// ---- Marks along lines ----

// A line for each document with marks from 0 to 1.
struct MarkLines {
  enum Kind : uint8_t { kLeftOut, kKept, kShared };
  struct Mark {
    double from = 0, to = 0;  // the same: a stroke
    Kind kind = kLeftOut;
  };
  std::string title, low, high;        // what stands at both ends
  std::string left_out, kept, shared;  // what the kinds are
  std::string mark;                    // what a mark is: "hash"
  struct Line {
    std::string name;
    std::vector<Mark> marks;
  };
  std::vector<Line> lines;
};
html::Drawing DrawMarks(const MarkLines& marks);
// A line whose marks follow each other without gaps, one for each kind.
MarkLines::Line LineOfKinds(std::string name,
                            const std::vector<MarkLines::Kind>& kinds);

// ---- Named bars ----

// Bars to the right, in the order of their values; those that stay are full.
struct NamedBars {
  std::string title, value;    // of what; what the length is: "IDF"
  std::string kept, left_out;  // what the kinds are
  std::string bar;             // what a bar is: "term"
  struct Bar {
    std::string name;
    double length = 0;
    bool is_kept = false;
  };
  std::vector<Bar> bars;
};
html::Drawing DrawBars(const NamedBars& bars);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_REPORT_STEP_DRAWINGS_H_
