// Options that are one of a fixed list, and the names of their values, as the
// command line takes them and results show them.
//
//   twinset::ChoiceName(twinset::Measure::kCosineTf);         // "cosine-tf"
//   twinset::FindChoice<twinset::Measure>("cosine-tf");       // kCosineTf
#ifndef TWINSET_CHOICES_H_
#define TWINSET_CHOICES_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace twinset {
inline namespace v1 {

// A row of the table of an enum.
template <typename Enum>
struct NamedChoice {
  Enum value;
  std::string_view name;
};

// Makes the table of an enum from its rows.
template <typename Enum, size_t kCount>
constexpr auto ChoiceTable(const NamedChoice<Enum> (&rows)[kCount]) {
  return std::to_array(rows);
}

// The table of an enum, in the order in which help lists the names: a
// specialisation beside the enum, and the only place where the names stand.
template <typename Enum>
inline constexpr std::array<NamedChoice<Enum>, 0> kChoices = {};

template <typename Enum>
concept ChoiceEnum = std::is_enum_v<Enum> && !kChoices<Enum>.empty();

// The name of `value`; empty if it is no value of the enum.
template <ChoiceEnum Enum>
constexpr std::string_view ChoiceName(Enum value) {
  for (const NamedChoice<Enum>& choice : kChoices<Enum>)
    if (choice.value == value) return choice.name;
  return {};
}

// The value with this name; nothing if the table does not have it.
template <ChoiceEnum Enum>
constexpr std::optional<Enum> FindChoice(std::string_view name) {
  for (const NamedChoice<Enum>& choice : kChoices<Enum>)
    if (choice.name == name) return choice.value;
  return std::nullopt;
}

template <ChoiceEnum Enum>
std::vector<std::string_view> ChoiceNames() {
  std::vector<std::string_view> names;
  names.reserve(kChoices<Enum>.size());
  for (const NamedChoice<Enum>& choice : kChoices<Enum>)
    names.push_back(choice.name);
  return names;
}

// "a, b or c".
inline std::string OrList(const std::vector<std::string_view>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_CHOICES_H_
