// The only source that knows the JSON library. Its parser and its form of
// numbers are used in ways that cannot throw.
#include "twinset/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/json_text.h"

namespace twinset {

namespace {

const Json& Null() {
  static const Json null;
  return null;
}

void AppendNumber(std::string* to, double value) {
  if (!std::isfinite(value)) {
    *to += "null";
    return;
  }
  char buffer[64];
  to->append(buffer,
             nlohmann::detail::to_chars(buffer, buffer + sizeof buffer, value));
}

void AppendLine(std::string* to, int indent, int level) {
  if (indent < 0) return;
  *to += '\n';
  to->append(static_cast<size_t>(indent) * static_cast<size_t>(level), ' ');
}

}  // namespace

// Makes a value of the parser's events. `open_` are the containers around the
// place that is read; each is the last value of the one before it, so that none
// of them moves.
class Json::Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json Take() { return std::move(root_); }

  bool null() override { return Put(Json()); }
  bool boolean(bool value) override { return Put(Json(value)); }
  bool number_integer(number_integer_t value) override {
    return Put(Json(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return Put(Json(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return Put(Json(value));
  }
  bool string(string_t& value) override { return Put(Json(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(Json::object()); }
  bool start_array(size_t) override { return Open(Json::array()); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override {
    std::get<Object>(open_.back()->value_).keys.push_back(std::move(name));
    return true;
  }
  bool end_object() override {
    DropRepeated(&std::get<Object>(open_.back()->value_));
    return Close();
  }
  bool parse_error(size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  Json* Place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    auto& parent = open_.back()->value_;
    Array& to = std::holds_alternative<Array>(parent)
                    ? std::get<Array>(parent)
                    : std::get<Object>(parent).values;
    to.push_back(std::move(value));
    return &to.back();
  }
  bool Put(Json value) {
    Place(std::move(value));
    return true;
  }
  bool Open(Json value) {
    if (open_.size() == kDeepest) return false;
    open_.push_back(Place(std::move(value)));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  // If members have one name, the first place and the last value stay.
  static void DropRepeated(Object* object) {
    std::vector<size_t> order(object->keys.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
      return object->keys[x] < object->keys[y];
    });
    std::vector<bool> gone(order.size());
    bool any = false;
    for (size_t i = 0, first = 0; i < order.size(); ++i) {
      if (object->keys[order[i]] != object->keys[order[first]]) first = i;
      if (first == i) continue;
      object->values[order[first]] = std::move(object->values[order[i]]);
      gone[order[i]] = any = true;
    }
    if (!any) return;
    Object kept;
    for (size_t i = 0; i < gone.size(); ++i) {
      if (gone[i]) continue;
      kept.keys.push_back(std::move(object->keys[i]));
      kept.values.push_back(std::move(object->values[i]));
    }
    *object = std::move(kept);
  }

  Json root_;
  std::vector<Json*> open_;
};

Json::Json(std::initializer_list<Json> values) {
  const bool pairs =
      std::all_of(values.begin(), values.end(), [](const Json& value) {
        return value.is_array() && value.size() == 2 && value[0].is_string();
      });
  if (!pairs) {
    value_ = Array(values);
    return;
  }
  Object object;
  for (const Json& pair : values) {
    object.keys.push_back(*pair[0].if_string());
    object.values.push_back(pair[1]);
  }
  value_ = std::move(object);
}

Json Json::array(std::initializer_list<Json> values) {
  Json list;
  list.value_ = Array(values);
  return list;
}

Json Json::Parse(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
    return discarded();
  return builder.Take();
}

size_t Json::size() const {
  if (const auto* array = std::get_if<Array>(&value_)) return array->size();
  const auto* object = std::get_if<Object>(&value_);
  return object == nullptr ? 0 : object->values.size();
}

const Json* Json::begin() const {
  if (const auto* array = std::get_if<Array>(&value_)) return array->data();
  const auto* object = std::get_if<Object>(&value_);
  return object == nullptr ? nullptr : object->values.data();
}

Json* Json::begin() {
  return const_cast<Json*>(static_cast<const Json*>(this)->begin());
}

const Json* Json::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return end();
  const auto at = std::find(object->keys.begin(), object->keys.end(), key);
  return begin() + (at - object->keys.begin());
}

const Json& Json::operator[](std::string_view key) const {
  const Json* found = find(key);
  return found == end() ? Null() : *found;
}

Json& Json::operator[](std::string_view key) {
  if (!is_object()) value_ = Object{};
  if (const Json* found = find(key); found != end())
    return const_cast<Json&>(*found);
  auto& object = std::get<Object>(value_);
  object.keys.emplace_back(key);
  return object.values.emplace_back();
}

const Json& Json::Item(size_t index) const {
  return is_array() && index < size() ? begin()[index] : Null();
}

Json& Json::MutableItem(size_t index) {
  if (!is_array()) value_ = Array{};
  auto& list = std::get<Array>(value_);
  if (index >= list.size()) list.resize(index + 1);
  return list[index];
}

std::vector<Json::Member> Json::items() const {
  static const std::string kNone;
  std::vector<Member> members;
  const auto* object = std::get_if<Object>(&value_);
  for (size_t i = 0; i < size(); ++i) {
    members.push_back(
        {object == nullptr ? kNone : object->keys[i], begin()[i]});
  }
  return members;
}

void Json::push_back(Json item) {
  if (!is_array()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(item));
}

void Json::erase(std::string_view key) {
  const auto at = find(key) - begin();
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr || find(key) == end()) return;
  object->keys.erase(object->keys.begin() + at);
  object->values.erase(object->values.begin() + at);
}

void Json::update(const Json& other) {
  if (!other.is_object()) return;
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}

void Json::SortKeys() {
  for (Json& value : *this) value.SortKeys();
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return;
  std::vector<size_t> order(object->keys.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    return object->keys[x] < object->keys[y];
  });
  Object sorted;
  for (const size_t i : order) {
    sorted.keys.push_back(std::move(object->keys[i]));
    sorted.values.push_back(std::move(object->values[i]));
  }
  *object = std::move(sorted);
}

bool Json::Equals(const Json& other) const {
  if (is_number() && other.is_number()) {
    if (is_number_float() || other.is_number_float())
      return get<double>() == other.get<double>();
    return is_number_unsigned() == other.is_number_unsigned() &&
           (is_number_unsigned() ? get<uint64_t>() == other.get<uint64_t>()
                                 : get<int64_t>() == other.get<int64_t>());
  }
  if (value_.index() != other.value_.index()) return false;
  if (const auto* text = if_string()) return *text == *other.if_string();
  if (is_boolean()) return get<bool>() == other.get<bool>();
  if (const auto* object = std::get_if<Object>(&value_);
      object != nullptr && object->keys != std::get<Object>(other.value_).keys)
    return false;
  return std::equal(begin(), end(), other.begin(), other.end());
}

std::string Json::dump(int indent) const {
  std::string text;
  Append(indent, 1, &text);
  return text;
}

void Json::Append(int indent, int level, std::string* to) const {
  if (is_array() || is_object()) {
    const auto* object = std::get_if<Object>(&value_);
    *to += object == nullptr ? '[' : '{';
    for (size_t i = 0; i < size(); ++i) {
      if (i > 0) *to += ',';
      AppendLine(to, indent, level);
      if (object != nullptr) {
        AppendJsonString(to, object->keys[i]);
        *to += indent < 0 ? ":" : ": ";
      }
      begin()[i].Append(indent, level + 1, to);
    }
    if (!empty()) AppendLine(to, indent, level - 1);
    *to += object == nullptr ? ']' : '}';
  } else if (const auto* text = if_string()) {
    AppendJsonString(to, *text);
  } else if (is_boolean()) {
    *to += get<bool>() ? "true" : "false";
  } else if (is_number_float()) {
    AppendNumber(to, get<double>());
  } else if (is_number_unsigned()) {
    *to += std::to_string(get<uint64_t>());
  } else if (is_number_integer()) {
    *to += std::to_string(get<int64_t>());
  } else {
    *to += is_null() ? "null" : "<discarded>";
  }
}

}  // namespace twinset
