#include <algorithm>

#include "generate.h"

namespace twinset::cli {

std::vector<FlagSection> FlagSections(const Command& command) {
  FlagSection everyday{GroupTitle(CommandGroup::kEveryday), {}};
  for (const std::string_view name : command.everyday)
    if (const Flag* flag = FindFlag(command, name))
      everyday.flags.push_back(flag);
  std::vector<const Flag*> others;
  for (const Flag* flag : FlagsOf(command))
    if (std::find(everyday.flags.begin(), everyday.flags.end(), flag) ==
        everyday.flags.end())
      others.push_back(flag);
  FlagSection laboratory{GroupTitle(CommandGroup::kLaboratory), {}};
  for (const Flag* flag : others)
    if (flag->is_laboratory) laboratory.flags.push_back(flag);
  std::vector<FlagSection> sections = {everyday};
  for (const FlagGroup group : kFlagGroups) {
    FlagSection section{GroupTitle(group), {}};
    for (const Flag* flag : others)
      if (flag->group == group && !flag->is_laboratory)
        section.flags.push_back(flag);
    if (group == FlagGroup::kGeneral) sections.push_back(laboratory);
    sections.push_back(std::move(section));
  }
  std::erase_if(sections,
                [](const auto& section) { return section.flags.empty(); });
  return sections;
}

}  // namespace twinset::cli
