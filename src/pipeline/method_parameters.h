// The parameters of methods by name: what a method does not read is refused,
// and what it reads must be in the range that its row states
// (`twinset methods`).
#ifndef TWINSET_SRC_PIPELINE_METHOD_PARAMETERS_H_
#define TWINSET_SRC_PIPELINE_METHOD_PARAMETERS_H_

#include <span>
#include <string>
#include <string_view>

#include "twinset/error.h"
#include "twinset/methods.h"
#include "twinset/options.h"

namespace twinset {

// A field of MethodOptions under the name of its flag, without the dashes.
struct ParameterField {
  std::string_view name;
  // The value as the command line takes it.
  std::string (*text)(const MethodOptions&);
  Status (*set)(std::string_view flag, std::string_view value, MethodOptions*);
};
// All that rows may list.
std::span<const ParameterField> ParameterFields();

// kUsage when a parameter that was given, or differs from its default, is not
// read by the method, with those that read it; or is out of its range. Every
// method takes a threshold and a seed.
Status CheckParameters(const MethodInfo& method, const MethodOptions& options);

bool Reads(const MethodInfo& method, std::string_view parameter);

// Is `value` in `range`, as rows write ranges: "1..4096, multiple of 8",
// "0..bits - 1", ">= 1", "(0, 1]", "a|b"? True for ranges in words.
bool InRange(std::string_view range, std::string_view value,
             const MethodOptions& options);

}  // namespace twinset

#endif  // TWINSET_SRC_PIPELINE_METHOD_PARAMETERS_H_
