// JSON values that never throw and never end the program: the only access to
// JSON in the library and its programs. Asking a value for another type than
// its own gives a default; bytes that are not UTF-8 are written as U+FFFD. A
// value is as thread-safe as a std::vector.
#ifndef TWINSET_JSON_H_
#define TWINSET_JSON_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "twinset/choices.h"

namespace twinset {
inline namespace v1 {

// Null, a boolean, a number, a string, an array, or an object whose members
// stay in the order in which they came; or "discarded", which Parse gives for
// text that is not JSON.
class Json {
 public:
  Json() = default;
  Json(std::nullptr_t) {}
  template <std::same_as<bool> T>
  Json(T value) : value_(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value) {
    if (value < 0)
      value_ = static_cast<int64_t>(value);
    else
      value_ = static_cast<uint64_t>(value);
  }
  template <std::floating_point T>
  Json(T value) : value_(static_cast<double>(value)) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  template <ChoiceEnum T>
  Json(T value) : Json(ChoiceName(value)) {}
  template <typename T>
  Json(const std::vector<T>& list) : Json(array()) {
    for (const auto& item : list) push_back(Json(static_cast<T>(item)));
  }
  template <typename T, size_t kSize>
  Json(const std::array<T, kSize>& list) : Json(array()) {
    for (const T& item : list) push_back(Json(item));
  }
  template <typename T>
  Json(const std::map<std::string, T>& members) : Json(object()) {
    for (const auto& [key, value] : members) (*this)[key] = Json(value);
  }
  // An object when every value is an array of a string and one more value,
  // else an array.
  Json(std::initializer_list<Json> values);

  static Json array(std::initializer_list<Json> values = {});
  static Json object() { return Json(Object{}); }
  static Json discarded() { return Json(Discarded{}); }
  // The value that `text` holds; discarded when the text is not JSON, or is
  // nested deeper than kDeepest. When several members have one name, the last
  // counts.
  static Json Parse(std::string_view text);
  static constexpr size_t kDeepest = 100;  // code visits values recursively

  bool is_null() const { return Is<std::monostate>(); }
  bool is_discarded() const { return Is<Discarded>(); }
  bool is_boolean() const { return Is<bool>(); }
  bool is_number_integer() const { return Is<int64_t>() || Is<uint64_t>(); }
  bool is_number_unsigned() const { return Is<uint64_t>(); }
  bool is_number_float() const { return Is<double>(); }
  bool is_number() const { return is_number_integer() || is_number_float(); }
  bool is_string() const { return Is<std::string>(); }
  bool is_array() const { return Is<Array>(); }
  bool is_object() const { return Is<Object>(); }

  // The value as T; T() when it is of another type, or a number that T cannot
  // hold.
  template <typename T>
  T get() const {
    T value{};
    get_to(value);
    return value;
  }
  // The same, but `value` stays as it is when there is nothing to give.
  template <typename T>
  void get_to(T& value) const {
    Read(&value);
  }
  // The string, or null when the value is not a string.
  const std::string* if_string() const {
    return std::get_if<std::string>(&value_);
  }

  // Size of an array or object; 0 for everything else. Iteration visits the
  // values.
  size_t size() const;
  bool empty() const { return size() == 0; }
  Json* begin();
  Json* end() { return begin() + size(); }
  const Json* begin() const;
  const Json* end() const { return begin() + size(); }
  Json& front() { return *begin(); }
  const Json& front() const { return *begin(); }
  Json& back() { return *(end() - 1); }
  const Json& back() const { return *(end() - 1); }

  // The member of an object; end() when there is none.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != end(); }
  // The member or item; null when there is none.
  const Json& operator[](std::string_view key) const;
  const Json& at(std::string_view key) const { return (*this)[key]; }
  template <std::integral Index>
  const Json& operator[](Index index) const {
    return Item(static_cast<size_t>(index));
  }
  // The same, but a missing one is made, and a value that is not an object
  // (array) becomes one.
  Json& operator[](std::string_view key);
  template <std::integral Index>
  Json& operator[](Index index) {
    return MutableItem(static_cast<size_t>(index));
  }
  // The member, or `fallback` when there is none or it is of another type.
  template <typename T>
  T value(std::string_view key, T fallback) const {
    (*this)[key].get_to(fallback);
    return fallback;
  }
  std::string value(std::string_view key, const char* fallback) const {
    return value(key, std::string(fallback));
  }

  // Name and value of each member; for arrays the names are empty.
  struct Member {
    const std::string& key;
    const Json& value;
  };
  std::vector<Member> items() const;

  void push_back(Json item);
  void erase(std::string_view key);
  // Takes over the members of `other`.
  void update(const Json& other);
  // Sorts the members of all objects by their names.
  void SortKeys();

  // As text: on one line, or with `indent` spaces per level.
  std::string dump(int indent = -1) const;

  // Numbers are compared by value.
  friend bool operator==(const Json& x, const Json& y) { return x.Equals(y); }

 private:
  struct Discarded {
    bool operator==(const Discarded&) const = default;
  };
  using Array = std::vector<Json>;
  struct Object {  // keys[i] names values[i]
    std::vector<std::string> keys;
    std::vector<Json> values;
  };
  class Builder;

  explicit Json(Object members) : value_(std::move(members)) {}
  explicit Json(Discarded value) : value_(value) {}

  template <typename T>
  bool Is() const {
    return std::holds_alternative<T>(value_);
  }
  const Json& Item(size_t index) const;
  Json& MutableItem(size_t index);
  bool Equals(const Json& other) const;
  void Append(int indent, int level, std::string* to) const;

  void Read(Json* value) const { *value = *this; }
  void Read(bool* value) const {
    if (const bool* own = std::get_if<bool>(&value_)) *value = *own;
  }
  void Read(std::string* value) const {
    if (const std::string* own = if_string()) *value = *own;
  }
  template <std::floating_point T>
  void Read(T* value) const {
    if (const auto* real = std::get_if<double>(&value_))
      *value = static_cast<T>(*real);
    else if (const auto* natural = std::get_if<uint64_t>(&value_))
      *value = static_cast<T>(*natural);
    else if (const auto* negative = std::get_if<int64_t>(&value_))
      *value = static_cast<T>(*negative);
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void Read(T* value) const {
    if (const auto* natural = std::get_if<uint64_t>(&value_)) {
      if (std::in_range<T>(*natural)) *value = static_cast<T>(*natural);
    } else if (const auto* negative = std::get_if<int64_t>(&value_)) {
      if (std::in_range<T>(*negative)) *value = static_cast<T>(*negative);
    } else if (const auto* real = std::get_if<double>(&value_)) {
      using Limits = std::numeric_limits<T>;
      // The maximum of T as a double may be one above it.
      if (*real >= static_cast<double>(Limits::min()) &&
          *real < static_cast<double>(Limits::max()))
        *value = static_cast<T>(*real);
    }
  }
  template <typename T>
  void Read(std::vector<T>* list) const {
    if (!is_array()) return;
    list->clear();
    for (const Json& item : *this) list->push_back(item.get<T>());
  }
  template <typename T, size_t kSize>
  void Read(std::array<T, kSize>* list) const {
    for (size_t i = 0; is_array() && i < kSize && i < size(); ++i)
      (*list)[i] = (*this)[i].get<T>();
  }
  template <typename T>
  void Read(std::map<std::string, T>* members) const {
    if (!is_object()) return;
    members->clear();
    for (const auto& [key, value] : items())
      (*members)[key] = value.template get<T>();
  }

  std::variant<std::monostate, Discarded, bool, int64_t, uint64_t, double,
               std::string, Array, Object>
      value_;
};

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_JSON_H_
