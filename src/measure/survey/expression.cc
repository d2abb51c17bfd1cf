#include "survey/expression.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "net/url.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using Value = ExpressionValue;

Value Number(double number) {
  Value value;
  if (!std::isfinite(number)) return value;
  value.kind = Value::kNumber;
  value.number = number;
  return value;
}

Value Bool(bool truth) {
  Value value;
  value.kind = Value::kBool;
  value.number = truth ? 1 : 0;
  return value;
}

Value Text(std::string text) {
  Value value;
  value.kind = Value::kText;
  value.text = std::move(text);
  return value;
}

bool IsNumber(const Value& value) {
  return value.kind == Value::kNumber || value.kind == Value::kBool;
}

// -1 missing, 0 false, 1 true. Numbers are true when not 0; texts and lists
// when not empty.
int Truth(const Value& value) {
  switch (value.kind) {
    case Value::kMissing:
      return -1;
    case Value::kText:
      return value.text.empty() ? 0 : 1;
    case Value::kList:
      return value.items.empty() ? 0 : 1;
    default:
      return value.number != 0 ? 1 : 0;
  }
}

Value FromJson(const Json& json) {
  if (json.is_boolean()) return Bool(json.get<bool>());
  if (json.is_number()) return Number(json.get<double>());
  if (json.is_string()) return Text(json.get<std::string>());
  if (!json.is_array() && !json.is_object()) return {};
  Value value;
  value.kind = Value::kList;
  for (const auto& [key, item] : json.items()) {
    if (json.is_object()) {
      value.items.push_back(key);
    } else {
      value.items.push_back(item.is_string() ? item.get<std::string>()
                                             : item.dump());
    }
  }
  return value;
}

// How many bytes of `path` are the name `key` and the dot behind it; 0 when the
// path does not begin with that name. `dot` stands for a dot of a name.
size_t Taken(std::string_view path, std::string_view key, char dot) {
  if (path.size() < key.size() || key.empty()) return 0;
  for (size_t i = 0; i < key.size(); ++i) {
    const bool same = path[i] == key[i] || (path[i] == dot && key[i] == '.');
    if (!same) return 0;
  }
  if (path.size() == key.size()) return key.size();
  return path[key.size()] == '.' ? key.size() + 1 : 0;
}

// "a.b.c" below an object, by the longest names; nullptr when it is not there.
const Json* Below(const Json& json, std::string_view path, char dot) {
  const Json* at = &json;
  while (!path.empty()) {
    if (!at->is_object()) return nullptr;
    size_t most = 0;
    const Json* next = nullptr;
    for (const auto& item : at->items()) {
      const size_t taken = Taken(path, item.key, dot);
      if (taken <= most) continue;
      most = taken;
      next = &item.value;
    }
    if (next == nullptr) return nullptr;
    at = next;
    path.remove_prefix(most);
  }
  return at;
}

Value Field(const SampleRow& row, const std::string& name, char dot) {
  if (name == "url") return Text(row.url);
  if (name == "weight") return Number(row.weight);
  if (name == "draw") return Number(static_cast<double>(row.draw));
  for (const auto& [key, value] : row.fields) {
    const size_t taken = Taken(name, key, dot);
    if (taken == 0) continue;
    const Json json = Json::Parse(value);
    if (json.is_discarded()) return {};
    const Json* found = Below(json, std::string_view(name).substr(taken), dot);
    if (found != nullptr) return FromJson(*found);
  }
  return {};
}

// The first year in a date of any usual spelling: four digits, alone or at the
// start of a time stamp. "2004-05-06", "20040506000000", "06 May 2004".
Value Year(const Value& date) {
  if (date.kind == Value::kNumber) return date;
  if (date.kind != Value::kText) return {};
  const std::string& text = date.text;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    const size_t digits = end - i;
    if (digits == 4 || digits == 8 || digits == 14) {
      double year = 0;
      for (size_t k = i; k < i + 4; ++k) year = year * 10 + (text[k] - '0');
      return Number(year);
    }
    i = std::max(end, i + 1);
  }
  return {};
}

// Code points of a text (bytes that start one), items of a list.
Value Length(const Value& value) {
  if (value.kind == Value::kList)
    return Number(static_cast<double>(value.items.size()));
  if (value.kind != Value::kText) return {};
  return Number(static_cast<double>(
      std::count_if(value.text.begin(), value.text.end(),
                    [](char c) { return !IsContinuation(c); })));
}

Value Contains(const Value& a, const Value& b) {
  if (b.kind != Value::kText) return {};
  if (a.kind == Value::kText) return Bool(a.text.find(b.text) != a.text.npos);
  if (a.kind == Value::kList)
    return Bool(std::find(a.items.begin(), a.items.end(), b.text) !=
                a.items.end());
  return {};
}

// a ? b as -1, 0, 1; nothing when there is no order between them.
std::optional<int> Compare(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b))
    return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
  if (a.kind == Value::kText && b.kind == Value::kText) {
    const int order = a.text.compare(b.text);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  return {};
}

Value Equal(const Value& a, const Value& b, bool wanted) {
  if (a.kind == Value::kMissing || b.kind == Value::kMissing) return {};
  if (a.kind == Value::kList && b.kind == Value::kList)
    return Bool((a.items == b.items) == wanted);
  const auto order = Compare(a, b);
  return Bool((order.has_value() && *order == 0) == wanted);
}

}  // namespace

int Expression::Arity(Op op) {
  switch (op) {
    case Op::kNumber:
    case Op::kText:
    case Op::kBool:
    case Op::kField:
      return 0;
    case Op::kNot:
    case Op::kNegate:
    case Op::kLength:
    case Op::kLower:
    case Op::kHost:
    case Op::kYear:
    case Op::kExists:
      return 1;
    default:
      return 2;
  }
}

ExpressionValue Expression::Apply(Op op, const Value& a, const Value& b) {
  const int x = Truth(a), y = Truth(b);
  switch (op) {
    case Op::kExists:
      return Bool(a.kind != Value::kMissing);
    case Op::kOr:
      if (x == 1 || y == 1) return Bool(true);
      return x < 0 || y < 0 ? Value() : Bool(false);
    case Op::kAnd:
      if (x == 0 || y == 0) return Bool(false);
      return x < 0 || y < 0 ? Value() : Bool(true);
    case Op::kNot:
      return x < 0 ? Value() : Bool(x == 0);
    case Op::kEqual:
      return Equal(a, b, true);
    case Op::kNotEqual:
      return Equal(a, b, false);
    case Op::kLength:
      return Length(a);
    case Op::kLower:
      return a.kind == Value::kText ? Text(ToLowerAscii(a.text)) : Value();
    case Op::kHost:
      return a.kind == Value::kText ? Text(UrlHost(a.text)) : Value();
    case Op::kYear:
      return Year(a);
    case Op::kContains:
      return Contains(a, b);
    case Op::kPrefix:
    case Op::kSuffix:
      if (a.kind != Value::kText || b.kind != Value::kText) return {};
      return Bool(op == Op::kPrefix ? a.text.starts_with(b.text)
                                    : a.text.ends_with(b.text));
    case Op::kNegate:
      return IsNumber(a) ? Number(-a.number) : Value();
    default:
      break;
  }
  if (op >= Op::kLess && op <= Op::kGreaterEqual) {
    const auto order = Compare(a, b);
    if (!order) return {};
    if (op == Op::kLess) return Bool(*order < 0);
    if (op == Op::kLessEqual) return Bool(*order <= 0);
    if (op == Op::kGreater) return Bool(*order > 0);
    return Bool(*order >= 0);
  }
  if (!IsNumber(a) || !IsNumber(b)) return {};
  if (op == Op::kAdd) return Number(a.number + b.number);
  if (op == Op::kSubtract) return Number(a.number - b.number);
  if (op == Op::kMultiply) return Number(a.number * b.number);
  return b.number == 0 ? Value() : Number(a.number / b.number);
}

ExpressionValue Expression::Evaluate(const SampleRow& row) const {
  std::vector<Value> stack;
  for (const Step& step : steps_) {
    if (step.op == Op::kNumber) {
      stack.push_back(Number(step.number));
    } else if (step.op == Op::kBool) {
      stack.push_back(Bool(step.number != 0));
    } else if (step.op == Op::kText) {
      stack.push_back(Text(step.text));
    } else if (step.op == Op::kField) {
      stack.push_back(Field(row, step.text, kDotInName));
    } else if (Arity(step.op) == 1) {
      stack.back() = Apply(step.op, stack.back(), {});
    } else {
      const Value right = std::move(stack.back());
      stack.pop_back();
      stack.back() = Apply(step.op, stack.back(), right);
    }
  }
  return std::move(stack.back());
}

}  // namespace twinset
