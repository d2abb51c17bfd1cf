#include "engines/extract.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "twinset/json.h"

namespace twinset {

namespace {

// Steps of one XPath; a page cannot make it run for hours.
constexpr unsigned long kMostSteps = 20'000'000;

// Takes libxml2's messages, which are for nobody.
void Ignore(void*, const char*, ...) {}

class XmlValues : public PageValues {
 public:
  explicit XmlValues(xmlDocPtr document) : document_(document) {}
  XmlValues(const XmlValues&) = delete;
  XmlValues& operator=(const XmlValues&) = delete;
  ~XmlValues() override { xmlFreeDoc(document_); }

  Result<std::vector<std::string>> Find(
      const std::string& expression) override {
    xmlXPathContextPtr context = xmlXPathNewContext(document_);
    if (context == nullptr) return Fail(ErrorCode::kMemory, "out of memory");
    context->opLimit = kMostSteps;
    xmlXPathObjectPtr found = xmlXPathEvalExpression(
        reinterpret_cast<const xmlChar*>(expression.c_str()), context);
    const bool too_long = context->opCount >= kMostSteps;
    std::vector<std::string> texts;
    if (found != nullptr) Texts(found, &texts);
    const bool bad = found == nullptr;
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    if (bad && too_long)
      return Fail(ErrorCode::kCorrupt, "the page is too much for the XPath",
                  expression);
    if (bad) return Fail(ErrorCode::kUsage, "no XPath", expression);
    return texts;
  }

 private:
  static std::string Take(xmlChar* text) {
    std::string result =
        text == nullptr ? "" : reinterpret_cast<const char*>(text);
    xmlFree(text);
    return result;
  }
  static void Texts(xmlXPathObjectPtr found, std::vector<std::string>* texts) {
    if (found->type != XPATH_NODESET) {
      texts->push_back(Take(xmlXPathCastToString(found)));
      return;
    }
    if (found->nodesetval == nullptr) return;
    const size_t size = std::min<size_t>(
        static_cast<size_t>(found->nodesetval->nodeNr), kMostValues);
    for (size_t i = 0; i < size; ++i)
      texts->push_back(
          Take(xmlXPathCastNodeToString(found->nodesetval->nodeTab[i])));
  }

  xmlDocPtr document_;
};

class JsonValues : public PageValues {
 public:
  explicit JsonValues(Json json) : json_(std::move(json)) {}

  Result<std::vector<std::string>> Find(
      const std::string& expression) override {
    if (!expression.empty() && expression[0] != '/')
      return Fail(ErrorCode::kUsage, "no JSON pointer", expression);
    std::vector<const Json*> places = {&json_};
    std::string_view rest = expression;
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const size_t end = rest.find('/');
      Step(Unescape(rest.substr(0, end)), &places);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
    }
    std::vector<std::string> texts;
    for (const Json* place : places) {
      if (place->is_string()) texts.push_back(place->get<std::string>());
      if (place->is_number() || place->is_boolean())
        texts.push_back(place->dump());
    }
    return texts;
  }

 private:
  // RFC 6901: ~1 is "/", ~0 is "~".
  static std::string Unescape(std::string_view token) {
    std::string text;
    for (size_t i = 0; i < token.size(); ++i) {
      const bool escape = token[i] == '~' && i + 1 < token.size() &&
                          (token[i + 1] == '0' || token[i + 1] == '1');
      if (!escape) {
        text += token[i];
      } else {
        text += token[++i] == '0' ? '~' : '/';
      }
    }
    return text;
  }
  static void Step(const std::string& token, std::vector<const Json*>* places) {
    std::vector<const Json*> next;
    for (const Json* place : *places) {
      if (place->is_object()) {
        if (const auto found = place->find(token); found != place->end())
          next.push_back(&*found);
        continue;
      }
      if (!place->is_array()) continue;
      for (size_t i = 0; i < place->size() && next.size() < kMostValues; ++i)
        if (token == "*" || token == std::to_string(i))
          next.push_back(&(*place)[i]);
    }
    *places = std::move(next);
  }

  Json json_;
};

// The character set that a Content-Type names, or "".
std::string CharsetOf(const std::string& content_type) {
  std::string lower = content_type;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  const size_t at = lower.find("charset=");
  if (at == std::string::npos) return "";
  std::string name = lower.substr(at + 8);
  name = name.substr(0, name.find_first_of("; \t"));
  std::erase(name, '"');
  return name;
}

}  // namespace

Result<std::unique_ptr<PageValues>> ReadPageValues(
    const std::string& format, const std::string& content_type,
    std::string_view body) {
  if (format == "json") {
    Json json = Json::Parse(body);
    if (json.is_discarded())
      return Fail(ErrorCode::kCorrupt, "the page is no JSON");
    return std::make_unique<JsonValues>(std::move(json));
  }
  if (format != "html" && format != "xml") {
    return Fail(ErrorCode::kUsage,
                "the format must be html, xml or json, not \"" + format + "\"");
  }
  xmlSetGenericErrorFunc(nullptr, Ignore);
  const std::string charset = CharsetOf(content_type);
  const char* encoding = charset.empty() ? nullptr : charset.c_str();
  const int size = static_cast<int>(body.size());
  xmlDocPtr document =
      format == "html"
          ? htmlReadMemory(body.data(), size, "", encoding,
                           HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
                               HTML_PARSE_NOWARNING | HTML_PARSE_NONET)
          : xmlReadMemory(
                body.data(), size, "", encoding,
                XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
  if (document == nullptr)
    return Fail(ErrorCode::kCorrupt, "the page is no " + format);
  return std::make_unique<XmlValues>(document);
}

}  // namespace twinset
