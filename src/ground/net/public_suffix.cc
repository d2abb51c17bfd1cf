#include "net/public_suffix.h"

#include <libpsl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/ascii.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/lists/list_text.h"

namespace twinset {
namespace {

constexpr char kSystemList[] = "/usr/share/publicsuffix/public_suffix_list.dat";
constexpr uint64_t kMostBytes = 64 << 20;

std::string DateOf(time_t seconds) {
  std::tm day = {};
  if (gmtime_r(&seconds, &day) == nullptr) return "unknown";
  char text[16];
  const size_t size = strftime(text, sizeof(text), "%Y-%m-%d", &day);
  return std::string(text, size);
}

// "// VERSION: 2024-05-01_10-00-00_UTC" among the first lines.
std::string VersionDate(std::string_view list) {
  constexpr std::string_view kKey = "// VERSION:";
  const std::string_view head = list.substr(0, 4096);
  const size_t at = head.find(kKey);
  if (at == std::string_view::npos) return "";
  const std::string_view text = Trim(head.substr(at + kKey.size(), 12));
  return std::string(text.substr(0, 10));
}

bool HasRule(std::string_view list) {
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find('\n', begin), list.size());
    const std::string_view line = Trim(list.substr(begin, end - begin));
    if (!line.empty() && !line.starts_with("//")) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

struct PublicSuffixes::List {
  psl_ctx_t* loaded = nullptr;
  const psl_ctx_t* used = nullptr;
  ~List() { psl_free(loaded); }
};

PublicSuffixes::PublicSuffixes() : list_(std::make_unique<List>()) {}
PublicSuffixes::PublicSuffixes(PublicSuffixes&&) noexcept = default;
PublicSuffixes::~PublicSuffixes() = default;

Result<PublicSuffixes> PublicSuffixes::Open(const std::string& path) {
  PublicSuffixes suffixes;
  const std::string file = !path.empty()             ? path
                           : FileExists(kSystemList) ? kSystemList
                                                     : "";
  if (file.empty()) {
    suffixes.list_->used = psl_builtin();
    if (suffixes.list_->used == nullptr)
      return Fail(ErrorCode::kUnsupported, "there is no public suffix list", {},
                  "install the package publicsuffix, or give --suffixes FILE");
    suffixes.origin_ = "built-in";
    suffixes.date_ = DateOf(psl_builtin_file_time());
    suffixes.digest_ = psl_builtin_sha1sum();
    return suffixes;
  }
  TWINSET_ASSIGN(const std::string bytes, ReadWholeFile(file, kMostBytes));
  if (!HasRule(bytes))
    return Fail(ErrorCode::kCorrupt, "the public suffix list has no rule", file,
                "take it from publicsuffix.org");
  TWINSET_ASSIGN(std::string text, ListTextOf(bytes, file));
  if (std::FILE* stream = fmemopen(text.data(), text.size(), "r")) {
    suffixes.list_->loaded = psl_load_fp(stream);
    std::fclose(stream);
  }
  suffixes.list_->used = suffixes.list_->loaded;
  if (suffixes.list_->used == nullptr)
    return Fail(ErrorCode::kCorrupt, "the public suffix list cannot be read",
                file, "take it from publicsuffix.org");
  suffixes.origin_ = path.empty() ? "system" : "file";
  suffixes.date_ = VersionDate(bytes);
  if (struct stat state;
      suffixes.date_.empty() && stat(file.c_str(), &state) == 0)
    suffixes.date_ = DateOf(state.st_mtime);
  suffixes.digest_ = ToHex(Sha256(bytes));
  return suffixes;
}

std::string_view PublicSuffixes::DomainOf(std::string_view host) const {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (IsIpHost(host)) return host;
  // The answer points into the copy: its end is the end of the host.
  const std::string text(host);
  const char* const domain = psl_registrable_domain(list_->used, text.c_str());
  if (domain == nullptr) return host;
  return host.substr(static_cast<size_t>(domain - text.c_str()));
}

bool IsIpHost(std::string_view host) {
  if (host.starts_with('[')) return true;
  if (host.ends_with('.')) host.remove_suffix(1);
  return !host.empty() && IsAsciiDigit(host.back()) &&
         std::all_of(host.begin(), host.end(),
                     [](char c) { return IsAsciiDigit(c) || c == '.'; });
}

std::string_view TopLevelOf(std::string_view host) {
  if (IsIpHost(host)) return "(IP address)";
  if (host.ends_with('.')) host.remove_suffix(1);
  return host.substr(host.rfind('.') + 1);
}

}  // namespace twinset
