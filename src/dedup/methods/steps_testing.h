// For tests only: the input of steps from texts in memory, and the tables that
// steps write, cell by cell.
#ifndef TWINSET_SRC_DEDUP_METHODS_STEPS_TESTING_H_
#define TWINSET_SRC_DEDUP_METHODS_STEPS_TESTING_H_

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "methods/methods_testing.h"
#include "methods/steps.h"

namespace twinset {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Documents, then queries, with features of --shingle `shingle`.
inline StepInput InputOf(const MethodOptions& method, const NamedTexts& texts,
                         const std::string& shingle = "word:1",
                         const NamedTexts& queries = {},
                         StepOptions steps = {}) {
  for (const auto& query : queries) steps.queries.push_back(query.first);
  StepInput input{{}, method, std::move(steps), {}, {}, {}};
  input.features.shingle = shingle;
  const FeatureExtractor extractor(TokenRule::kUnicode, *ParseShingles(shingle),
                                   method.feature_hash);
  for (const auto* list : {&texts, &queries}) {
    for (const auto& [name, text] : *list) {
      StepDocument document;
      document.name = name;
      document.text = document.payload = text;
      document.tokens = extractor.Tokens(text);
      document.is_query = list == &queries;
      for (const Token& token : document.tokens)
        document.token_hashes.push_back(Hash64(token.text));
      for (const ShingleSpan& span : extractor.Spans(text)) {
        input.places.emplace(span.hash, std::pair(input.documents.size(),
                                                  document.windows.size()));
        document.windows.push_back({span.hash, span.begin, span.end});
        document.set.push_back(span.hash);
      }
      std::sort(document.set.begin(), document.set.end());
      document.set.erase(std::unique(document.set.begin(), document.set.end()),
                         document.set.end());
      input.documents.push_back(std::move(document));
    }
  }
  return input;
}

// Documents that are sets of numbers.
inline MethodOptions OfNumbers() {
  MethodOptions options;
  options.feature_hash = FeatureHash::kDecimal;
  return options;
}

// Documents as a method has sketched them, and as steps see them.
class Sketched {
 public:
  Sketched(const MethodOptions& options, const NamedTexts& texts,
           const std::string& shingle, StepOptions steps = {})
      : input_(InputOf(options, texts, shingle, {}, std::move(steps))),
        options_(options),
        method_(MethodCalled(options.name)) {
    std::vector<std::string> plain;
    for (const auto& text : texts) plain.push_back(text.second);
    seen_ = std::make_unique<MethodOnTexts>(method_, options, plain);
    const auto views = *method_.views(options);
    for (const FeatureView& view : views) {
      const std::string kind = view.shingle.empty() ? "word:3" : view.shingle;
      extractors_.push_back(std::make_unique<FeatureExtractor>(
          TokenRule::kUnicode, *ParseShingles(kind), view.hash));
    }
    sketches_ = std::make_unique<StepSketches>(StepSketches{
        options_, seen_->parts(), seen_->model(), {}, seen_->Pass(), {}, {}});
    for (size_t i = 0; i < seen_->parts().sketchers.size(); ++i) {
      const size_t view = sketches_->ViewOf(i);
      sketches_->extractors.push_back(
          IsHashed(views[view].form) ? extractors_[view].get() : nullptr);
    }
    for (size_t d = 0; d < plain.size(); ++d) {
      const auto own = seen_->Views(d);
      sketches_->views.emplace_back(own.begin(), own.end());
      sketches_->of.push_back(seen_->SketchesOf(d));
    }
  }
  const StepInput& input() const { return input_; }
  const StepSketches& sketches() const { return *sketches_; }
  const MethodOnTexts& seen() const { return *seen_; }
  StepText Steps(const MethodSteps::Add& add, uint64_t rows = 1000) const {
    StepText text(rows);
    const Status status = add(input_, *sketches_, &text);
    EXPECT_TRUE(status) << status.error().ToString();
    return text;
  }
  StepText Before() const { return Steps(method_.steps.before); }
  StepText After() const { return Steps(method_.steps.after); }

 private:
  StepInput input_;
  MethodOptions options_;
  const Method& method_;
  std::unique_ptr<MethodOnTexts> seen_;
  std::vector<std::unique_ptr<FeatureExtractor>> extractors_;
  std::unique_ptr<StepSketches> sketches_;
};

using Rows = std::vector<std::vector<std::string>>;

// The tables of Markdown in a text: their rows of cells, the names of the
// columns first, without marks of code and of strong cells.
inline std::vector<Rows> TablesOf(const std::string& markdown) {
  std::vector<Rows> tables;
  bool inside = false;
  for (size_t at = 0; at < markdown.size();) {
    const size_t end = std::min(markdown.find('\n', at), markdown.size());
    const std::string line = markdown.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("|")) {
      inside = false;
      continue;
    }
    if (!inside) tables.emplace_back();
    inside = true;
    if (line.find_first_not_of("|-: ") == std::string::npos) continue;
    std::vector<std::string> cells;
    for (size_t begin = 1; begin < line.size();) {
      const size_t bar = std::min(line.find('|', begin), line.size());
      std::string cell;
      for (size_t i = begin; i < bar; ++i)
        if (line[i] != '`' && line[i] != '*') cell += line[i];
      const size_t first = cell.find_first_not_of(' ');
      cell = first == std::string::npos ? "" : cell.substr(first);
      while (cell.ends_with(' ')) cell.pop_back();
      cells.push_back(cell);
      begin = bar + 1;
    }
    tables.back().push_back(std::move(cells));
  }
  return tables;
}

inline std::vector<Rows> TablesOf(const StepText& text) {
  return TablesOf(text.Written().markdown);
}

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_METHODS_STEPS_TESTING_H_
