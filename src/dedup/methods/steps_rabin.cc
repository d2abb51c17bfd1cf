// explain --steps of rabin-mod-prime: numbers, their remainders, and how little
// these say of how alike the numbers are (Rabin 1981;
// docs/examples/rabin-mod-prime.md).
#include <algorithm>
#include <bit>

#include "methods/steps.h"
#include "sketch/rabin_prime.h"

namespace twinset {

namespace {

std::string Binary(uint64_t value, int digits) {
  std::string text;
  for (int i = digits - 1; i >= 0; --i) text += value >> i & 1 ? '1' : '0';
  return text;
}

}  // namespace

Result<bool> AddRabinSteps(const StepInput& input, StepText* text) {
  if (input.steps.functions.empty() && !input.is_fingerprints()) return false;
  if (!input.is_fingerprints() || input.steps.functions.size() != 1) {
    return Fail(
        ErrorCode::kUsage,
        "the steps of " + input.method.name + " need numbers and a prime", "",
        "add --feature-hash binary --functions 'x mod 173', and give "
        "documents of one token of digits 0 and 1");
  }
  TWINSET_ASSIGN(const LinearFunction function,
                 ParseLinearFunction(input.steps.functions[0]));
  const uint64_t prime = function.m;
  TWINSET_TRY(RabinPrime::Create(prime));
  const int digits = static_cast<int>(std::bit_width(prime - 1));
  text->Heading("Fingerprints modulo " + std::to_string(prime));
  struct Number {
    std::string name, text;
    uint64_t value = 0, remainder = 0;
  };
  std::vector<Number> numbers;
  std::vector<std::vector<std::string>> rows, pairs;
  for (const StepDocument& document : input.documents) {
    Number number{Plain(document.name), document.tokens[0].text};
    // The digits are the highest bits of the feature.
    number.value = document.set[0] >> (64 - number.text.size());
    number.remainder = number.value % prime;
    rows.push_back(
        {number.name, "`" + number.text + "`", std::to_string(number.value),
         std::to_string(number.value / prime) + " * " + std::to_string(prime) +
             " + " + std::to_string(number.remainder),
         "`" + Binary(number.remainder, digits) + "`"});
    numbers.push_back(std::move(number));
  }
  text->Table({"document", ">bits", ">x", ">x = q p + r",
               ">r in " + std::to_string(digits) + " bits"},
              rows);
  ForEachStepPair(input, [&](size_t i, size_t j) {
    const Number &a = numbers[i], &b = numbers[j];
    pairs.push_back({a.name + ", " + b.name,
                     std::to_string(std::popcount(a.value ^ b.value)),
                     std::to_string(std::popcount(a.remainder ^ b.remainder)),
                     a.remainder == b.remainder ? "yes" : "no"});
  });
  if (pairs.empty()) return true;
  text->Paragraph(
      "Equal numbers have equal remainders. Numbers that differ in one bit "
      "have "
      "remainders that differ anywhere: they find copies, not likeness.");
  text->Table({"a, b", ">bits that differ in x", ">bits that differ in r",
               "equal fingerprints"},
              pairs);
  text->DrawNothing(
      "There is nothing to draw: the remainders are equal or not, which the "
      "tables tell.");
  return true;
}

}  // namespace twinset
