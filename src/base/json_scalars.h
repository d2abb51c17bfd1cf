// Numbers of JSON as they are written.
#ifndef TWINSET_SRC_BASE_JSON_SCALARS_H_
#define TWINSET_SRC_BASE_JSON_SCALARS_H_

#include <string>
#include <string_view>

namespace twinset::inline v1 {

// The same JSON with each number and truth value as a string, as it is written:
// 1.50 becomes "1.50". So ids are what rows of documents make of them
// (docs/formats/inputs.md). `json` is valid.
std::string ScalarsAsText(std::string_view json);

}  // namespace twinset::inline v1

#endif  // TWINSET_SRC_BASE_JSON_SCALARS_H_
