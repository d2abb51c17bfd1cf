#include "options/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

#include "base/json_text.h"
#include "base/stop.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

template <class Run, class T>
auto& ValueAt(Run& run, T MethodOptions::*field) {
  return run.method.*field;
}
template <class Run, class T>
auto& ValueAt(Run& run, T FeatureOptions::*field) {
  return run.features.*field;
}
template <class Run, class T, class Part>
auto& ValueAt(Run& run, T Part::*field) {
  return run.*field;
}
template <class Run>
const ChoiceField& ValueAt(Run&, const ChoiceField& field) {
  return field;
}
template <class Run>
const SwitchLevels& ValueAt(Run&, const SwitchLevels& field) {
  return field;
}

// Calls `body` with a reference to the value; with the field itself where the
// value is behind it: SwitchLevels, ChoiceField.
template <class Run, class Body>
auto Visit(const Parameter& parameter, Run& run, Body body) {
  return std::visit(
      [&](const auto& field) { return body(ValueAt(run, field)); },
      parameter.field);
}

void CopyValue(const Parameter& parameter, const ParameterValues& from,
               ParameterValues* to) {
  std::visit(
      [&](const auto& field) {
        if constexpr (std::is_same_v<decltype(field), const SwitchLevels&>) {
          to->method.*field.first = from.method.*field.first;
          to->method.*field.second = from.method.*field.second;
        } else if constexpr (std::is_same_v<decltype(field),
                                            const ChoiceField&>) {
          field.set(field.name(from), to);
        } else {
          ValueAt(*to, field) = ValueAt(from, field);
        }
      },
      parameter.field);
}

ParameterValues WithMethod(const MethodOptions& method) {
  ParameterValues run;
  run.method = method;
  return run;
}

std::string Joined(const auto& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

struct Bounds {
  int64_t low, high;
};

// Those of a whole range; of an upper end that another parameter gives, its
// value in `run`.
Bounds BoundsOf(const ParameterRange& range, const ParameterValues* run) {
  if (range.high_of.empty()) return {range.low, range.high};
  const Parameter* of = FindParameter(range.high_of);
  if (run == nullptr || of == nullptr)
    return {range.low, ParameterRange::kNoLimit};
  const auto* field = std::get_if<int MethodOptions::*>(&of->field);
  return {range.low, field == nullptr ? ParameterRange::kNoLimit
                                      : run->method.*(*field) + range.high};
}

template <class Number>
bool IsWithin(const ParameterRange& range, Number value,
              const ParameterValues* run) {
  if constexpr (std::is_floating_point_v<Number>) {
    return range.kind != ParameterRange::kShare ||
           ((range.from_zero ? value >= 0 : value > 0) &&
            (range.open ? value < 1 : value <= 1));
  } else {
    if (range.kind != ParameterRange::kWhole) return true;
    const Bounds bounds = BoundsOf(range, run);
    return std::cmp_greater_equal(value, bounds.low) &&
           (bounds.high == ParameterRange::kNoLimit ||
            std::cmp_less_equal(value, bounds.high));
  }
}

bool IsChoice(const ParameterRange& range, std::string_view value) {
  return range.kind != ParameterRange::kChoice ||
         std::find(range.choices.begin(), range.choices.end(), value) !=
             range.choices.end();
}

tl::unexpected<Error> NoValue(std::string_view text,
                              const std::string& wanted) {
  return Fail(ErrorCode::kUsage,
              "'" + std::string(text) + "' is not " + wanted);
}

std::string WholeNumber(const ParameterRange& range) {
  std::string text = "a whole number";
  const int64_t high = BoundsOf(range, nullptr).high;
  if (range.low != 0 || high != ParameterRange::kNoLimit)
    text += " from " + std::to_string(range.low) +
            (high == ParameterRange::kNoLimit ? " on"
                                              : " to " + std::to_string(high));
  return text;
}

template <class Number>
Status SetNumber(const ParameterRange& range, std::string_view text,
                 Number* value) {
  Number number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() &&
                         end == text.data() + text.size() &&
                         std::isfinite(static_cast<double>(number));
  if (!is_number || !IsWithin(range, number, nullptr)) {
    if (!std::is_floating_point_v<Number>)
      return NoValue(text, WholeNumber(range));
    if (!is_number) {
      auto no_number = NoValue(text, "a number");
      no_number.value().remedy = NumberMeant(text);
      return no_number;
    }
    auto error_of_share =
        NoValue(text, std::string(range.from_zero ? "from 0 on" : "above 0") +
                          (range.open ? " and below 1" : " and at most 1"));
    if (number > 1 && number <= 100)
      error_of_share.value().remedy = NumberMeant(std::string(text) + "%");
    return error_of_share;
  }
  *value = number;
  return {};
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> items(1);
  for (const char c : text) {
    if (c == ',')
      items.emplace_back();
    else
      items.back() += c;
  }
  return items;
}

const MethodParameter* ParameterOf(const MethodInfo& method,
                                   std::string_view name) {
  const auto at = std::find_if(
      method.parameters.begin(), method.parameters.end(),
      [&](const MethodParameter& parameter) { return parameter.name == name; });
  return at == method.parameters.end() ? nullptr : &*at;
}

bool IsStandard(const Parameter& parameter, const ParameterValues& run) {
  return ParameterText(parameter, run) ==
         ParameterText(parameter, ParameterValues());
}

Status CheckRange(const MethodInfo& method, const MethodParameter& read,
                  const Parameter& parameter, const ParameterValues& run) {
  ParameterRange range = read.range;
  if (IsStandard(parameter, run)) {
    // It may stand for what is derived, but for no more than there is.
    if (range.high_of.empty()) return {};
    range.low = std::numeric_limits<int64_t>::min();
  }
  if (InRange(range, parameter, run)) return {};
  return Fail(ErrorCode::kUsage,
              "--" + read.name + " " + ParameterText(parameter, run) +
                  " is not in the range of method " + method.name,
              "", "use " + read.range.Text());
}

}  // namespace

bool IsGiven(const MethodOptions& options, std::string_view name) {
  return std::find(options.given.begin(), options.given.end(), name) !=
         options.given.end();
}

std::string ParameterRange::Text() const {
  switch (kind) {
    case kWhole:
      if (!high_of.empty()) {
        const std::string sign = high < 0 ? " - " : " + ";
        return std::to_string(low) + ".." + std::string(high_of) +
               (high == 0 ? "" : sign + std::to_string(std::abs(high)));
      }
      return high == kNoLimit
                 ? ">= " + std::to_string(low)
                 : std::to_string(low) + ".." + std::to_string(high);
    case kShare:
      return std::string(from_zero ? "[0" : "(0") + (open ? ", 1)" : ", 1]");
    case kChoice:
      return Joined(choices, "|");
    case kMethod:
      return "the name of a method";
    case kFile:
    case kWords:
      return std::string(words);
    case kAny:
      break;
  }
  return "any";
}

ParameterRange AtLeast(int64_t low) {
  return {.kind = ParameterRange::kWhole, .low = low};
}
ParameterRange Between(int64_t low, int64_t high) {
  return {.kind = ParameterRange::kWhole, .low = low, .high = high};
}
ParameterRange UpTo(int64_t low, std::string_view parameter, int64_t offset) {
  return {.kind = ParameterRange::kWhole,
          .low = low,
          .high = offset,
          .high_of = parameter};
}
ParameterRange OneOf(std::vector<std::string_view> names) {
  return {.kind = ParameterRange::kChoice, .choices = std::move(names)};
}
ParameterRange InWords(std::string_view words,
                       std::vector<std::string_view> meant) {
  return {.kind = ParameterRange::kWords,
          .choices = std::move(meant),
          .words = words};
}

const Parameter* v1::FindParameter(std::string_view name) {
  const auto all = Parameters();
  const auto at = std::find_if(
      all.begin(), all.end(),
      [&](const Parameter& parameter) { return parameter.name == name; });
  return at == all.end() ? nullptr : &*at;
}

std::string v1::ParameterText(const Parameter& parameter,
                              const ParameterValues& run) {
  return Visit(parameter, run, [&](const auto& value) -> std::string {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, SwitchLevels>) {
      const bool first = run.method.*value.first;
      return std::string(
          parameter.range.choices[first + (first && run.method.*value.second)]);
    } else if constexpr (std::is_same_v<T, ChoiceField>) {
      return std::string(value.name(run));
    } else if constexpr (std::is_same_v<T, std::string>) {
      return value;
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      return Joined(value, ",");
    } else if constexpr (std::is_same_v<T, bool>) {
      return value ? "true" : "false";
    } else {
      char digits[32];  // of a double, the shortest form that reads back
      return {digits, std::to_chars(digits, std::end(digits), value).ptr};
    }
  });
}

std::string v1::DefaultText(const Parameter& parameter) {
  return parameter.default_words.empty()
             ? ParameterText(parameter, ParameterValues())
             : std::string(parameter.default_words);
}

Status v1::SetParameter(const Parameter& parameter, std::string_view text,
                        ParameterValues* run) try {
  const auto& choices = parameter.range.choices;
  if (!IsChoice(parameter.range, text)) {
    return Fail(
        ErrorCode::kUsage,
        "'" + std::string(text) + "' is not one of " + Joined(choices, ", "),
        "", DidYouMean(text, choices));
  }
  return Visit(parameter, *run, [&](auto& value) -> Status {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, SwitchLevels>) {
      const auto level = std::find(choices.begin(), choices.end(), text);
      run->method.*value.first = level - choices.begin() >= 1;
      run->method.*value.second = level - choices.begin() >= 2;
    } else if constexpr (std::is_same_v<T, ChoiceField>) {
      if (!value.set(text, run)) return NoValue(text, "one of its choices");
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = text;
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      value = SplitAtCommas(text);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (text != "true" && text != "false")
        return NoValue(text, "true or false");
      value = text == "true";
    } else {
      return SetNumber(parameter.range, text, &value);
    }
    return {};
  });
} catch (const std::bad_alloc&) {
  return NoMemory();
}

void AddReads(MethodInfo* method, std::initializer_list<ReadParameter> reads) {
  for (const ReadParameter& read : reads) {
    MethodParameter own;
    own.name = read.name;
    own.default_value = read.default_words;
    if (const Parameter* parameter = FindParameter(read.name)) {
      if (own.default_value.empty())
        own.default_value = DefaultText(*parameter);
      own.range = read.range.value_or(parameter->range);
      own.meaning = parameter->help;
      own.unit = parameter->unit;
      own.source = parameter->source;
    }
    method->parameters.push_back(std::move(own));
  }
}

bool Reads(const MethodInfo& method, std::string_view parameter) {
  return ParameterOf(method, parameter) != nullptr;
}

bool InRange(const ParameterRange& range, const Parameter& parameter,
             const ParameterValues& run) {
  return Visit(parameter, run, [&](const auto& value) {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      return IsWithin(range, value, &run);
    } else if constexpr (std::is_same_v<T, ChoiceField>) {
      return IsChoice(range, value.name(run));
    } else if constexpr (std::is_same_v<T, std::string>) {
      return IsChoice(range, value);
    } else {
      return true;
    }
  });
}

MethodOptions OnlyRead(const MethodInfo& method, const MethodOptions& options) {
  const ParameterValues standard;
  ParameterValues run = WithMethod(options);
  for (const Parameter& parameter : Parameters()) {
    if (parameter.group != ParameterGroup::kMethod ||
        Reads(method, parameter.name)) {
      continue;
    }
    CopyValue(parameter, standard, &run);
    std::erase(run.method.given, parameter.name);
  }
  return run.method;
}

Status CheckRanges(const MethodInfo& method, const MethodOptions& options) {
  const ParameterValues run = WithMethod(options);
  for (const MethodParameter& read : method.parameters) {
    if (const Parameter* parameter = FindParameter(read.name))
      TWINSET_TRY(CheckRange(method, read, *parameter, run));
  }
  return {};
}

std::string_view FirstUnread(const MethodInfo& method,
                             const MethodOptions& options) {
  const ParameterValues run = WithMethod(options);
  for (const Parameter& parameter : Parameters()) {
    if (parameter.group != ParameterGroup::kMethod ||
        Reads(method, parameter.name)) {
      continue;
    }
    const bool given = IsGiven(options, parameter.name);
    // Both are of a study too, which hands them to every method.
    const bool shared =
        parameter.name == "threshold" || parameter.name == "seed";
    if (given || (!shared && !IsStandard(parameter, run)))
      return parameter.name;
  }
  return {};
}

void AddParametersJson(std::initializer_list<ParameterGroup> groups,
                       const ParameterValues& run, Json* json) {
  for (const Parameter& parameter : Parameters()) {
    const bool of_methods = parameter.group == ParameterGroup::kSearch ||
                            parameter.group == ParameterGroup::kMethod;
    if (std::find(groups.begin(), groups.end(), parameter.group) ==
            groups.end() ||
        (IsStandard(parameter, run) &&
         (of_methods ? !parameter.always_written
                     : parameter.left_out_at_default))) {
      continue;
    }
    std::string name(parameter.name);
    std::replace(name.begin(), name.end(), '-', '_');
    (*json)[name] = Visit(parameter, run, [&](const auto& value) -> Json {
      if constexpr (std::is_same_v<decltype(value), const SwitchLevels&> ||
                    std::is_same_v<decltype(value), const ChoiceField&>) {
        return ParameterText(parameter, run);
      } else if constexpr (std::is_same_v<decltype(value),
                                          const std::string&>) {
        return parameter.range.kind == ParameterRange::kFile ? NameText(value)
                                                             : value;
      } else {
        return value;
      }
    });
  }
}

}  // namespace twinset
