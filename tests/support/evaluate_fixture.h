// What tests of evaluations share.
#ifndef TWINSET_TESTS_SUPPORT_EVALUATE_FIXTURE_H_
#define TWINSET_TESTS_SUPPORT_EVALUATE_FIXTURE_H_

#include <string>
#include <utility>
#include <vector>

#include "support/dedup_fixture.h"
#include "twinset/evaluate.h"

namespace twinset::testing {

inline EvaluateMethod Named(const std::string& name) {
  EvaluateMethod method;
  method.label = method.method.name = name;
  return method;
}

inline EvaluateOptions EvaluateFor(const std::string& input,
                                   const std::string& out,
                                   std::vector<EvaluateMethod> methods) {
  EvaluateOptions options;
  options.input.inputs = {input};
  options.out = out;
  options.methods = std::move(methods);
  options.resources.threads = 1;
  options.resources.memory_bytes = 256 << 20;
  return options;
}

inline EvaluationSummary MustEvaluate(const EvaluateOptions& options) {
  auto summary = Evaluate(options);
  EXPECT_TRUE(summary) << summary.error().ToString();
  return summary ? *summary : EvaluationSummary{};
}

}  // namespace twinset::testing

#endif  // TWINSET_TESTS_SUPPORT_EVALUATE_FIXTURE_H_
