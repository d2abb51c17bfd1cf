// Questions to engines and their answers as JSON texts
// (docs/formats/engine.md). Reading accepts any bytes.
#ifndef TWINSET_SRC_MEASURE_ENGINE_ANSWER_JSON_H_
#define TWINSET_SRC_MEASURE_ENGINE_ANSWER_JSON_H_

#include <string>
#include <string_view>

#include "engine/engine.h"
#include "twinset/error.h"

namespace twinset {

std::string QuestionText(const EngineQuery& query);
std::string QuestionText(const std::string& fetched_url);
// The terms with spaces between.
std::string JoinedTerms(const std::vector<std::string>& terms);

std::string AnswerText(const Result<EngineAnswer>& answer);
std::string AnswerText(const Result<EnginePage>& page);

// The answer, or the error that was the answer; `broken` is true when the text
// is neither, and then the error is kCorrupt.
Result<EngineAnswer> ParseAnswer(std::string_view text, bool* broken);
Result<EnginePage> ParsePage(std::string_view text, bool* broken);

}  // namespace twinset

#endif  // TWINSET_SRC_MEASURE_ENGINE_ANSWER_JSON_H_
