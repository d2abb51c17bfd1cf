#include "pipeline/run/run_key.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/bytes.h"
#include "base/file.h"
#include "base/lists/list_text.h"
#include "store/own_place.h"

namespace twinset {

namespace {

constexpr size_t kMostKeyBytes = 4096;
constexpr char kRead[] = "read";  // the stage that uses the key

// Tells a damaged key from a whole one. It says nothing of the key.
std::string CheckOf(const HashKey& key) {
  return ToHex(SipHash24(key, "twinset: the key is whole"));
}

std::string_view FirstWord(std::string_view* text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = std::min(text->find_first_not_of(kSpace), text->size());
  text->remove_prefix(begin);
  const std::string_view word = text->substr(0, text->find_first_of(kSpace));
  text->remove_prefix(word.size());
  return word;
}

Status WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return tl::unexpected(IoError("write", kKeyFile, errno));
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Result<HashKey> StoredKey(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadWholeFile(path, kMostKeyBytes));
  std::string_view rest = text;
  HashKey key;
  if (ReadHashKey(FirstWord(&rest), &key) && FirstWord(&rest) == CheckOf(key))
    return key;
  return Fail(ErrorCode::kCorrupt, "the key of the run is damaged", path,
              "start anew with --overwrite");
}

}  // namespace

Result<HashKey> ReadKeyFile(const std::string& path) {
  TWINSET_ASSIGN(const std::string text, ReadListText(path, kMostKeyBytes));
  std::string_view rest = text;
  HashKey key;
  if (ReadHashKey(FirstWord(&rest), &key) && key != HashKey()) return key;
  return Fail(ErrorCode::kUsage,
              "not a key: it must begin with 32 hexadecimal "
              "digits, not all zero",
              path, "make one with: openssl rand -hex 16");
}

bool GivesKey(const ResourceOptions& resources) {
  return !resources.key.empty() || resources.key_bytes.has_value();
}

Result<HashKey> GivenKey(const ResourceOptions& resources) {
  if (!resources.key.empty() && resources.key_bytes) {
    return Fail(ErrorCode::kUsage, "a key is given as a file and as bytes",
                resources.key, "give one of the two");
  }
  if (resources.key_bytes) return KeyOfBytes(*resources.key_bytes);
  if (!resources.key.empty()) return ReadKeyFile(resources.key);
  return HashKey();
}

Result<HashKey> KeyOfBytes(const SecretBytes& bytes) {
  HashKey key;
  for (size_t i = 0; i < bytes.size() / 2; ++i) {
    key.low = key.low << 8 | bytes[i];
    key.high = key.high << 8 | bytes[i + bytes.size() / 2];
  }
  if (key != HashKey()) return key;
  return Fail(ErrorCode::kUsage, "the bytes of a key are all zero", "",
              "draw 16 random bytes, or give none");
}

void ForgetKey(ResourceOptions* resources) {
  resources->key.clear();
  resources->key_bytes.reset();
}

Status StoreKey(const std::string& folder, const HashKey& key) {
  const std::string path = folder + "/" + kKeyFile, part = path + ".part";
  ::unlink(part.c_str());
  const int file =
      ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return tl::unexpected(IoError("create", part, errno));
  Status status =
      WriteAll(file, WriteHashKey(key) + "\n" + CheckOf(key) + "\n");
  if (status && ::fsync(file) != 0)
    status = tl::unexpected(IoError("sync", part, errno));
  ::close(file);
  TWINSET_TRY(status);
  if (::rename(part.c_str(), path.c_str()) != 0)
    return tl::unexpected(IoError("rename", part, errno));
  return SyncDirectory(folder);
}

Result<HashKey> LoadKey(const std::string& folder, const std::string& what) {
  const std::string path = folder + "/" + kKeyFile;
  if (!FileExists(path)) {
    return Fail(ErrorCode::kUsage,
                "the key of the " + what +
                    " is not there, and this cannot be done without it",
                path);
  }
  TWINSET_TRY(CheckSecretFile(path, /*folder_owner=*/true));
  return StoredKey(path);
}

Status TakeKey(const std::string& folder, Plan* plan) {
  TWINSET_ASSIGN(const HashKey key, LoadKey(folder, "saved run"));
  return SetKey(plan->options, key, &plan->features);
}

Status KeepKey(const Journal& journal, Plan* plan) {
  const std::string path = plan->machine.WorkPath(kKeyFile);
  if (!plan->options.resume)
    return StoreKey(plan->machine.work, plan->features.key);
  if (!FileExists(path)) {
    if (!journal.IsDone(kRead) && journal.Progress(kRead).empty())
      return StoreKey(plan->machine.work, plan->features.key);
    return Fail(ErrorCode::kCorrupt, "the key of the run is lost", path,
                "start anew with --overwrite");
  }
  TWINSET_TRY(
      CheckOwnFolder(plan->machine.work, "start anew with --overwrite"));
  TWINSET_TRY(CheckSecretFile(path, /*folder_owner=*/false));
  TWINSET_ASSIGN(const HashKey key, StoredKey(path));
  if (GivesKey(plan->options.resources) && key != plan->features.key) {
    return Fail(ErrorCode::kUsage,
                "cannot resume: the run was begun with another key",
                plan->options.resources.key, "resume without --key");
  }
  return SetKey(plan->options, key, &plan->features);
}

}  // namespace twinset
