#include "text/html/html_doctype.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/html/html_tokenizer_chars.h"

namespace twinset {
namespace {

class DoctypeParser {
 public:
  // `closed`: '>' stands behind `text`; else the source ends there.
  DoctypeParser(std::string_view text, bool closed)
      : rest_(text), closed_(closed) {}

  HtmlDoctype Parse() {
    SkipBlanks();
    if (rest_.empty()) return Quirks();
    doctype_.name = Lower(Take(NameEnd()));
    SkipBlanks();
    if (rest_.empty()) return AtEnd();
    const bool is_public = EqualsIgnoreCase(rest_.substr(0, 6), "public");
    if (!is_public && !EqualsIgnoreCase(rest_.substr(0, 6), "system")) {
      return Quirks();
    }
    rest_.remove_prefix(6);
    SkipBlanks();
    if (is_public) {
      if (!Identifier(&doctype_.public_id)) return Quirks();
      SkipBlanks();
      if (rest_.empty()) return AtEnd();
    }
    if (!Identifier(&doctype_.system_id)) return Quirks();
    SkipBlanks();
    // Anything more makes a bogus doctype, which changes nothing.
    return rest_.empty() ? AtEnd() : doctype_;
  }

 private:
  HtmlDoctype Quirks() {
    doctype_.force_quirks = true;
    return doctype_;
  }
  HtmlDoctype AtEnd() {
    if (!closed_) doctype_.force_quirks = true;
    return doctype_;
  }

  void SkipBlanks() {
    while (!rest_.empty() && IsAsciiSpace(rest_[0])) rest_.remove_prefix(1);
  }
  size_t NameEnd() const {
    size_t end = 0;
    while (end < rest_.size() && !IsAsciiSpace(rest_[end])) ++end;
    return end;
  }
  std::string_view Take(size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  // With line ends and NULs as the tree sees them.
  static std::string Clean(std::string_view raw) {
    std::string out;
    for (size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] == '\0') {
        out += "\xEF\xBF\xBD";
      } else if (raw[i] == '\r') {
        out += '\n';
        if (i + 1 < raw.size() && raw[i + 1] == '\n') ++i;
      } else {
        out += raw[i];
      }
    }
    return out;
  }
  static std::string Lower(std::string_view raw) {
    return ToLowerAscii(Clean(raw));
  }

  // A quoted string; false if there is none or it does not end.
  bool Identifier(std::optional<std::string>* out) {
    if (rest_.empty() || (rest_[0] != '"' && rest_[0] != '\'')) return false;
    const size_t close = rest_.find(rest_[0], 1);
    if (close == std::string_view::npos) {
      *out = Clean(rest_.substr(1));
      return false;
    }
    *out = Clean(rest_.substr(1, close - 1));
    rest_.remove_prefix(close + 1);
    return true;
  }

  std::string_view rest_;
  bool closed_;
  HtmlDoctype doctype_;
};

// Prefixes of public identifiers, in ASCII lower case (section 13.2.6.4.1).
constexpr std::string_view kQuirksPrefixes[] = {
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    ("-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html "
     "4.0//"),
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
};
constexpr std::string_view kLimitedPrefixes[] = {
    "-//w3c//dtd xhtml 1.0 frameset//",
    "-//w3c//dtd xhtml 1.0 transitional//",
};
// Limited quirks with a system identifier, quirks without.
constexpr std::string_view kHtml4Prefixes[] = {
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
};

template <size_t kCount>
bool StartsWithOneOf(std::string_view text,
                     const std::string_view (&prefixes)[kCount]) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [text](std::string_view prefix) {
                       return StartsWithIgnoreCase(text, prefix);
                     });
}

}  // namespace

HtmlDoctype ParseDoctype(const HtmlToken& doctype) {
  const size_t before = std::string_view("<!doctype").size();
  const bool closed = doctype.end - doctype.begin > before + doctype.raw.size();
  return DoctypeParser(doctype.raw, closed).Parse();
}

QuirksMode QuirksModeOf(const HtmlDoctype& doctype) {
  const std::string_view public_id =
      doctype.public_id ? std::string_view(*doctype.public_id) : "";
  const std::string_view system_id =
      doctype.system_id ? std::string_view(*doctype.system_id) : "";
  const bool html4 = StartsWithOneOf(public_id, kHtml4Prefixes);
  if (doctype.force_quirks || doctype.name != "html" ||
      EqualsIgnoreCase(public_id, "-//w3o//dtd w3 html strict 3.0//en//") ||
      EqualsIgnoreCase(public_id, "-/w3c/dtd html 4.0 transitional/en") ||
      EqualsIgnoreCase(public_id, "html") ||
      EqualsIgnoreCase(
          system_id,
          "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd") ||
      StartsWithOneOf(public_id, kQuirksPrefixes) ||
      (html4 && !doctype.system_id)) {
    return QuirksMode::kQuirks;
  }
  return html4 || StartsWithOneOf(public_id, kLimitedPrefixes)
             ? QuirksMode::kLimited
             : QuirksMode::kNone;
}

}  // namespace twinset
