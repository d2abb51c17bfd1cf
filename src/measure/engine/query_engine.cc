// Asking engines and showing what they are (docs/methods/engines.md).
#include <utility>

#include "base/bytes.h"
#include "base/file.h"
#include "base/stop.h"
#include "core/field_list.h"
#include "documents/page_text.h"
#include "documents/result_places.h"
#include "engine/engine_folder.h"
#include "engine/open_engine.h"
#include "report/kept_page.h"
#include "twinset/measure/engine.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

// Words become terms by the rule of the engine's documents; one that is only
// replayed may be gone, and then by the usual rule.
Result<FeatureOptions> FeaturesOf(const EngineQueryOptions& options) {
  if (!options.replay.empty() && !FileExists(options.engine))
    return FeatureOptions();
  TWINSET_ASSIGN(const auto description, ReadEngineDescription(options.engine));
  return description.features;
}

EngineResult FetchResult(Engine* engine, const std::string& url) {
  EngineResult result;
  result.url = url;
  result.fetched = true;
  auto page = engine->Fetch(url);
  if (!page) {
    result.failed = page.error().message;
    return result;
  }
  result.title = std::move(page->title);
  result.date = std::move(page->date);
  result.language = std::move(page->language);
  result.text = std::move(page->text);
  return result;
}

// Everything of the index is as it was when it was built.
Status VerifyFile(const EngineDescription& description) {
  const auto file = description.json.find("file");
  if (description.type != "sqlite" || file == description.json.end()) return {};
  const std::string path = description.Folder() + "/" + kIndexFile;
  TWINSET_ASSIGN(const FileHash found, HashFile(path));
  const Json expected = {{"name", kIndexFile},
                         {"bytes", found.bytes},
                         {"hash", ToHex(found.hash)}};
  if (*file != expected) {
    return Fail(ErrorCode::kCorrupt, "the index is not as it was built", path,
                "build it again with 'twinset engine build'");
  }
  return {};
}

KeptPage PageOf(const EngineQueryResult& result, bool fetched) {
  constexpr size_t kShownBytes = 160;  // of a page's text
  KeptPage page("engine", "Answer of an engine");
  const uint64_t shown = result.results.size();
  const std::string some =
      result.hits_known
          ? NumberText(shown) + " of " + CountText(result.hits, "result")
          : CountText(shown, "result");
  page.Add(html::Lead{
      "The engine shows " + (shown == 0 ? "no result" : some) + ".", ""});
  html::Table table;
  table.columns = {{"rank", true}, {"address"}};
  if (fetched) table.columns.insert(table.columns.end(), {{"title"}, {"text"}});
  for (const EngineResult& found : result.results) {
    auto& row = table.rows.emplace_back();
    row = {html::Cell::Count(table.rows.size()), html::Cell::Text(found.url)};
    if (!fetched) continue;
    row.push_back(html::Cell::Text(found.title));
    row.push_back(html::Cell::Text(found.failed.empty()
                                       ? Shortened(found.text, kShownBytes)
                                       : "not fetched: " + found.failed));
  }
  page.Add(std::move(table));
  return page;
}

KeptPage PageOf(const EngineSummary& summary) {
  KeptPage page("engine", "An engine");
  const auto documents = static_cast<uint64_t>(summary.documents);
  page.Add(html::Lead{
      "The engine " + summary.name + " is of type " + summary.type +
          (summary.documents < 0
               ? "."
               : ", with " + CountText(documents, "document") + "."),
      summary.documents < 0 ? "How many documents it has is not known." : ""});
  html::KeyValues rows{"What its description says", {}};
  for (const auto& [name, value] : summary.description.items())
    rows.rows.emplace_back(
        WordsOf(name),
        html::Cell::Text(value.is_string() ? value.template get<std::string>()
                                           : value.dump()));
  page.Add(std::move(rows));
  return page;
}

}  // namespace

Result<EngineQueryResult> v1::QueryEngine(
    const EngineQueryOptions& options) try {
  if (options.limit == 0 || options.limit > 1'000'000) {
    return Fail(ErrorCode::kUsage, "the number of results is out of range", {},
                "ask for 1 to 1000000");
  }
  if (!options.record.empty()) {
    TWINSET_TRY(CheckResultFile(
        {.path = options.record, .flag = "--record", .append = true},
        {options.engine}));
  }
  TWINSET_ASSIGN(const FeatureOptions features, FeaturesOf(options));
  TWINSET_ASSIGN(const TextReader reader, TextReader::Make(features));
  EngineQueryResult result;
  for (const std::string& word : options.words) {
    for (std::string& term : reader.Tokens(word))
      result.terms.push_back(std::move(term));
  }
  if (result.terms.empty()) {
    return Fail(ErrorCode::kUsage, "no word to look for is given", {},
                "twinset engine query ENGINE WORD...");
  }
  OpenEngineOptions opening;
  opening.answers = options.answers;
  opening.record = options.record;
  opening.replay = options.replay;
  opening.fetching = options.fetching;
  TWINSET_ASSIGN(auto engine, OpenEngine(options.engine, opening));
  EngineQuery query;
  query.terms = result.terms;
  query.conjunctive = !options.any;
  query.limit = options.limit;
  TWINSET_ASSIGN(const EngineAnswer answer, engine->Query(query));
  result.hits = answer.hits;
  result.hits_known = answer.hits_known;
  for (const std::string& url : answer.urls) {
    if (options.fetch) {
      result.results.push_back(FetchResult(engine.get(), url));
    } else {
      result.results.emplace_back().url = url;
    }
  }
  result.page = ResultPage(PageOf(result, options.fetch));
  return result;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

std::vector<Json> v1::RowsJson(const EngineQueryResult& result) {
  Json query = {{"terms", result.terms}};
  query["hits"] = result.hits_known ? Json(result.hits) : Json();
  std::vector<Json> rows = {std::move(query)};
  for (const EngineResult& found : result.results)
    rows.emplace_back(Json({{"rank", rows.size()}}))
        .update(FieldsToJson(found));
  return rows;
}

Result<EngineSummary> v1::ShowEngine(const std::string& engine,
                                     const FetchOptions& fetching) try {
  TWINSET_ASSIGN(const auto description, ReadEngineDescription(engine));
  TWINSET_TRY(VerifyFile(description));
  OpenEngineOptions opening;
  opening.fetching = fetching;
  TWINSET_ASSIGN(const auto opened, OpenEngine(engine, opening));
  EngineSummary summary;
  summary.name = description.name;
  summary.type = description.type;
  summary.documents = opened->Info().documents;
  summary.checksum = description.checksum;
  summary.description = description.json;
  summary.page = ResultPage(PageOf(summary));
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
