// What a command read of each of its inputs: no side is lost in silence.
#ifndef TWINSET_SIDES_H_
#define TWINSET_SIDES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "twinset/json.h"

namespace twinset::inline v1 {

// One side of a command: a corpus, a test set, a snapshot, a file of
// judgements.
struct SideRead {
  std::string side;   // its part in the command: "A", "test set"; may be empty
  std::string input;  // the argument; empty where several are one side
  std::string unit = "document";  // what of its records is used
  uint64_t records = 0, used = 0, quarantined = 0;
  uint64_t wordless = 0;  // of those used, where only words are compared
  // Of the first quarantined record, or of an input that broke off before it.
  std::string problem = {};

  // "test set te1.jsonl".
  std::string name() const;
};

// "test set te1.jsonl: 2 documents of 3 records, 1 quarantined"; sides are
// separated by semicolons.
std::string SidesText(const std::vector<SideRead>& sides);
// A row each: {"side","input","records","documents","quarantined"}; the fourth
// is called by the unit.
Json SidesJson(const std::vector<SideRead>& sides);

}  // namespace twinset::inline v1

#endif  // TWINSET_SIDES_H_
