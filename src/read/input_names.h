// What the inputs of one side are called: the one place where sources get their
// names (docs/formats/inputs.md, Names of sources).
#ifndef TWINSET_SRC_READ_INPUT_NAMES_H_
#define TWINSET_SRC_READ_INPUT_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "read/input_list.h"

namespace twinset::inline v1 {

// Gives files [frozen, end) of the list names that differ from each other and
// from those of [begin, frozen), which keep theirs: a saved run has written
// them into its rows. Where names clash, the clashing files take the least
// number of further folders of their real path that makes them unique, and all
// others stay untouched. Files that differ only in the suffix of their
// compression keep it. The same file named again gets `#2`. The names depend on
// the files and their order alone. Time: that of a sort, and a look at the
// folder of each file whose name clashes. Memory: 16 bytes a file, and the
// paths of those that clash.
void NameApart(size_t begin, size_t frozen, size_t end, InputList* list);

// What the arguments of one side are called, which may be folders: the last
// part of each, or what NameApart makes of those that share one.
std::vector<std::string> NamesApart(const std::vector<std::string>& arguments);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_READ_INPUT_NAMES_H_
