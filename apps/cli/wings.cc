#include "wings.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "commands.h"

namespace twinset::cli {
namespace {

bool IsHere(const WingProgram& wing) {
  return FindCommand(wing.commands.front()) != nullptr;
}

// The file of the wing's program beside this one. Empty if it is not there, or
// is only another name of this one.
std::string FileOf(const WingProgram& wing) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const auto file = self.parent_path() / wing.program;
  if (::access(file.c_str(), X_OK) != 0 ||
      std::filesystem::equivalent(file, self, error))
    return {};
  return file.string();
}

// Returns iff the file cannot be run.
void Become(const std::string& file, const std::vector<std::string>& words) {
  std::vector<char*> arguments = {const_cast<char*>(file.c_str())};
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(file.c_str(), arguments.data());
}

}  // namespace

const std::vector<WingProgram>& Wings() {
  static const std::vector<WingProgram> wings = {
      {"twinset-measure",
       {"auction", "engine", "estimate", "rescue", "sample", "traps", "walk"}},
      {"twinset-corpora",
       {"assess", "change", "leak", "mirrors", "patch", "predict", "qrels",
        "runs", "seeds", "study", "urls"}},
      {"twinset-server", {"serve", "view"}, "libmicrohttpd-dev"},
  };
  return wings;
}

const WingProgram* WingOf(std::string_view command) {
  for (const WingProgram& wing : Wings())
    if (std::find(wing.commands.begin(), wing.commands.end(), command) !=
        wing.commands.end())
      return &wing;
  return nullptr;
}

std::vector<const WingProgram*> WingsNotBuilt() {
  std::vector<const WingProgram*> wings;
  for (const WingProgram& wing : Wings())
    if (!IsHere(wing) && FileOf(wing).empty()) wings.push_back(&wing);
  return wings;
}

void BecomeWing(const WingProgram& least,
                const std::vector<std::string>& words) {
  for (const WingProgram& wing : Wings())
    if (&wing >= &least && !IsHere(wing)) Become(FileOf(wing), words);
}

void BecomeLargest(const std::vector<std::string>& words) {
  const auto& wings = Wings();
  for (auto wing = wings.rbegin(); wing != wings.rend() && !IsHere(*wing);
       ++wing)
    Become(FileOf(*wing), words);
}

}  // namespace twinset::cli
