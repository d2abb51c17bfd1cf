// The language of --of: a value made of the fields of a sample's row
// (docs/formats/sampling.md).
//
//   spam == true            words / 1000          host(url) == "example.org"
//   year(date) < 2005       contains(lower(title), "sale") and not redirected
#ifndef TWINSET_SRC_MEASURE_SURVEY_EXPRESSION_H_
#define TWINSET_SRC_MEASURE_SURVEY_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sample/sample_rows.h"
#include "twinset/error.h"

namespace twinset {

struct ExpressionValue {
  enum Kind { kMissing, kBool, kNumber, kText, kList };
  Kind kind = kMissing;
  double number = 0;  // of kBool: 0 or 1
  std::string text;
  std::vector<std::string> items;  // of kList; what is no text as JSON
};

// Operators, weakest first: or; and; not; == != < <= > >=; + -; * /; unary -.
// Names are fields, with dots into objects ("page.words"); `a-b` in backquotes
// is a name too, and so is a part of one: counts.`a.engine`. A dot in
// backquotes leads nowhere; one outside may also be of a field whose name has
// it. Functions: length(x), lower(x) (ASCII), host(url), year(date), prefix(x,
// y), suffix(x, y), contains(x, y), exists(x).
//
// A field that is not there, or null, is missing, and so is what is computed
// from it, but for `or` with a true and `and` with a false side; also a
// division by 0, arithmetic on texts, and an order between different kinds.
// Immutable; safe from several threads.
class Expression {
 public:
  // kUsage names the column (from 1). At most 4096 bytes, nested at most 64
  // deep.
  static Result<Expression> Parse(std::string_view text);

  // Cost: one look at the row for each name.
  ExpressionValue Evaluate(const SampleRow& row) const;
  const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;
  enum class Op : uint8_t {
    kNumber,
    kText,
    kBool,
    kField,
    kOr,
    kAnd,
    kNot,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kNegate,
    kLength,
    kLower,
    kHost,
    kYear,
    kPrefix,
    kSuffix,
    kContains,
    kExists,
  };
  // One step of a stack machine.
  struct Step {
    Op op;
    double number = 0;
    std::string text = {};
  };
  // In the text of a kField: a dot that belongs to a name.
  static constexpr char kDotInName = '\0';
  static int Arity(Op op);
  static ExpressionValue Apply(Op op, const ExpressionValue& a,
                               const ExpressionValue& b);

  std::string text_;
  std::vector<Step> steps_;  // operands before operators
};

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_SURVEY_EXPRESSION_H_
