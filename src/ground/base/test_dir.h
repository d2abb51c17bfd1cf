// For tests only: a folder of their own that is removed at the end.
#ifndef TWINSET_SRC_GROUND_BASE_TEST_DIR_H_
#define TWINSET_SRC_GROUND_BASE_TEST_DIR_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>

#include "base/file.h"

namespace twinset {

class TestDir {
 public:
  TestDir() : path_(testing::TempDir() + "/twinset-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr)
      ADD_FAILURE() << "no temporary folder " << path_;
  }
  TestDir(const TestDir&) = delete;
  TestDir& operator=(const TestDir&) = delete;
  ~TestDir() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }
  // Number of files and folders directly inside.
  size_t FileCount() const {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      (void)entry;
      ++count;
    }
    return count;
  }

 private:
  std::string path_;
};

// While it lives, writes fail with errno `error` after `bytes` more bytes were
// written to files whose path contains `part`.
class WriteLimit {
 public:
  explicit WriteLimit(uint64_t bytes, int error = ENOSPC, std::string part = "")
      : left_(bytes) {
    SetFileFault([this, error, part = std::move(part)](const std::string& path,
                                                       size_t size) {
      if (path.find(part) == std::string::npos) return 0;
      if (size > left_) return error;
      left_ -= size;
      return 0;
    });
  }
  WriteLimit(const WriteLimit&) = delete;
  WriteLimit& operator=(const WriteLimit&) = delete;
  ~WriteLimit() { SetFileFault({}); }

 private:
  uint64_t left_;
};

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_TEST_DIR_H_
