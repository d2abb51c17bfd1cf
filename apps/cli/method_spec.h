// NAME@FLAG=VALUE@...: a method with parameters, in one word.
#ifndef TWINSET_APPS_CLI_METHOD_SPEC_H_
#define TWINSET_APPS_CLI_METHOD_SPEC_H_

#include <string>
#include <vector>

#include "cli/flags/flags.h"
#include "twinset/error.h"
#include "twinset/evaluate.h"

namespace twinset::cli {

// One method; what the spec does not say is as in `request`. NAME is a method,
// or a preset of one; FLAG any flag of evaluate about methods or about what is
// compared, without its dashes. kUsage names the spec.
Result<EvaluateMethod> ParseMethodSpec(const std::string& spec,
                                       const Request& request);

// All of --methods: each value is a comma list of specs.
Result<std::vector<EvaluateMethod>> ParseMethodSpecs(const Request& request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_METHOD_SPEC_H_
