#include "base/choice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace twinset {
namespace {

TEST(Choice, NamesWhatThereIs) {
  struct Row {
    std::string name;
    int value;
  };
  const std::vector<Row> rows = {{"bands", 1}, {"sorted", 2}};
  const Error error = NoSuchChoice("no 'x'", rows, &Row::name).value();
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.ToString(), "no 'x' (use one of: bands, sorted)");
  const std::string_view names[] = {"one"};
  EXPECT_EQ(NoSuchChoice("no", names).value().remedy, "use one of: one");
}

}  // namespace
}  // namespace twinset
