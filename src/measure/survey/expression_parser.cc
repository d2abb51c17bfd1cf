// The parser of --of.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "survey/expression.h"

namespace twinset {

// Recursive descent; the steps come out in postfix order.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  Result<Expression> Parse() {
    if (text_.size() > kMostBytes)
      return Refuse(0, "the expression is longer than 4096 bytes");
    TWINSET_TRY(Or());
    SkipSpace();
    if (at_ < text_.size()) return Refuse(at_, "an operator is missing");
    expression_.text_ = text_;
    return std::move(expression_);
  }

 private:
  using Op = Expression::Op;
  static constexpr size_t kMostBytes = 4096;
  static constexpr int kMostDepth = 64;

  static tl::unexpected<Error> Refuse(size_t at, const std::string& message) {
    return Fail(ErrorCode::kUsage, message + ", at column " +
                                       std::to_string(at + 1) +
                                       " of the expression");
  }

  void SkipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }

  static bool IsNameByte(char c) {
    return IsAsciiLetter(c) || IsAsciiDigit(c) || c == '_' || c == '.' ||
           (static_cast<unsigned char>(c) & 0x80) != 0;
  }

  // The word that starts here; empty when none does.
  std::string_view PeekWord() {
    SkipSpace();
    size_t end = at_;
    while (end < text_.size() && IsNameByte(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool TakeWord(std::string_view word) {
    if (PeekWord() != word) return false;
    at_ += word.size();
    return true;
  }

  bool Take(std::string_view symbol) {
    SkipSpace();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  void Add(Op op) { expression_.steps_.push_back({op}); }

  Status Or() {
    TWINSET_TRY(And());
    while (TakeWord("or")) {
      TWINSET_TRY(And());
      Add(Op::kOr);
    }
    return {};
  }

  Status And() {
    TWINSET_TRY(Not());
    while (TakeWord("and")) {
      TWINSET_TRY(Not());
      Add(Op::kAnd);
    }
    return {};
  }

  Status Not() {
    size_t count = 0;
    while (TakeWord("not")) ++count;
    TWINSET_TRY(Comparison());
    for (; count > 0; --count) Add(Op::kNot);
    return {};
  }

  Status Comparison() {
    TWINSET_TRY(Sum());
    constexpr std::pair<std::string_view, Op> kOperators[] = {
        {"==", Op::kEqual},     {"!=", Op::kNotEqual},
        {"<=", Op::kLessEqual}, {">=", Op::kGreaterEqual},
        {"<", Op::kLess},       {">", Op::kGreater}};
    SkipSpace();
    for (const auto& [symbol, op] : kOperators) {
      if (!Take(symbol)) continue;
      TWINSET_TRY(Sum());
      Add(op);
      SkipSpace();
      for (const auto& [again, unused] : kOperators) {
        if (text_.substr(at_).starts_with(again))
          return Refuse(at_, "comparisons do not chain; use 'and'");
      }
      return {};
    }
    if (text_.substr(at_).starts_with("="))
      return Refuse(at_, "'=' is no operator; use '=='");
    return {};
  }

  Status Sum() {
    TWINSET_TRY(Product());
    for (;;) {
      const bool add = Take("+");
      if (!add && !Take("-")) return {};
      TWINSET_TRY(Product());
      Add(add ? Op::kAdd : Op::kSubtract);
    }
  }

  Status Product() {
    TWINSET_TRY(Unary());
    for (;;) {
      const bool multiply = Take("*");
      if (!multiply && !Take("/")) return {};
      TWINSET_TRY(Unary());
      Add(multiply ? Op::kMultiply : Op::kDivide);
    }
  }

  Status Unary() {
    size_t count = 0;
    while (Take("-")) ++count;
    TWINSET_TRY(Primary());
    for (; count > 0; --count) Add(Op::kNegate);
    return {};
  }

  Status Primary() {
    SkipSpace();
    if (at_ == text_.size()) return Refuse(at_, "a value is missing");
    const char c = text_[at_];
    if (c == '(') return Parentheses();
    if (c == '"' || c == '\'') {
      TWINSET_ASSIGN(std::string text, Quoted(c));
      expression_.steps_.push_back({Op::kText, 0, std::move(text)});
      return {};
    }
    if (c == '`') return Name();
    if ((c >= '0' && c <= '9') || c == '.') return Numeral();
    const std::string_view word = PeekWord();
    if (word.empty()) return Refuse(at_, "a value is missing");
    if (word == "and" || word == "or" || word == "not")
      return Refuse(at_,
                    "a value is missing before '" + std::string(word) + "'");
    const size_t start = at_;
    const size_t behind = at_ + word.size();
    if (behind < text_.size() && text_[behind] == '`') return Name();
    at_ = behind;
    if (word == "true" || word == "false") {
      expression_.steps_.push_back({Op::kBool, word == "true" ? 1.0 : 0.0});
      return {};
    }
    if (Take("(")) return Call(word, start);
    at_ = start;
    return Name();
  }

  // Words and names in backquotes, with dots between them.
  Status Name() {
    const size_t start = at_;
    std::string name;
    bool ends = false;  // a part in backquotes was the last
    for (; at_ < text_.size(); ends = text_[at_ - 1] == '`') {
      if (text_[at_] == '`') {
        if (!name.empty() && name.back() != '.')
          return Refuse(at_, "a dot is missing before this name");
        TWINSET_ASSIGN(std::string part, Quoted('`'));
        if (part.empty()) return Refuse(start, "a name is empty");
        std::replace(part.begin(), part.end(), '.', Expression::kDotInName);
        name += part;
        continue;
      }
      if (!IsNameByte(text_[at_])) break;
      if (ends && text_[at_] != '.')
        return Refuse(at_, "a dot is missing before this name");
      name += text_[at_++];
    }
    if (name.back() == '.' || name.find("..") != name.npos ||
        name.front() == '.') {
      return Refuse(start, "'" + std::string(text_.substr(start, at_ - start)) +
                               "' is no field");
    }
    expression_.steps_.push_back({Op::kField, 0, std::move(name)});
    return {};
  }

  Status Parentheses() {
    const size_t start = at_++;
    if (++depth_ > kMostDepth)
      return Refuse(start, "parentheses are nested deeper than 64");
    TWINSET_TRY(Or());
    if (!Take(")")) return Refuse(start, "this parenthesis is not closed");
    --depth_;
    return {};
  }

  // A backslash takes the next byte as it is.
  Result<std::string> Quoted(char quote) {
    const size_t start = at_++;
    std::string text;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      text.push_back(text_[at_++]);
    }
    if (at_ == text_.size()) return Refuse(start, "this quote is not closed");
    ++at_;
    return text;
  }

  Status Numeral() {
    double number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] =
        std::from_chars(begin, text_.data() + text_.size(), number);
    const size_t size = static_cast<size_t>(end - begin);
    if (error != std::errc() ||
        (at_ + size < text_.size() && IsNameByte(text_[at_ + size])))
      return Refuse(at_, "this is no number");
    at_ += size;
    expression_.steps_.push_back({Op::kNumber, number});
    return {};
  }

  Status Call(std::string_view name, size_t start) {
    constexpr std::pair<std::string_view, Op> kFunctions[] = {
        {"length", Op::kLength},     {"lower", Op::kLower},
        {"host", Op::kHost},         {"year", Op::kYear},
        {"prefix", Op::kPrefix},     {"suffix", Op::kSuffix},
        {"contains", Op::kContains}, {"exists", Op::kExists}};
    const auto* const found =
        std::find_if(std::begin(kFunctions), std::end(kFunctions),
                     [&](const auto& one) { return one.first == name; });
    if (found == std::end(kFunctions))
      return Refuse(start, "there is no function '" + std::string(name) +
                               "' (length, lower, host, year, prefix, "
                               "suffix, contains, exists)");
    if (++depth_ > kMostDepth)
      return Refuse(start, "functions are nested deeper than 64");
    const int arity = Expression::Arity(found->second);
    for (int i = 0; i < arity; ++i) {
      if (i > 0 && !Take(","))
        return Refuse(at_, std::string(name) + " takes two values");
      TWINSET_TRY(Or());
    }
    if (!Take(")"))
      return Refuse(at_,
                    "the values of " + std::string(name) + " do not end here");
    --depth_;
    Add(found->second);
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  Expression expression_;
};

Result<Expression> Expression::Parse(std::string_view text) {
  return ExpressionParser(text).Parse();
}

}  // namespace twinset
