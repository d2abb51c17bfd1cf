#include "server/multipart.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset::server {
namespace {

constexpr char kType[] = "multipart/form-data; boundary=XX";

std::string Part(const std::string& disposition, const std::string& content) {
  return "--XX\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" +
         content + "\r\n";
}

TEST(Multipart, TakesFormsApart) {
  const std::string body =
      Part("name=\"text\"", "a\r\nb\r\n--X") +
      "--XX\r\nContent-Type: text/html\r\ncontent-disposition: "
      "Form-Data; name=file; filename=\"a;b%22.html\"\r\n\r\n" +
      std::string("<p>\0\xFF", 5) + "\r\n" + Part("name=\"\"", "") + "--XX--";
  for (const char* type :
       {kType, "Multipart/Form-Data; charset=utf-8; boundary=\"XX\""}) {
    const auto parts = ParseMultipart(type, body);
    ASSERT_TRUE(parts) << type;
    ASSERT_EQ(parts->size(), 3u);
    EXPECT_EQ((*parts)[0].name, "text");
    EXPECT_EQ((*parts)[0].content, "a\r\nb\r\n--X");
    EXPECT_FALSE((*parts)[0].file);
    EXPECT_EQ(FindPart(*parts, "file"), &(*parts)[1]);
    EXPECT_EQ((*parts)[1].file, "a;b\".html");
    EXPECT_EQ((*parts)[1].content, std::string_view("<p>\0\xFF", 5));
    EXPECT_EQ((*parts)[2].content, "");
    EXPECT_EQ(FindPart(*parts, "none"), nullptr);
  }
  EXPECT_EQ(ParseMultipart(kType, "said before\r\n" + body)->size(), 3u);
  EXPECT_EQ(ParseMultipart(kType, body + "\r\nsaid behind")->size(), 3u);
  EXPECT_EQ(ParseMultipart(kType, "\r\n" + body)->size(), 3u);
  EXPECT_EQ(ParseMultipart(kType, "--XX--\r\n")->size(), 0u);
}

TEST(Multipart, RefusesWhatIsNoForm) {
  const std::string good = Part("name=a", "b") + "--XX--";
  EXPECT_TRUE(ParseMultipart(kType, good));
  for (const char* type :
       {"", "multipart/form-data", "multipart/form-data; boundary=",
        "multipart/mixed; boundary=XX", "multipart/form-data; boundary=YY",
        "multipart/form-data; boundary=\"XX"})
    EXPECT_FALSE(ParseMultipart(type, good)) << type;
  EXPECT_FALSE(ParseMultipart(
      "multipart/form-data; boundary=" + std::string(71, 'X'), good));
  for (const std::string& body :
       {std::string(), std::string("--XX"), std::string("--XX\r\n"),
        Part("name=a", "b"), Part("name=a", "b") + "--XX",
        Part("filename=a", "b") + "--XX--",
        std::string("--XX\r\n\r\nb\r\n--XX--"),
        std::string("--XX\r\nContent-Disposition: form-data; name=a\r\n--XX--"),
        std::string("--XXY\r\n") + good.substr(6)})
    EXPECT_FALSE(ParseMultipart(kType, body)) << body;
  std::string many;
  for (int i = 0; i < 17; ++i) many += Part("name=a", "b");
  EXPECT_FALSE(ParseMultipart(kType, many + "--XX--"));
}

// Boundaries that never come to an end cost no more than their bytes.
TEST(Multipart, IsLinear) {
  std::string body = "--XX\r\n";
  while (body.size() < 4 << 20) body += "\r\n--X\r\n--XX\r\r\n-";
  EXPECT_FALSE(ParseMultipart(kType, body));
}

}  // namespace
}  // namespace twinset::server
