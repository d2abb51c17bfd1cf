// HTML to text, MB/s of markup on one core: bench_html [FOLDER]
//
// Reads every page (*.html, *.htm) below FOLDER,
// FOLDER, or a page of its own when there is none, and takes its text by the
// parser of twinset (all visible text, main content), by gumbo, and,
// where libxml2 was there at build time, by libxml2's SAX and tree interfaces
// (text nodes outside script and style, joined). All of them start from bytes
// in memory and end with text in UTF-8 (gumbo has the pages in UTF-8). Each
// line is the median of five rounds. The answer is checked: at least 99 of 100
// texts equal those of gumbo.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "support/gumbo_text.h"
#include "text/page/clean_text.h"

#ifdef TWINSET_HAVE_LIBXML2
#include <libxml/HTMLparser.h>
#endif

namespace twinset {
namespace {

using Pages = std::vector<Document>;

Pages ReadPages(const char* folder) {
  Pages pages;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() &&
        (name.ends_with(".html") || name.ends_with(".htm"))) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    Document page;
    page.kind = ContentKind::kHtml;
    page.payload.assign(std::istreambuf_iterator<char>(file), {});
    pages.push_back(std::move(page));
  }
  return pages;
}

Pages OwnPages() {
  Pages pages;
  for (int i = 0; i < 200; ++i) {
    Document page;
    page.kind = ContentKind::kHtml;
    page.payload = "<!doctype html><title>Page</title><div id=menu><ul>";
    for (int k = 0; k < 20; ++k) {
      page.payload += "<li class='item'><a href='/place/" + std::to_string(k) +
                      "'>Place " + std::to_string(k) + "</a></li>\n";
    }
    page.payload += "</ul></div><article><h1>Heading</h1>";
    for (int k = 0; k < 30; ++k) {
      page.payload += "<p>Paragraph " + std::to_string(i * 31 + k) +
                      " says, as long paragraphs do, something about <b>some "
                      "matter</b> &amp; goes on\nto the next line of it.</p>\n";
    }
    page.payload += "</article>";
    pages.push_back(std::move(page));
  }
  return pages;
}

#ifdef TWINSET_HAVE_LIBXML2
struct SaxState {
  std::string text;
  int muted = 0;
};

bool IsMuted(const xmlChar* name) {
  const std::string_view tag(reinterpret_cast<const char*>(name));
  return tag == "script" || tag == "style";
}

size_t SaxText(const Document& page) {
  htmlSAXHandler handler{};
  handler.startElement = [](void* user, const xmlChar* name, const xmlChar**) {
    static_cast<SaxState*>(user)->muted += IsMuted(name);
  };
  handler.endElement = [](void* user, const xmlChar* name) {
    static_cast<SaxState*>(user)->muted -= IsMuted(name);
  };
  handler.characters = [](void* user, const xmlChar* text, int size) {
    auto* const state = static_cast<SaxState*>(user);
    if (state->muted > 0) return;
    state->text.append(reinterpret_cast<const char*>(text),
                       static_cast<size_t>(size));
    state->text.push_back(' ');
  };
  SaxState state;
  htmlParserCtxtPtr const context = htmlCreatePushParserCtxt(
      &handler, &state, page.payload.data(),
      static_cast<int>(std::min<size_t>(page.payload.size(), 4)), nullptr,
      XML_CHAR_ENCODING_NONE);
  if (context == nullptr) return 0;
  if (page.payload.size() > 4) {
    htmlParseChunk(context, page.payload.data() + 4,
                   static_cast<int>(page.payload.size() - 4), 1);
  }
  htmlFreeParserCtxt(context);
  return state.text.size();
}

void AppendTree(const xmlNode* node, std::string* text) {
  for (; node != nullptr; node = node->next) {
    if (node->type == XML_TEXT_NODE && node->content != nullptr) {
      *text += reinterpret_cast<const char*>(node->content);
      *text += ' ';
    } else if (node->type == XML_ELEMENT_NODE && !IsMuted(node->name)) {
      AppendTree(node->children, text);
    }
  }
}

size_t TreeText(const Document& page) {
  htmlDocPtr const tree = htmlReadMemory(
      page.payload.data(), static_cast<int>(page.payload.size()), nullptr,
      nullptr, HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_RECOVER);
  std::string text;
  if (tree != nullptr) AppendTree(tree->children, &text);
  xmlFreeDoc(tree);
  return text.size();
}
#endif

// Median of five rounds, in MB of markup a second of this thread.
void Measure(const char* name, const Pages& pages,
             const std::function<size_t(const Document&)>& text_size) {
  size_t bytes = 0, text = 0;
  for (const Document& page : pages) bytes += page.payload.size();
  std::vector<double> rates;
  for (int round = 0; round < 5; ++round) {
    text = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const Document& page : pages) text += text_size(page);
    const std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - start;
    rates.push_back(static_cast<double>(bytes) / 1e6 / spent.count());
  }
  std::sort(rates.begin(), rates.end());
  std::printf("%-28s %8.0f MB/s %9.0f pages/s %12zu bytes of text\n", name,
              rates[2],
              rates[2] * 1e6 * static_cast<double>(pages.size()) /
                  static_cast<double>(bytes),
              text);
}

std::string OurText(const Document& page, ContentMode content) {
  TextOptions options;
  options.content = content;
  const auto clean = ExtractText(page, options);
  return clean ? clean->text : std::string();
}

std::string GumboTextOf(const Document& page) {
  return testing::GumboText(OurText(page, ContentMode::kRaw));
}

bool AgreesWithGumbo(const Pages& pages) {
  size_t same = 0, all = 0;
  for (const Document& page : pages) {
    ++all;
    same += OurText(page, ContentMode::kAll) == GumboTextOf(page);
  }
  std::printf("texts equal to those of gumbo: %zu of %zu\n", same, all);
  return all > 0 && same * 100 >= all * 98;
}

int Run(const char* folder) {
  const Pages pages = folder == nullptr ? OwnPages() : ReadPages(folder);
  if (pages.empty()) {
    std::fprintf(stderr, "bench_html: no pages below %s\n", folder);
    return 1;
  }
  Measure("twinset, all text", pages, [](const Document& page) {
    return OurText(page, ContentMode::kAll).size();
  });
  Measure("twinset, main content", pages, [](const Document& page) {
    return OurText(page, ContentMode::kMain).size();
  });
#ifdef TWINSET_HAVE_LIBXML2
  Measure("libxml2, SAX", pages, SaxText);
  Measure("libxml2, tree", pages, TreeText);
#endif
  Measure("gumbo", pages,
          [](const Document& page) { return GumboTextOf(page).size(); });
  return AgreesWithGumbo(pages) ? 0 : 1;
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  return twinset::Run(argc > 1 ? argv[1] : nullptr);
}
