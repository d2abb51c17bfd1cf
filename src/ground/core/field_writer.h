// Lists of fields (core/field_list.h) to JSON.
#ifndef TWINSET_SRC_GROUND_CORE_FIELD_WRITER_H_
#define TWINSET_SRC_GROUND_CORE_FIELD_WRITER_H_

#include <array>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/math/round_to.h"
#include "twinset/choices.h"
#include "twinset/json.h"
#include "twinset/results.h"

namespace twinset {

// Numbers by source as a short text: "3,1x500,0".
std::string PackCounts(const std::vector<uint64_t>& counts);

namespace field_list {

class Writer;

template <typename T>
concept Struct = requires(const T& counts, Writer& writer) {
  T::Fields(counts, writer);
};

template <typename T>
Json ToJson(const T& value) {
  return Json(value);
}
inline Json ToJson(const Share& share) { return RoundTo(share.value(), 6); }
template <Struct T>
Json ToJson(const T& counts);
template <typename A, typename B>
Json ToJson(const std::pair<A, B>& pair) {
  return Json::array({ToJson(pair.first), ToJson(pair.second)});
}
template <typename T>
Json ToJson(const std::vector<T>& list) {
  Json json = Json::array();
  for (const T& item : list) json.push_back(ToJson(item));
  return json;
}
template <typename T>
Json ToJson(const std::map<std::string, T>& members) {
  Json json = Json::object();
  for (const auto& [key, value] : members) json[key] = ToJson(value);
  return json;
}
template <std::integral K, typename T>
Json ToJson(const std::map<K, T>& members) {
  Json json = Json::object();
  for (const auto& [key, value] : members)
    json[std::to_string(key)] = ToJson(value);
  return json;
}
template <typename T, size_t kSize>
Json ToJson(const std::array<T, kSize>& list) {
  Json json = Json::array();
  for (const T& item : list) json.push_back(ToJson(item));
  return json;
}

class Writer {
 public:
  template <typename T>
  void operator()(const char* name, const T& value) {
    json_[name] = ToJson(value);
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) {
    if (value) json_[name] = ToJson(*value);
  }
  void Rounded(const char* name, double value, int decimals) {
    json_[name] = RoundTo(value, decimals);
  }
  // Null where there is none.
  template <typename T>
  void OrNull(const char* name, const std::optional<T>& value) {
    json_[name] = value ? ToJson(*value) : Json();
  }
  void OrNull(const char* name, const std::optional<double>& value,
              int decimals) {
    json_[name] = value ? Json(RoundTo(*value, decimals)) : Json();
  }
  template <ChoiceEnum T, typename V, size_t kSize>
  void ByChoice(const std::array<V, kSize>& values) {
    for (const auto& choice : kChoices<T>)
      json_[choice.name] = ToJson(values[static_cast<size_t>(choice.value)]);
  }
  // As an object.
  template <ChoiceEnum T, typename V, size_t kSize>
  void ByChoice(const char* name, const std::array<V, kSize>& values) {
    Writer writer;
    writer.ByChoice<T>(values);
    json_[name] = writer.Take();
  }
  template <typename T>
  void Derived(const char* name, const T& value) {
    (*this)(name, value);
  }
  void Column(const char*, const auto&) {}
  void BySource(const char* name, const std::vector<uint64_t>& counts) {
    json_[name] = PackCounts(counts);
  }
  Json Take() { return std::move(json_); }

 private:
  Json json_ = Json::object();
};

template <Struct T>
Json ToJson(const T& counts) {
  Writer writer;
  T::Fields(counts, writer);
  return writer.Take();
}

}  // namespace field_list

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_CORE_FIELD_WRITER_H_
