#include "pipeline/method_parameters.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <type_traits>

namespace twinset {

namespace {

template <class T>
std::string TextOf(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, double>) {
    char digits[32];  // the shortest form that reads back
    const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
    return {digits, end};
  } else {
    return std::to_string(value);
  }
}

template <auto Field>
std::string Text(const MethodOptions& options) {
  return TextOf(options.*Field);
}

template <auto Field>
Status Set(std::string_view flag, std::string_view value,
           MethodOptions* options) {
  auto& field = options->*Field;
  if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>,
                               std::string>) {
    field = value;
  } else {
    const char* const end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, field);
    if (error != std::errc() || rest != end) {
      return Fail(ErrorCode::kUsage, std::string(flag) + " does not take '" +
                                         std::string(value) + "'");
    }
  }
  return {};
}

template <auto Field>
constexpr ParameterField Row(std::string_view name) {
  return {name, Text<Field>, Set<Field>};
}

using Options = MethodOptions;

constexpr ParameterField kFields[] = {
    Row<&Options::threshold>("threshold"),
    Row<&Options::measure>("measure"),
    Row<&Options::seed>("seed"),
    Row<&Options::permutations>("permutations"),
    Row<&Options::bands>("bands"),
    Row<&Options::rows>("rows"),
    Row<&Options::bucket_limit>("bucket-limit"),
    Row<&Options::level>("level"),
    Row<&Options::generator>("generator"),
    Row<&Options::sketch_shingle>("sketch-shingle"),
    Row<&Options::feature_hash>("feature-hash"),
    Row<&Options::hash_family>("hash-family"),
    Row<&Options::value_bits>("value-bits"),
    Row<&Options::weights>("weights"),
    Row<&Options::bits>("bits"),
    Row<&Options::distance>("distance"),
    Row<&Options::tables>("tables"),
    Row<&Options::probes>("probes"),
    Row<&Options::groups>("groups"),
    Row<&Options::group_size>("group-size"),
    Row<&Options::group_by>("group-by"),
    Row<&Options::agree>("agree"),
    Row<&Options::modulus>("modulus"),
    Row<&Options::lexicon>("lexicon"),
    Row<&Options::lexicons>("lexicons"),
    Row<&Options::lexicon_drop>("lexicon-drop"),
    Row<&Options::min_terms>("min-terms"),
    Row<&Options::chunks>("chunks"),
};

const MethodParameter* ParameterOf(const MethodInfo& method,
                                   std::string_view name) {
  const auto at = std::find_if(
      method.parameters.begin(), method.parameters.end(),
      [&](const MethodParameter& parameter) { return parameter.name == name; });
  return at == method.parameters.end() ? nullptr : &*at;
}

std::string ReadersOf(std::string_view name) {
  std::string readers;
  for (const MethodInfo& method : Methods()) {
    if (ParameterOf(method, name) != nullptr)
      readers += (readers.empty() ? "" : ", ") + method.name;
  }
  return readers;
}

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

template <class Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

// "64", "permutations", "bits - 1": a number, or a parameter and an offset.
std::optional<int64_t> BoundOf(std::string_view text,
                               const MethodOptions& options) {
  if (const auto number = ParseNumber<int64_t>(text)) return number;
  const size_t sign = std::min(text.find_first_of("+-"), text.size());
  const std::string_view name = Trimmed(text.substr(0, sign));
  int64_t offset = 0;
  if (sign < text.size()) {
    const auto by = ParseNumber<int64_t>(Trimmed(text.substr(sign + 1)));
    if (!by) return {};
    offset = text[sign] == '-' ? -*by : *by;
  }
  for (const ParameterField& field : kFields) {
    if (field.name != name) continue;
    const auto value = ParseNumber<int64_t>(field.text(options));
    return value ? std::optional(*value + offset) : std::nullopt;
  }
  return {};
}

bool InShares(std::string_view range, std::string_view value) {
  const auto number = ParseNumber<double>(value);
  return number && *number > 0 &&
         (range.ends_with(']') ? *number <= 1 : *number < 1);
}

}  // namespace

bool Reads(const MethodInfo& method, std::string_view parameter) {
  return ParameterOf(method, parameter) != nullptr;
}

std::span<const ParameterField> ParameterFields() { return kFields; }

bool InRange(std::string_view range, std::string_view value,
             const MethodOptions& options) {
  if (range == "(0, 1]" || range == "(0, 1)") return InShares(range, value);
  if (range.find_first_of(" ,") == range.npos &&
      range.find('|') != range.npos) {
    for (size_t at = 0; at <= range.size();) {
      const size_t end = std::min(range.find('|', at), range.size());
      if (range.substr(at, end - at) == value) return true;
      at = end + 1;
    }
    return false;
  }
  const auto number = ParseNumber<int64_t>(value);
  if (range.starts_with(">= ")) {
    const auto least = ParseNumber<int64_t>(range.substr(3));
    return !least || (number && *number >= *least);
  }
  const size_t dots = range.find("..");
  if (dots == range.npos) return true;
  constexpr std::string_view kMultiple = ", multiple of ";
  const size_t multiple = std::min(range.find(kMultiple), range.size());
  const auto low = BoundOf(range.substr(0, dots), options);
  const auto high =
      BoundOf(range.substr(dots + 2, multiple - dots - 2), options);
  if (!low || !high) return true;
  if (!number || *number < *low || *number > *high) return false;
  if (multiple == range.size()) return true;
  const auto of =
      ParseNumber<int64_t>(range.substr(multiple + kMultiple.size()));
  return !of || *number % *of == 0;
}

void ForgetUnread(std::string_view name, MethodOptions* options) {
  const MethodOptions standard;
  for (const MethodInfo& method : Methods()) {
    if (method.name != name) continue;
    for (const ParameterField& field : kFields) {
      if (Reads(method, field.name) || field.name == "threshold") continue;
      (void)field.set(field.name, field.text(standard), options);
      std::erase(options->given, field.name);
    }
  }
}

Status CheckParameters(const MethodInfo& method, const MethodOptions& options) {
  const MethodOptions standard;
  for (const ParameterField& field : kFields) {
    const std::string value = field.text(options);
    const bool is_standard = value == field.text(standard);
    const bool named = std::find(options.given.begin(), options.given.end(),
                                 field.name) != options.given.end();
    if (is_standard && !named) continue;
    const std::string flag = "--" + std::string(field.name);
    const MethodParameter* parameter = ParameterOf(method, field.name);
    if (parameter == nullptr) {
      // Both are of a study too, which hands them to every method.
      const bool shared = field.name == "threshold" || field.name == "seed";
      if (shared && !named) continue;
      return Fail(ErrorCode::kUsage,
                  "method " + method.name + " does not read " + flag, "",
                  "leave it out; it is read by " + ReadersOf(field.name));
    }
    // A default may stand for what is derived.
    if (is_standard || InRange(parameter->range, value, options)) continue;
    return Fail(
        ErrorCode::kUsage,
        flag + " " + value + " is not in the range of method " + method.name,
        "", "use " + parameter->range);
  }
  return {};
}

}  // namespace twinset
