// The modes of what is made of inputs that not everybody may read
// (docs/formats/result-folder.md, Modes).
#ifndef TWINSET_SRC_GROUND_BASE_NARROW_MODES_H_
#define TWINSET_SRC_GROUND_BASE_NARROW_MODES_H_

#include <sys/types.h>

#include <string>

namespace twinset {

// What a new file of a result has, before the umask and its inputs take some.
inline constexpr mode_t kResultMode = 0644;

// From now on new files below the folder `place` have at most `mode`. Of
// several such places the longest name counts. One table serves all runs of a
// process: a folder is of one run at a time, and what an earlier one said of
// files in it is forgotten. Thread-safe.
void NarrowModes(const std::string& place, mode_t mode);
// The same of a file, which is `file`.part until it is whole.
void NarrowFileMode(const std::string& file, mode_t mode);
void ForgetModes(const std::string& place);

// `mode` without what the place of `path` denies. Costs a look at each place
// that is open.
mode_t NarrowMode(const std::string& path, mode_t mode);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_NARROW_MODES_H_
