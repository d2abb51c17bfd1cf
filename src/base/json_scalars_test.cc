#include "base/json_scalars.h"

#include <gtest/gtest.h>

#include "twinset/json.h"

namespace twinset::inline v1 {
namespace {

TEST(ScalarsAsText, OnlyNumbersAndTruthValuesBecomeStrings) {
  for (const auto& [json, text] : {
           std::pair(R"({"id":7,"a":[1.50,-2e3,true,null,"3"]})",
                     R"({"id":"7","a":["1.50","-2e3","true",null,"3"]})"),
           {R"({"a\"1":"x\\","b" : false })",
            R"({"a\"1":"x\\","b" : "false" })"},
           {"12345678901234567890123", R"("12345678901234567890123")"},
           {R"("5")", R"("5")"},
           {"[]", "[]"},
           {"", ""},
       }) {
    EXPECT_EQ(ScalarsAsText(json), text);
    if (text[0] != '\0') {
      EXPECT_FALSE(Json::Parse(text).is_discarded());
    }
  }
  // What is no JSON is no trouble.
  for (const char* broken : {"\"", "\"\\", "{\"a", "1 2", "\\"})
    (void)ScalarsAsText(broken);
}

}  // namespace
}  // namespace twinset::inline v1
