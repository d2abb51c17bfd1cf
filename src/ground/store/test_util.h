// For tests only: damaging stored files in every way.
#ifndef TWINSET_SRC_GROUND_STORE_TEST_UTIL_H_
#define TWINSET_SRC_GROUND_STORE_TEST_UTIL_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/test_dir.h"

namespace twinset {

inline std::string ReadAll(const std::string& path) {
  Result<std::string> bytes = ReadWholeFile(path);
  EXPECT_TRUE(bytes.has_value()) << path;
  return bytes.value_or("");
}

inline void WriteAll(const std::string& path, std::string_view bytes) {
  // Removed first: some file systems flush a file that is truncated and written
  // again.
  std::filesystem::remove(path);
  Result<File> file = File::Create(path);
  ASSERT_TRUE(file.has_value() && file->Write(bytes)) << path;
}

// Writes every variant of the file at `path` with one byte changed (each bit,
// or all bits, by turns) or cut at any length or with bytes added, calls `read`
// after each, and puts the original back. `what` names the variant for
// messages.
inline void ForEachDamage(
    const std::string& path,
    const std::function<void(const std::string& what)>& read) {
  const std::string original = ReadAll(path);
  for (size_t i = 0; i < original.size(); ++i) {
    std::string bytes = original;
    const int mask = i % 9 == 8 ? 0xff : 1 << (i % 9);
    bytes[i] = static_cast<char>(bytes[i] ^ mask);
    WriteAll(path, bytes);
    read("byte " + std::to_string(i) + " flipped by " + std::to_string(mask));
  }
  for (size_t size = 0; size < original.size(); ++size) {
    WriteAll(path, original.substr(0, size));
    read("cut to " + std::to_string(size) + " bytes");
  }
  for (const std::string& more :
       {std::string(1, '\0'), std::string(100, 'x'), original}) {
    WriteAll(path, original + more);
    read(std::to_string(more.size()) + " bytes added");
  }
  WriteAll(path, original);
}

// An error that damage may cause: says so and names the file.
inline void ExpectDamageError(const Error& error, const std::string& path,
                              const std::string& what) {
  EXPECT_TRUE(error.code == ErrorCode::kCorrupt ||
              error.code == ErrorCode::kUnsupported)
      << what << ": " << error.ToString();
  EXPECT_NE(error.ToString().find(path), std::string::npos)
      << what << ": " << error.ToString();
}

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_TEST_UTIL_H_
