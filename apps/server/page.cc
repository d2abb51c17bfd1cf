// The page for people: what it asks is answered by the same index.
#include <algorithm>
#include <utility>

#include "server/multipart.h"
#include "server/problem.h"
#include "server/routes.h"
#include "twinset/index_files.h"
#include "twinset/index_page.h"

namespace twinset::server {
namespace {

// Beside each other longer texts are of no use to a reader.
constexpr size_t kMostShown = 1 << 20;

IndexPage PageOf(Service* service) {
  IndexPage page;
  page.stats = service->index->Stats();
  for (Decision& decision : service->decisions.All())
    page.decisions.push_back({std::move(decision.time), std::move(decision.id),
                              std::move(decision.kept_id), decision.is_new,
                              decision.similarity});
  page.uptime_seconds = std::chrono::duration<double>(
                            std::chrono::steady_clock::now() - service->begun)
                            .count();
  page.answers_a_minute = service->metrics.AnswersInLastMinute();
  return page;
}

std::string WordsFor(const Error& error) {
  std::string words = error.message + ".";
  words[0] = static_cast<char>(std::toupper(words[0]));
  return words;
}

void ShowPair(Service* service, DocumentText x, DocumentText y,
              IndexPage* page) {
  if (std::max(x.text.size(), y.text.size()) > kMostShown) return;
  const ComparisonOptions options = service->index->Comparison();
  auto explained = ExplainDocuments(std::move(x), std::move(y),
                                    options.features, options.method);
  if (explained) page->pair = std::move(*explained);
}

DocumentText Side(std::string id, std::string text) {
  DocumentText side;
  side.id = std::move(id);
  side.text = std::move(text);
  return side;
}

// Markup, as it was pasted from the source of a page, begins with "<".
Document Pasted(const std::string& text) {
  Document document;
  document.payload = text;
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '<') {
    document.kind = ContentKind::kHtml;
    document.mime = "text/html";
    document.charset = "utf-8";
  }
  return document;
}

// One word that is an address asks for what is stored of it.
bool IsAddress(const std::string& text) {
  return (text.starts_with("http://") || text.starts_with("https://")) &&
         text.find_first_of(" \t\r\n") == text.npos;
}

Status AskDocument(Service* service, const Document& asked, IndexPage* page) {
  TWINSET_ASSIGN(IndexFound found, service->index->Query(asked, {1000, false}));
  service->metrics.CountAnswer(found.matches.empty() ? "not-found" : "found");
  if (!found.rejected.empty())
    return Fail(ErrorCode::kUsage, "it cannot be compared: " + found.rejected);
  page->found = std::move(found);
  if (page->found->matches.empty()) return {};
  TWINSET_ASSIGN(auto stored, service->index->Find(page->found->matches[0].id));
  if (!stored) return {};
  TWINSET_ASSIGN(std::string text, service->index->TextOf(asked));
  ShowPair(service,
           Side(page->file.empty() ? "your text" : page->file, std::move(text)),
           Side(stored->id, std::move(stored->text)), page);
  return {};
}

Status AskId(Service* service, IndexPage* page) {
  TWINSET_ASSIGN(auto stored, service->index->Find(page->id));
  if (!stored) {
    TWINSET_ASSIGN(const auto captures,
                   service->index->Captures({page->id, "", 1}));
    if (!captures.empty()) {
      TWINSET_ASSIGN(stored, service->index->Find(captures[0].id));
    }
  }
  if (!stored)
    return Fail(ErrorCode::kNotFound,
                "no stored document has this id or address");
  page->document = *stored;
  if (stored->is_kept || stored->kept_for.empty()) return {};
  TWINSET_ASSIGN(auto kept, service->index->Find(stored->kept_for));
  if (kept)
    ShowPair(service, Side(stored->id, std::move(stored->text)),
             Side(kept->id, std::move(kept->text)), page);
  return {};
}

HttpResponse Answered(const Status& asked, IndexPage* page) {
  if (asked) return PageResponse(DrawIndexPage(*page));
  const int status = ProblemOf(asked.error()).status;
  page->problem = WordsFor(asked.error());
  return PageResponse(DrawIndexPage(*page), status);
}

}  // namespace

HttpResponse AnswerPage(Service* service, const Call& call) {
  IndexPage page = PageOf(service);
  if (const auto* id = FindParameterNamed(call.parameters, "id")) page.id = *id;
  return Answered(page.id.empty() ? Status() : AskId(service, &page), &page);
}

HttpResponse AnswerForm(Service* service, const Call& call) {
  IndexPage page = PageOf(service);
  std::string_view file;
  if (MediaType(call.type) == "multipart/form-data") {
    const auto parts = ParseMultipart(call.type, call.body);
    if (!parts) return Problem(400, "the form has parts that do not end");
    if (const FormPart* text = FindPart(*parts, "text"))
      page.text = text->content;
    if (const FormPart* sent = FindPart(*parts, "file");
        sent != nullptr && sent->file && !sent->content.empty()) {
      page.file = sent->file->empty() ? "without a name" : *sent->file;
      file = sent->content;
    }
  } else {
    const auto form = ParseParameters(call.body);
    if (!form) return Problem(400, "the form has a % that escapes nothing");
    if (const auto* text = FindParameterNamed(*form, "text")) page.text = *text;
  }
  if (!page.file.empty()) {
    const auto document = DocumentOfBytes(std::string(file), page.file);
    if (!document) return Answered(tl::unexpected(document.error()), &page);
    return Answered(AskDocument(service, *document, &page), &page);
  }
  if (IsAddress(page.text)) {
    page.id = std::exchange(page.text, {});
    return Answered(AskId(service, &page), &page);
  }
  return Answered(AskDocument(service, Pasted(page.text), &page), &page);
}

HttpResponse AnswerStyle(Service*, const Call&) {
  return StyleResponse(IndexPageStyle());
}

}  // namespace twinset::server
