// What rows and plans do with the table of parameters: a row names those that
// it reads, is handed no others, and gets values in its range only.
#ifndef TWINSET_SRC_DEDUP_OPTIONS_PARAMETERS_H_
#define TWINSET_SRC_DEDUP_OPTIONS_PARAMETERS_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/choices.h"
#include "twinset/error.h"
#include "twinset/json.h"
#include "twinset/methods.h"
#include "twinset/options.h"

namespace twinset {

// Ranges as rows and the table write them.
ParameterRange AtLeast(int64_t low);
ParameterRange Between(int64_t low, int64_t high);
// low..parameter + offset.
ParameterRange UpTo(int64_t low, std::string_view parameter,
                    int64_t offset = 0);
ParameterRange OneOf(std::vector<std::string_view> names);
// All values of the enum, or some of them.
template <ChoiceEnum Enum>
ParameterRange OneOf() {
  return OneOf(ChoiceNames<Enum>());
}
template <ChoiceEnum Enum>
ParameterRange OneOf(std::initializer_list<Enum> some) {
  std::vector<std::string_view> names;
  for (const Enum value : some) names.push_back(ChoiceName(value));
  return OneOf(std::move(names));
}
// `meant`: values that are often meant, for completions.
ParameterRange InWords(std::string_view words,
                       std::vector<std::string_view> meant = {});

// A parameter that a row reads. `range` and `default_words` where the row's are
// not those of the table.
struct ReadParameter {
  ReadParameter(const char* of) : name(of) {}  // NOLINT: rows read better
  ReadParameter(const char* of, std::string_view words)
      : name(of), default_words(words) {}
  ReadParameter(const char* of, ParameterRange own, std::string_view words = {})
      : name(of), range(std::move(own)), default_words(words) {}

  std::string_view name;
  std::optional<ParameterRange> range;
  std::string_view default_words;
};
// Appends to what the method reads.
void AddReads(MethodInfo* method, std::initializer_list<ReadParameter> reads);

bool Reads(const MethodInfo& method, std::string_view parameter);

// What a row is handed: the parameters that it does not read have their
// defaults.
MethodOptions OnlyRead(const MethodInfo& method, const MethodOptions& options);
// kUsage when one that the method reads is not in the range of its row. A
// default below the range stands for what is derived.
Status CheckRanges(const MethodInfo& method, const MethodOptions& options);
// Returns true iff the parameter was given, if only its default.
bool IsGiven(const MethodOptions& options, std::string_view name);
// The first parameter that was given, or differs from its default, and that the
// method does not read; empty if there is none.
std::string_view FirstUnread(const MethodInfo& method,
                             const MethodOptions& options);
// Is the value that the parameter has in `options` in `range`?
bool InRange(const ParameterRange& range, const Parameter& parameter,
             const ParameterValues& options);

// Adds the parameters of the groups, under their names with underscores.
void AddParametersJson(std::initializer_list<ParameterGroup> groups,
                       const ParameterValues& options, Json* json);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_OPTIONS_PARAMETERS_H_
