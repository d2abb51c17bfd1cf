// Any text is refused or an expression; an expression has a value for any row.
#include "scratch_file.h"
#include "survey/expression.h"
#include "target.h"

TWINSET_FUZZ_TARGET(expression) {
  twinset::FuzzInput input(data, size);
  const uint64_t cut = input.Number(1);
  const std::string all(input.Rest());
  const std::string json = all.substr(0, cut);
  const std::string text = all.substr(json.size());
  const auto expression = twinset::Expression::Parse(text);
  if (!expression) {
    twinset::Require(!expression.error().message.empty());
    return 0;
  }
  twinset::SampleRow row;
  row.url = json;
  row.fields = {{"a", json}, {"b", "{\"c\":[1,\"x\"]}"}, {"d", "-3.5"}};
  const auto value = expression->Evaluate(row);
  // The same row, the same value; numbers are finite.
  const auto again = expression->Evaluate(row);
  twinset::Require(value.kind == again.kind && value.text == again.text);
  twinset::Require(value.number == again.number);
  return 0;
}
