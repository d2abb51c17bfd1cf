// Structs as JSON and back. Each has one list of its fields, in the order in
// which every output has them:
//
//   struct VerifyCounts {
//     uint64_t compared = 0;
//     std::optional<uint64_t> corrected;  // left out when it is not set
//     static void Fields(auto& counts, auto& field) {
//       field("compared", counts.compared);
//       field("corrected", counts.corrected);
//     }
//   };
//
// A field is a number, a truth, a choice, a text, a struct with a list, or a
// vector, array, pair or map of these; a number that is written rounded is
// field.Rounded(name, number, decimals), an optional that JSON always has
// field.OrNull(name, value), counts by choice field.template
// ByChoice<Enum>(array) or, as an object, ByChoice<Enum>(name, array), what is
// computed from other fields field.Derived(name, value), what only rows of CSV
// and tables have field.Column(name, value), and field.BySource(name, vector)
// has one number for each source. report/field_rows.h writes the same lists as
// CSV and as tables.
#ifndef TWINSET_SRC_GROUND_CORE_FIELD_LIST_H_
#define TWINSET_SRC_GROUND_CORE_FIELD_LIST_H_

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/field_writer.h"
#include "twinset/choices.h"
#include "twinset/json.h"

namespace twinset {

// False when the text is not one of `sources` numbers. Takes no more memory
// than these.
bool UnpackCounts(std::string_view text, size_t sources,
                  std::vector<uint64_t>* counts);

namespace field_list {

// `ok()` is false once a field was missing or of another type.
class Reader {
 public:
  Reader(const Json& json, size_t sources)
      : json_(json), sources_(sources), ok_(json.is_object()) {}

  template <typename T>
  void operator()(const char* name, T& value) {
    ok_ = ok_ && Read(json_[name], &value);
  }
  template <typename T>
  void operator()(const char* name, std::optional<T>& value) {
    value.reset();
    if (json_.contains(name)) (*this)(name, value.emplace());
  }
  void Rounded(const char* name, double& value, int) { (*this)(name, value); }
  template <typename T>
  void OrNull(const char* name, std::optional<T>& value, int = 0) {
    value.reset();
    if (!json_.contains(name)) ok_ = false;
    if (!json_[name].is_null()) (*this)(name, value.emplace());
  }
  template <ChoiceEnum T, typename V, size_t kSize>
  void ByChoice(std::array<V, kSize>& values) {
    for (const auto& choice : kChoices<T>)
      ok_ = ok_ && Read(json_[choice.name],
                        &values[static_cast<size_t>(choice.value)]);
  }
  template <ChoiceEnum T, typename V, size_t kSize>
  void ByChoice(const char* name, std::array<V, kSize>& values) {
    Reader reader(json_[name], sources_);
    reader.ByChoice<T>(values);
    ok_ = ok_ && reader.ok();
  }
  template <typename T>
  void Derived(const char*, const T&) {}
  void Column(const char*, const auto&) {}
  void BySource(const char* name, std::vector<uint64_t>& counts) {
    const std::string* text = json_[name].if_string();
    ok_ = ok_ && text != nullptr && UnpackCounts(*text, sources_, &counts);
  }
  bool ok() const { return ok_; }

 private:
  template <std::integral T>
  requires(!std::same_as<T, bool>) static bool Read(const Json& json,
                                                    T* value) {
    json.get_to(*value);
    return json == Json(*value);
  }
  static bool Read(const Json& json, bool* value) {
    json.get_to(*value);
    return json.is_boolean();
  }
  template <ChoiceEnum T>
  static bool Read(const Json& json, T* value) {
    const auto choice = FindChoice<T>(json.get<std::string>());
    if (choice) *value = *choice;
    return choice.has_value();
  }
  static bool Read(const Json& json, double* value) {
    json.get_to(*value);
    return json.is_number();
  }
  static bool Read(const Json& json, std::string* text) {
    json.get_to(*text);
    return json.is_string();
  }
  template <Struct T>
  bool Read(const Json& json, T* counts) {
    Reader reader(json, sources_);
    T::Fields(*counts, reader);
    return reader.ok();
  }
  template <typename A, typename B>
  bool Read(const Json& json, std::pair<A, B>* pair) {
    return json.is_array() && json.size() == 2 && Read(json[0], &pair->first) &&
           Read(json[1], &pair->second);
  }
  template <typename T>
  bool Read(const Json& json, std::vector<T>* list) {
    list->clear();
    if (!json.is_array()) return false;
    for (const Json& item : json)
      if (!Read(item, &list->emplace_back())) return false;
    return true;
  }
  template <typename T, size_t kSize>
  bool Read(const Json& json, std::array<T, kSize>* list) {
    if (!json.is_array() || json.size() != kSize) return false;
    for (size_t i = 0; i < kSize; ++i)
      if (!Read(json[i], &(*list)[i])) return false;
    return true;
  }
  template <typename T>
  bool Read(const Json& json, std::map<std::string, T>* members) {
    members->clear();
    if (!json.is_object()) return false;
    for (const auto& [key, value] : json.items())
      if (!Read(value, &(*members)[key])) return false;
    return true;
  }
  template <std::integral K, typename T>
  bool Read(const Json& json, std::map<K, T>* members) {
    members->clear();
    if (!json.is_object()) return false;
    for (const auto& [name, value] : json.items()) {
      K key{};
      const char* end = name.data() + name.size();
      const auto read = std::from_chars(name.data(), end, key);
      if (read.ec != std::errc() || read.ptr != end) return false;
      if (!Read(value, &(*members)[key])) return false;
    }
    return true;
  }

  const Json& json_;
  const size_t sources_;
  bool ok_;
};

}  // namespace field_list

template <typename T>
Json FieldsToJson(const T& fields) {
  return field_list::ToJson(fields);
}

// Reads any JSON. Returns false, with `fields` in no certain state, when one is
// missing or has another type, or when it has other than `sources` numbers by
// source.
template <typename T>
bool FieldsFromJson(const Json& json, size_t sources, T* fields) {
  field_list::Reader reader(json, sources);
  T::Fields(*fields, reader);
  return reader.ok();
}

// A stage that had nothing to do counts nothing: {}.
template <typename T>
Json FieldsToJson(const std::optional<T>& fields) {
  return fields ? FieldsToJson(*fields) : Json::object();
}
template <typename T>
bool FieldsFromJson(const Json& json, size_t sources,
                    std::optional<T>* fields) {
  fields->reset();
  return json.is_object() &&
         (json.empty() || FieldsFromJson(json, sources, &fields->emplace()));
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_FIELD_LIST_H_
