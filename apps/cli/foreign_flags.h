// What other tools of this kind call a flag.
#ifndef TWINSET_APPS_CLI_FOREIGN_FLAGS_H_
#define TWINSET_APPS_CLI_FOREIGN_FLAGS_H_

#include <string>
#include <string_view>
#include <vector>

namespace twinset::cli {

// What to give in place of flag `name` of another tool, as "use --out", where
// one of `own`, the flags of the command, means the same; else empty.
std::string OwnNameOf(std::string_view name,
                      const std::vector<std::string_view>& own);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_FOREIGN_FLAGS_H_
