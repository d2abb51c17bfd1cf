// JSON text the way every engine must write it, byte for byte.
#ifndef TWINSET_SRC_GROUND_BASE_JSON_TEXT_H_
#define TWINSET_SRC_GROUND_BASE_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

// A string with quotes: the two mandatory escapes, \b \f \n \r \t, \u00XX for
// other control characters; malformed UTF-8 becomes U+FFFD; everything else as
// it is.
void AppendJsonString(std::string* to, std::string_view text);
// Length of the well-formed UTF-8 sequence at the front of `text`, which is not
// empty; 0 if there is none.
size_t Utf8SequenceLength(std::string_view text);
// Shortest form that reads back to the same double; finite values only.
void AppendDouble(std::string* to, double value);

// Builds objects: {"a":1,"b":"x"}, one or many lines of them. Keys are ASCII
// literals.
class JsonRow {
 public:
  JsonRow& Text(std::string_view key, std::string_view value);
  JsonRow& Integer(std::string_view key, uint64_t value);
  JsonRow& Number(std::string_view key, double value);
  JsonRow& Bool(std::string_view key, bool value);
  // `json` is a value as it is written.
  JsonRow& Value(std::string_view key, std::string_view json);
  // The finished object; the row is then empty again.
  std::string Take();
  // Ends the object and its line; what follows is the next one.
  void EndLine();
  // All lines since Clear.
  std::string_view text() const { return {text_.data(), size_}; }
  void Clear() { size_ = 0; }

 private:
  char* Room(size_t bytes);
  char* Key(std::string_view key, size_t value_bytes);
  std::string text_;  // longer than what is written of it
  size_t size_ = 0;
  bool in_object_ = false;
};

// The same JSON with each number and truth value as a string, as it is written:
// 1.50 becomes "1.50". So ids are what rows of documents make of them
// (docs/formats/inputs.md). `json` is valid.
std::string ScalarsAsText(std::string_view json);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_JSON_TEXT_H_
