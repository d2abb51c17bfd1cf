// Words for tests.
#ifndef TWINSET_SRC_GROUND_BASE_TEST_WORDS_H_
#define TWINSET_SRC_GROUND_BASE_TEST_WORDS_H_

#include <string>

namespace twinset {

// "w7 w8 w9 ": texts whose numbers overlap share words in their order.
inline std::string NumberedWords(int first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "w" + std::to_string(first + i) + " ";
  return text;
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_TEST_WORDS_H_
