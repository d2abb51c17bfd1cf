#include "pipeline/run/output_names.h"

#include <climits>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/file.h"
#include "read/codec.h"
#include "report/corpus_writer.h"
#include "store/file_identity.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

// Below a folder: the folders of the source, and the name of the file. A file
// that is named twice has the same name twice.
std::string NameOf(const InputFile& input) {
  const std::filesystem::path source =
      NameBytes(input.source).value_or(input.source);
  std::string name = std::filesystem::path(input.path).filename().string();
  if (CompressionOf(name) == OutputCompression::kNone)
    name = WithoutCompressionSuffix(name);
  return (source.parent_path() / name).string();
}

bool IsNameOfRows(std::string_view path) {
  if (CompressionOf(path) != OutputCompression::kNone)
    path = path.substr(0, path.rfind('.'));
  return path.ends_with(".jsonl");
}

using PathOf = std::string (*)(const PlanOptions&, const InputFile&);

// Checks the names of the inputs from `first` on.
Status CheckNames(const Plan& plan, size_t first, const std::string& flag,
                  PathOf path_of) {
  std::set<std::string> written;
  const InputList& files = plan.inputs.files;
  const size_t words = plan.options.first_words;
  const size_t count = words > 0 ? files.FilesOf(words) : files.size();
  for (size_t i = first; i < count; ++i) {
    const InputFile input = plan.inputs.files[i];
    const std::string path = path_of(plan.options, input);
    if (!written.insert(path).second) {
      return Fail(ErrorCode::kUsage,
                  flag + " would write two inputs to " + NameText(path),
                  input.path,
                  "leave one of them out, or give their common folder");
    }
    if (std::filesystem::path(path).filename().native().size() +
            std::string_view(".part").size() >
        NAME_MAX) {
      return Fail(ErrorCode::kUsage,
                  flag +
                      " makes a file NAME.part first, and that name would be "
                      "longer than " +
                      std::to_string(NAME_MAX) + " bytes",
                  input.path, "rename the input");
    }
  }
  // A file is written as NAME.part first.
  for (const std::string& path : written) {
    if (!written.contains(path + ".part")) continue;
    return Fail(ErrorCode::kUsage,
                flag + " cannot write both " + path + " and " + path + ".part",
                "", "rename one of the inputs");
  }
  return {};
}

}  // namespace

std::string WrittenPath(const PlanOptions& options, const InputFile& input) {
  return options.write + "/" + NameOf(input);
}

bool IsAttributeFile(const std::string& path) {
  std::error_code error;
  return IsNameOfRows(path) && !std::filesystem::is_directory(path, error);
}

std::string AttributesPath(const PlanOptions& options, const InputFile& input) {
  std::string path = options.attributes + "/" + NameOf(input);
  return IsNameOfRows(path) ? path : path + ".jsonl";
}

Status MakeFolderOf(const std::string& path, const std::string& folder,
                    const std::string& flag) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  TWINSET_TRY(MakeDirectories(parent));
  const auto identity = FindIdentity(folder);
  if (identity && IsBelow(parent, *identity)) return {};
  return Fail(ErrorCode::kIo, "a folder of " + flag + " was replaced meanwhile",
              parent, "run it again with another " + flag);
}

Status CheckOutputNames(const Plan& plan) {
  const PlanOptions& options = plan.options;
  if (!options.write.empty())
    TWINSET_TRY(
        CheckNames(plan, plan.inputs.first_own(), "--write", WrittenPath));
  if (!options.attributes.empty() && !IsAttributeFile(options.attributes))
    TWINSET_TRY(CheckNames(plan, 0, "--attributes", AttributesPath));
  return {};
}

}  // namespace twinset
