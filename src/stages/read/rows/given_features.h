// Features that a row carries itself, with their weights, in place of a text
// (docs/methods/shingles.md).
#ifndef TWINSET_SRC_STAGES_READ_ROWS_GIVEN_FEATURES_H_
#define TWINSET_SRC_STAGES_READ_ROWS_GIVEN_FEATURES_H_

#include <memory>
#include <string>
#include <string_view>

namespace twinset {

// Reads such a field. Not thread-safe.
class GivenFeatures {
 public:
  GivenFeatures();
  ~GivenFeatures();

  // `json`: {"name": weight, ...}, or a list of which each element is "name" or
  // ["name", weight]. Sets *text to a line for each feature in its order: its
  // name, in which a backslash, a tab, a line feed and a carriage return are
  // written with a backslash, and where the field says one, a tab and its
  // weight as written. A weight is a number from 2^-16 to 65535. Empty when
  // that worked, else why not; *text is then empty. Linear time.
  std::string Read(std::string_view json, std::string* text);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_STAGES_READ_ROWS_GIVEN_FEATURES_H_
