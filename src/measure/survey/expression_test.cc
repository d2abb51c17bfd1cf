// The language of --of: values, what is missing, and refusals.
#include "survey/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

SampleRow Row() {
  SampleRow row;
  row.url = "http://WWW.Example.org:80/a?b";
  row.weight = 0.25;
  row.draw = 7;
  row.fields = {{"words", "120"},
                {"spam", "true"},
                {"ham", "false"},
                {"language", "\"en\""},
                {"title", "\"Gr\\u00fc\\u00dfe \\\"Sale\\\"\""},
                {"date", "\"2004-05-06T00:00:00Z\""},
                {"nothing", "null"},
                {"engines", "[\"a\",\"b\",3]"},
                {"page", "{\"words\":5,\"in\":{\"x\":1}}"},
                {"a.b", "9"},
                {"counts", "{\"a\":{\"x\":2},\"a.engine\":3,\"b.engine\":4}"},
                {"odd name", "4"}};
  return row;
}

std::string Show(const ExpressionValue& value) {
  switch (value.kind) {
    case ExpressionValue::kMissing:
      return "missing";
    case ExpressionValue::kBool:
      return value.number != 0 ? "true" : "false";
    case ExpressionValue::kNumber: {
      std::string text = std::to_string(value.number);
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.') text.pop_back();
      return text;
    }
    case ExpressionValue::kText:
      return "'" + value.text + "'";
    default:
      return "list of " + std::to_string(value.items.size());
  }
}

std::string Of(std::string_view text) {
  const auto expression = Expression::Parse(text);
  return expression ? Show(expression->Evaluate(Row()))
                    : expression.error().message;
}

TEST(Expression, Values) {
  EXPECT_EQ(Of("words"), "120");
  EXPECT_EQ(Of("spam"), "true");
  EXPECT_EQ(Of("language"), "'en'");
  EXPECT_EQ(Of("weight"), "0.25");
  EXPECT_EQ(Of("draw"), "7");
  EXPECT_EQ(Of("url"), "'http://WWW.Example.org:80/a?b'");
  EXPECT_EQ(Of("engines"), "list of 3");
  EXPECT_EQ(Of("page.words"), "5");
  EXPECT_EQ(Of("page.in.x"), "1");
  EXPECT_EQ(Of("a.b"), "9");
  EXPECT_EQ(Of("`odd name` + 1"), "5");
  // Names with dots, as engines have.
  EXPECT_EQ(Of("counts.`a.engine`"), "3");
  EXPECT_EQ(Of("`counts`.`a.engine` / counts.`b.engine`"), "0.75");
  EXPECT_EQ(Of("counts.a.engine"), "3");
  EXPECT_EQ(Of("counts.`a.x`"), "missing");
  EXPECT_EQ(Of("counts.a.x"), "2");
  EXPECT_EQ(Of("`page.words`"), "missing");
  EXPECT_EQ(Of("`a.b`"), "9");
  EXPECT_EQ(Of("1.5e2"), "150");
  EXPECT_EQ(Of("'it\\'s'"), "'it's'");
}

TEST(Expression, OperatorsAndTheirOrder) {
  EXPECT_EQ(Of("1 + 2 * 3"), "7");
  EXPECT_EQ(Of("(1 + 2) * 3"), "9");
  EXPECT_EQ(Of("8 / 4 / 2"), "1");
  EXPECT_EQ(Of("10 - 3 - 2"), "5");
  EXPECT_EQ(Of("-words + 1"), "-119");
  EXPECT_EQ(Of("--2"), "2");
  EXPECT_EQ(Of("1 + 1 == 2"), "true");
  EXPECT_EQ(Of("words > 100 and language == \"en\""), "true");
  EXPECT_EQ(Of("ham or not ham and spam"), "true");
  EXPECT_EQ(Of("not spam == ham"), "true");
  EXPECT_EQ(Of("not not spam"), "true");
  EXPECT_EQ(Of("words >= 120"), "true");
  EXPECT_EQ(Of("words <= 119"), "false");
  EXPECT_EQ(Of("words != 120"), "false");
  EXPECT_EQ(Of("language < \"fr\""), "true");
  EXPECT_EQ(Of("spam == true"), "true");
  EXPECT_EQ(Of("spam + ham"), "1");
  EXPECT_EQ(Of("language == 1"), "false");
  EXPECT_EQ(Of("language != 1"), "true");
}

TEST(Expression, Functions) {
  EXPECT_EQ(Of("length(title)"), "12");  // code points
  EXPECT_EQ(Of("length(engines)"), "3");
  EXPECT_EQ(Of("lower('AbC')"), "'abc'");
  EXPECT_EQ(Of("host(url)"), "'www.example.org'");
  EXPECT_EQ(Of("year(date)"), "2004");
  EXPECT_EQ(Of("year('20061231235959')"), "2006");
  EXPECT_EQ(Of("year('Sun, 06 Nov 1994 08:49:37 GMT')"), "1994");
  EXPECT_EQ(Of("year('no date')"), "missing");
  EXPECT_EQ(Of("prefix(url, \"http:\")"), "true");
  EXPECT_EQ(Of("suffix(url, \"b\")"), "true");
  EXPECT_EQ(Of("contains(lower(title), \"sale\")"), "true");
  EXPECT_EQ(Of("contains(engines, \"b\")"), "true");
  EXPECT_EQ(Of("contains(engines, \"c\")"), "false");
  EXPECT_EQ(Of("exists(words)"), "true");
  EXPECT_EQ(Of("exists(wrods)"), "false");
}

// Three values: what is not known stays unknown unless it cannot matter.
TEST(Expression, MissingIsMissing) {
  for (const char* text :
       {"wrods", "nothing", "page.nothing", "words.x", "wrods + 1",
        "wrods == 1", "not wrods", "wrods and spam", "ham or wrods",
        "length(wrods)", "1 / 0", "title + 1", "title < 1", "length(words)",
        "host(words)", "contains(words, 'x')", "-title", "1e300 * 1e300"}) {
    EXPECT_EQ(Of(text), "missing") << text;
  }
  EXPECT_EQ(Of("wrods or spam"), "true");
  EXPECT_EQ(Of("wrods and ham"), "false");
}

TEST(Expression, RefusalsNameTheColumn) {
  EXPECT_EQ(Of(""), "a value is missing, at column 1 of the expression");
  EXPECT_EQ(Of("words >"), "a value is missing, at column 8 of the expression");
  EXPECT_EQ(Of("words 5"),
            "an operator is missing, at column 7 of the expression");
  EXPECT_EQ(Of("words = 5"),
            "'=' is no operator; use '==', at column 7 of the expression");
  EXPECT_EQ(Of("1 < 2 < 3"),
            "comparisons do not chain; use 'and', at column 7 of the "
            "expression");
  EXPECT_EQ(Of("(1 + 2"),
            "this parenthesis is not closed, at column 1 of the expression");
  EXPECT_EQ(Of("x == \"a"),
            "this quote is not closed, at column 6 of the expression");
  EXPECT_EQ(Of("prefix(url)"),
            "prefix takes two values, at column 11 of the expression");
  EXPECT_EQ(Of("length(a, b)"),
            "the values of length do not end here, at column 9 of the "
            "expression");
  EXPECT_EQ(Of("1x"), "this is no number, at column 1 of the expression");
  EXPECT_NE(Of("size(x)").find("there is no function 'size'"),
            std::string::npos);
  EXPECT_NE(Of("and").find("before 'and'"), std::string::npos);
  EXPECT_NE(Of("a..b").find("is no field"), std::string::npos);
  for (const char* text :
       {"words;", "&", "a b", "a == == b", ")", "f(", "\x80(", "(", "-", "not"})
    EXPECT_FALSE(Expression::Parse(text)) << text;
}

// An expression and what it must be, made together.
struct Made {
  std::string text;
  int level = kPrimary;  // how strongly its last operator binds
  ExpressionValue value = {};

  enum { kOr, kAnd, kNot, kComparison, kSum, kProduct, kUnary, kPrimary };
};

ExpressionValue Number(double number) {
  if (!std::isfinite(number)) return {};
  return {ExpressionValue::kNumber, number, {}, {}};
}
ExpressionValue Truth(bool truth) {
  return {ExpressionValue::kBool, truth ? 1.0 : 0.0, {}, {}};
}
ExpressionValue Text(std::string text) {
  return {ExpressionValue::kText, 0, std::move(text), {}};
}
bool HasNumber(const ExpressionValue& value) {
  return value.kind == ExpressionValue::kNumber ||
         value.kind == ExpressionValue::kBool;
}

// 0, 1/2 or 1: false, unknown, true, so that `and` is the least of two values
// and `or` the largest (Kleene's logic).
double Known(const ExpressionValue& value) {
  if (value.kind == ExpressionValue::kMissing) return 0.5;
  if (value.kind == ExpressionValue::kText) return value.text.empty() ? 0 : 1;
  return value.number != 0 ? 1 : 0;
}
ExpressionValue FromKnown(double known) {
  return known == 0.5 ? ExpressionValue() : Truth(known == 1);
}

// Holds one of < == > between two values; nothing otherwise.
char OrderOf(const ExpressionValue& a, const ExpressionValue& b) {
  if (HasNumber(a) && HasNumber(b))
    return a.number < b.number ? '<' : a.number == b.number ? '=' : '>';
  if (a.kind != ExpressionValue::kText || b.kind != ExpressionValue::kText)
    return 0;
  return a.text < b.text ? '<' : a.text == b.text ? '=' : '>';
}

ExpressionValue Compared(const ExpressionValue& a, const std::string& op,
                         const ExpressionValue& b) {
  const char order = OrderOf(a, b);
  const bool is_missing = a.kind == ExpressionValue::kMissing ||
                          b.kind == ExpressionValue::kMissing;
  if (op == "==" || op == "!=")
    return is_missing ? ExpressionValue()
                      : Truth((order == '=') == (op[0] == '='));
  if (order == 0) return {};
  return Truth(order == op[0] || (order == '=' && op.size() == 2));
}

ExpressionValue Computed(const ExpressionValue& a, char op,
                         const ExpressionValue& b) {
  if (!HasNumber(a) || !HasNumber(b)) return {};
  if (op == '+') return Number(a.number + b.number);
  if (op == '-') return Number(a.number - b.number);
  if (op == '*') return Number(a.number * b.number);
  return Number(a.number / b.number);
}

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  Made Make(int depth) {
    if (depth == 0) return Leaf();
    const std::string op = Pick({"or", "and", "not", "==", "!=", "<", "<=", ">",
                                 ">=", "+", "-", "*", "/", "negative"});
    if (op == "not" || op == "negative") {
      const int level = op == "not" ? Made::kNot : Made::kUnary;
      const Made a = Operand(depth, level);
      return op == "not"
                 ? Made{"not " + a.text, level, FromKnown(1 - Known(a.value))}
                 : Made{"-" + a.text, level,
                        Computed(Number(-1), '*', a.value)};
    }
    const int level = LevelOf(op);
    // Comparisons do not chain; the others take what stands at their left.
    const Made a = Operand(depth, level + (level == Made::kComparison)),
               b = Operand(depth, level + 1);
    return {a.text + " " + op + " " + b.text, level,
            Apply(a.value, op, b.value)};
  }

 private:
  static int LevelOf(const std::string& op) {
    if (op == "or") return Made::kOr;
    if (op == "and") return Made::kAnd;
    if (op == "+" || op == "-") return Made::kSum;
    return op == "*" || op == "/" ? Made::kProduct : Made::kComparison;
  }
  static ExpressionValue Apply(const ExpressionValue& a, const std::string& op,
                               const ExpressionValue& b) {
    if (op == "or") return FromKnown(std::max(Known(a), Known(b)));
    if (op == "and") return FromKnown(std::min(Known(a), Known(b)));
    return LevelOf(op) == Made::kComparison ? Compared(a, op, b)
                                            : Computed(a, op[0], b);
  }
  // In parentheses where the text would mean something else without them, and
  // now and then where it would not.
  Made Operand(int depth, int level) {
    Made made =
        Make(static_cast<int>(random_.Below(static_cast<uint64_t>(depth))));
    if (made.level >= level && random_.Below(5) > 0) return made;
    return {"( " + made.text + ")", Made::kPrimary, made.value};
  }
  Made Leaf() {
    const std::vector<Made> leaves = {{"words", Made::kPrimary, Number(120)},
                                      {"weight", Made::kPrimary, Number(0.25)},
                                      {"spam", Made::kPrimary, Truth(true)},
                                      {"false", Made::kPrimary, Truth(false)},
                                      {"wrods", Made::kPrimary, {}},
                                      {"0", Made::kPrimary, Number(0)},
                                      {"3", Made::kPrimary, Number(3)},
                                      {"''", Made::kPrimary, Text("")},
                                      {"language", Made::kPrimary, Text("en")},
                                      {"\"de\"", Made::kPrimary, Text("de")}};
    return leaves[random_.Below(leaves.size())];
  }
  std::string Pick(const std::vector<std::string>& from) {
    return from[random_.Below(from.size())];
  }
  SplitMix64 random_;
};

TEST(Expression, EqualsItsValueWhenMade) {
  Maker maker(5);
  size_t unknown = 0;
  constexpr size_t kRounds = 4'000;
  for (size_t i = 0; i < kRounds; ++i) {
    const Made made = maker.Make(6);
    const auto expression = Expression::Parse(made.text);
    ASSERT_TRUE(expression) << made.text << ": " << expression.error().message;
    const ExpressionValue value = expression->Evaluate(Row());
    ASSERT_EQ(Show(value), Show(made.value)) << made.text;
    ASSERT_EQ(value.number, made.value.number) << made.text;
    unknown += value.kind == ExpressionValue::kMissing;
  }
  EXPECT_LT(unknown, kRounds * 4 / 5);
}

TEST(Expression, LimitsHold) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_EQ(Of(nested(64)), "1");
  EXPECT_NE(Of(nested(65)).find("deeper than 64"), std::string::npos);
  std::string calls;
  for (int i = 0; i < 65; ++i) calls += "lower(";
  EXPECT_FALSE(Expression::Parse(calls));
  // Long chains without depth are fine, up to the longest text.
  std::string sum = "1";
  while (sum.size() + 2 <= 4096) sum += "+1";
  EXPECT_EQ(Of(sum), std::to_string((sum.size() + 1) / 2));
  EXPECT_TRUE(Expression::Parse(std::string(4095, '-') + "1"));
  EXPECT_FALSE(Expression::Parse(sum + "+1"));
}

}  // namespace
}  // namespace twinset
