// Files of rules for addresses (docs/methods/predict.md).
#ifndef TWINSET_SRC_CORPORA_PREDICT_RULES_FILE_H_
#define TWINSET_SRC_CORPORA_PREDICT_RULES_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "twinset/corpora/predict.h"
#include "twinset/error.h"

namespace twinset {

std::string RulesText(const std::vector<RewriteRule>& rules);
// kCorrupt, with the line, for what RulesText has not made; what it says of
// intervals and rates is computed anew. `name`: of the file, for errors.
Result<std::vector<RewriteRule>> ParseRules(std::string_view text,
                                            const std::string& name);
Result<std::vector<RewriteRule>> ReadRules(const std::string& path);

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PREDICT_RULES_FILE_H_
