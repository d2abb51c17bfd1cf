// What a command read from each of its inputs, so that none is lost in silence.
#ifndef TWINSET_SIDES_H_
#define TWINSET_SIDES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/json.h"

namespace twinset {
inline namespace v1 {

// One side of a command: a corpus, a test set, a snapshot, a file of
// judgements.
struct SideRead {
  std::string side;   // its part in the command: "A", "test set"; may be empty
  std::string input;  // the argument; empty if several inputs are one side
  std::string unit = "document";  // what its records are used as
  uint64_t records = 0, used = 0, quarantined = 0;
  uint64_t wordless = 0;  // used ones without a word, if only words compare
  // The problem of the first quarantined record, or of an input that broke off
  // before it.
  std::string problem = {};

  // "test set te1.jsonl".
  std::string name() const;
};

// "test set te1.jsonl: 2 documents of 3 records, 1 quarantined"; sides are
// separated by semicolons. More than 20 of one name are said as their sum.
std::string SidesText(const std::vector<SideRead>& sides);
// One row per side: {"side","input","records","documents","quarantined"}. The
// unit gives the fourth member its name.
Json SidesJson(const std::vector<SideRead>& sides);

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_SIDES_H_
