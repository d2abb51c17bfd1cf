// A drawn sample as it stands in sample.json (docs/methods/assessment.md).
#ifndef TWINSET_SRC_CORPORA_ASSESS_ASSESSMENT_H_
#define TWINSET_SRC_CORPORA_ASSESS_ASSESSMENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/corpora/assess.h"
#include "twinset/error.h"

namespace twinset {

// That a pair was drawn from a stratum; by several methods several times.
struct PairDrawing {
  size_t method = 0, stratum = 0;
  double similarity = 0;

  static void Fields(auto& drawing, auto& field) {
    field("method", drawing.method);
    field("stratum", drawing.stratum);
    field.Rounded("similarity", drawing.similarity, 6);
  }
};
struct AssessedPair {
  std::string a, b;
  std::vector<PairDrawing> drawings;

  static void Fields(auto& pair, auto& field) {
    field("a", pair.a);
    field("b", pair.b);
    field("drawings", pair.drawings);
  }
};

struct Assessment {
  uint64_t seed = 1;
  AssessStrata strata = AssessStrata::kBoth;
  std::vector<AssessMethod> methods;
  std::vector<AssessedPair> pairs;  // number 1 is the first

  // Without the pairs, whose rows are numbered.
  static void Fields(auto& sample, auto& field) {
    field("seed", sample.seed);
    field("strata", sample.strata);
    field("methods", sample.methods);
  }

  // 32 hexadecimal digits of everything above.
  std::string Digest() const;
  std::string Text() const;  // of sample.json
  // kCorrupt for what Text has not made, and for a digest that is not that of
  // the rest.
  static Result<Assessment> Parse(std::string_view text,
                                  const std::string& name);
};

// FOLDER/sample.json. kUsage when there is none.
Result<Assessment> ReadAssessment(const std::string& folder);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_ASSESS_ASSESSMENT_H_
