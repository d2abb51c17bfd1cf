// Structs of counts as JSON and back. Each has one list of its fields, in the
// order in which JSON has them:
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
// A field is a number, a text, a struct of counts, or a vector, array, pair or
// map of these; field.BySource(name, vector) has one number for each source.
#ifndef TWINSET_SRC_PIPELINE_RUN_COUNT_FIELDS_H_
#define TWINSET_SRC_PIPELINE_RUN_COUNT_FIELDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/json.h"

namespace twinset {

// Numbers by source as a short text: "3,1x500,0".
std::string PackCounts(const std::vector<uint64_t>& counts);
// False when the text is not one of `sources` numbers. Takes no more memory
// than these.
bool UnpackCounts(std::string_view text, size_t sources,
                  std::vector<uint64_t>* counts);

namespace count_fields {

class Writer;
class Reader;

template <typename T>
concept Struct = requires(const T& counts, Writer& writer) {
  T::Fields(counts, writer);
};

// ---- to JSON ----

template <typename T>
Json ToJson(const T& value) {
  return Json(value);
}
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

// ---- from JSON ----

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
  void BySource(const char* name, std::vector<uint64_t>& counts) {
    const std::string* text = json_[name].if_string();
    ok_ = ok_ && text != nullptr && UnpackCounts(*text, sources_, &counts);
  }
  bool ok() const { return ok_; }

 private:
  static bool Read(const Json& json, uint64_t* value) {
    json.get_to(*value);
    return json.is_number_unsigned();
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

  const Json& json_;
  const size_t sources_;
  bool ok_;
};

}  // namespace count_fields

template <typename Counts>
Json CountsToJson(const Counts& counts) {
  return count_fields::ToJson(counts);
}

// Reads any JSON. Returns false, with `counts` in no certain state, when a
// field is missing or has another type, or when it has other than `sources`
// numbers by source.
template <typename Counts>
bool CountsFromJson(const Json& json, size_t sources, Counts* counts) {
  count_fields::Reader reader(json, sources);
  Counts::Fields(*counts, reader);
  return reader.ok();
}

// A stage that had nothing to do counts nothing: {}.
template <typename Counts>
Json CountsToJson(const std::optional<Counts>& counts) {
  return counts ? CountsToJson(*counts) : Json::object();
}
template <typename Counts>
bool CountsFromJson(const Json& json, size_t sources,
                    std::optional<Counts>* counts) {
  counts->reset();
  return json.is_object() &&
         (json.empty() || CountsFromJson(json, sources, &counts->emplace()));
}

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_RUN_COUNT_FIELDS_H_
