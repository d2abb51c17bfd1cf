// How flags name fields of rows (docs/formats/inputs.md, Paths).
#ifndef TWINSET_SRC_STAGES_READ_ROWS_FIELD_PATH_H_
#define TWINSET_SRC_STAGES_READ_ROWS_FIELD_PATH_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

// What stands between texts that are joined.
inline constexpr std::string_view kTextJoint = "\n\n";

// One name between the dots of a path.
struct PathStep {
  static constexpr size_t kNoIndex = static_cast<size_t>(-1);
  std::string key;
  size_t index = kNoIndex;  // of arrays, where the key is a whole number
  bool every = false;       // all elements of an array, where the key is "*"
};

// "text", "metadata.url", "messages.*.content", and for texts several with
// commas between them. A backslash takes the character behind it for one of the
// name.
struct FieldPath {
  std::string name;                          // as given: itself tried first
  std::vector<std::vector<PathStep>> parts;  // else these; empty: nothing else

  // Names one place of a row by nothing but keys, as they are written.
  bool IsOneKey() const;
};

// `several`: commas separate paths.
FieldPath ParseFieldPath(std::string_view name, bool several);

// The names between the commas of a list, without its backslashes: for columns,
// in which dots mean nothing. One name when there is no comma.
std::vector<std::string> SplitFieldNames(std::string_view names);

// A name of a row as a path names it.
std::string EscapedFieldName(std::string_view name);

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ROWS_FIELD_PATH_H_
