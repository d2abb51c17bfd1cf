#include "engine/http_engine.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

namespace twinset {
namespace {

TEST(FirstNumber, ReadsWhatEnginesWrite) {
  const std::pair<const char*, std::optional<uint64_t>> cases[] = {
      {"1234", 1234},
      {"about 1,234 results", 1234},
      {"1.234.567 Treffer", 1234567},
      {"1'234", 1234},
      {"12\xC2\xA0"
       "345 r\xC3\xA9sultats",
       12345},
      {"12 345", 12345},
      {"1-10 of exactly 250", 1},
      {"10, 20", 10},
      {"1,2345", 1},
      {"0", 0},
      {"none", std::nullopt},
      {"", std::nullopt},
      {"99999999999999999999", std::nullopt},
  };
  for (const auto& [text, number] : cases)
    EXPECT_EQ(FirstNumber(text), number) << text;
}

TEST(QueryUrl, FillsTheTemplate) {
  HttpEngineOptions options;
  options.url =
      "http://e/?q={terms}&n={limit}&op={operator}&s={start}&p={page}";
  options.separators = {" ", " OR "};
  EXPECT_EQ(QueryUrl(options, {{"a b", "{limit}", "\xC3\xBC&"}, true, 7}, 0),
            "http://e/?q=a%20b%20%7Blimit%7D%20%C3%BC%26&n=7&op=AND&s=0&p=1");
  options.page_size = 10;
  EXPECT_EQ(QueryUrl(options, {{"a", "b"}, false, 70}, 20),
            "http://e/?q=a%20OR%20b&n=10&op=OR&s=20&p=3");
}

std::string Complaint(const std::string& json) {
  const auto options = ParseHttpEngine(Json::Parse(json));
  return options ? "" : options.error().message;
}

TEST(ParseHttpEngine, NamesWhatIsWrong) {
  EXPECT_EQ(Complaint(R"({"url":"http://e/{terms}","results":"//a/@href"})"),
            "");
  EXPECT_NE(Complaint(R"({"url":"http://e/","results":"x"})"), "");
  EXPECT_NE(Complaint(R"({"url":"ftp://e/{terms}","results":"x"})"), "");
  EXPECT_NE(Complaint(R"({"url":"http://e/{terms}"})"), "");
  EXPECT_EQ(Complaint(R"({"ulr":"http://e/{terms}","results":"x"})"),
            "an engine of type http has no \"ulr\"");
  const auto with = [](const std::string& member) {
    return Complaint(R"({"url":"http://e/{terms}","results":"x",)" + member +
                     "}");
  };
  EXPECT_NE(with(R"("format":"pdf")"), "");
  EXPECT_NE(with(R"("max_results":-1)"), "");
  EXPECT_NE(with(R"("max_results":"1")"), "");
  EXPECT_NE(with(R"("separators":["a"])"), "");
  EXPECT_NE(with(R"("networks":"127.0.0.0/8")"), "");
  EXPECT_NE(with(R"("page_size":10)"), "");
  EXPECT_NE(with(R"("robots":1)"), "");
}

TEST(ParseHttpEngine, ReadsWhatIsSaid) {
  const auto options = ParseHttpEngine(Json::Parse(
      R"({"type":"http","name":"e","url":"https://e/{terms}/{start}",
          "format":"json","results":"/r/*","hits":"/n","empty":"/none",
          "operators":["all","any"],"separators":["+","|"],"max_results":50,
          "max_terms":10,"page_size":5,"timeout_ms":100,"networks":["::1"],
          "delay_ms":7,"retries":1,"robots":false,"user_agent":"me"})"));
  ASSERT_TRUE(options.has_value()) << options.error().ToString();
  EXPECT_EQ(options->operators[1], "any");
  EXPECT_EQ(options->separators[0], "+");
  EXPECT_EQ(options->max_results, 50u);
  EXPECT_EQ(options->page_size, 5u);
  EXPECT_EQ(options->http.timeout_ms, 100u);
  EXPECT_EQ(options->http.only.size(), 1u);
  EXPECT_EQ(options->http.max_redirects, 0u);
  EXPECT_EQ(options->politeness.delay_ms, 7u);
  EXPECT_FALSE(options->politeness.robots);
}

}  // namespace
}  // namespace twinset
