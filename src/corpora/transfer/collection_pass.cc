#include "transfer/collection_pass.h"

#include <memory>
#include <utility>

#include "base/stop.h"
#include "documents/document_options.h"
#include "documents/document_pass.h"
#include "documents/id_numbering.h"
#include "documents/side_check.h"
#include "documents/text_stage.h"

namespace twinset {

namespace {

// Looks for words in documents of an input until one has some. All of a page
// is looked at: the main content has no other words.
class WordSearch {
 public:
  static Result<WordSearch> Make(const InputOptions& input, TokenRule tokens) {
    FeatureOptions features;
    features.tokens = tokens;
    features.content = ContentMode::kAll;
    TWINSET_ASSIGN(TextStage stage, TextStage::Make(input, features, {}));
    TWINSET_ASSIGN(auto extractor, MakeExtractor(features));
    return WordSearch(std::move(stage), std::move(extractor));
  }

  void See(const CollectionDocument& one) {
    if (one.input != input_) has_word_ = false, wordless_ = 0;
    input_ = one.input;
    if (has_word_) return;
    DocumentText text;
    RejectedRecord rejected;
    has_word_ = stage_.Show(one.record, one.source, &text, &rejected) &&
                extractor_->HasToken(text.text);
    wordless_ += !has_word_;
  }
  // Documents of the input seen last that come before the first with a word.
  uint64_t wordless() const { return wordless_; }

 private:
  WordSearch(TextStage stage, std::unique_ptr<FeatureExtractor> extractor)
      : stage_(std::move(stage)), extractor_(std::move(extractor)) {}

  TextStage stage_;
  std::unique_ptr<FeatureExtractor> extractor_;
  size_t input_ = 0;
  bool has_word_ = false;
  uint64_t wordless_ = 0;
};

// `end` is called behind each input.
Status ForEachOf(
    const InputOptions& input, const std::atomic<bool>* stop,
    const std::function<Status(const CollectionDocument&)>& body,
    const std::function<Status(size_t, Status, ReadOutcome)>& end) {
  IdNumbering names;
  // Named together, as in a run.
  TWINSET_ASSIGN(const InputList files, ListInputs(input));
  size_t behind = 0;
  for (size_t i = 0; i < input.inputs.size(); ++i) {
    const size_t begin = std::exchange(behind, files.word_ends()[i]);
    ReadOutcome outcome;
    const Status read = ForEachListedDocument(
        files, begin, behind, input, {},
        [&](Record* record, const std::string& source) -> Result<bool> {
          TWINSET_TRY(CheckStop(stop));
          ++outcome.records;
          ++outcome.documents;
          const std::string name = names.NameOf(record->document.id);
          TWINSET_TRY(body({*record, source, name, i}));
          return true;
        },
        outcome.Counting({}));
    TWINSET_TRY(end(i, read, outcome));
  }
  return {};
}

}  // namespace

Status ForEachCollectionDocument(
    const InputOptions& input, const std::atomic<bool>* stop,
    const std::function<Status(const CollectionDocument&)>& body) {
  return ForEachOf(
      input, stop, body,
      [](size_t, Status read, const ReadOutcome&) { return read; });
}

Status ForEachDocumentOfSide(
    const std::string& side, const InputOptions& input, TokenRule tokens,
    const std::atomic<bool>* stop, std::vector<SideRead>* sides,
    const std::function<Status(const CollectionDocument&)>& body) {
  TWINSET_ASSIGN(WordSearch words, WordSearch::Make(input, tokens));
  return ForEachOf(
      input, stop,
      [&](const CollectionDocument& one) {
        words.See(one);
        return body(one);
      },
      [&](size_t i, Status read, ReadOutcome outcome) {
        if (outcome.documents > 0) outcome.wordless = words.wordless();
        sides->push_back(SideOf(side, input.inputs[i], outcome));
        return CheckSideAfter(
            std::move(read), sides->back(),
            "text_field of [" + side + "] names the field of the text");
      });
}

}  // namespace twinset
