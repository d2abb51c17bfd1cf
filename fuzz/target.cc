// The part of a fuzz program that its targets share: which of them runs.
#include "target.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace twinset {
namespace {

std::map<std::string, FuzzFunction>& Targets() {
  static std::map<std::string, FuzzFunction> targets;
  return targets;
}

FuzzFunction chosen = nullptr;

}  // namespace

FuzzTarget::FuzzTarget(const char* name, FuzzFunction function) {
  Targets().emplace(name, function);
}

}  // namespace twinset

// Without a target of this program in FUZZ_TARGET, standard output gets the
// names of all, one a line, and the exit code is 2.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("FUZZ_TARGET");
  const auto found = twinset::Targets().find(name ? name : "");
  if (found == twinset::Targets().end()) {
    std::fputs("FUZZ_TARGET must name one of these targets:\n", stderr);
    for (const auto& [known, function] : twinset::Targets()) {
      std::puts(known.c_str());
    }
    std::fflush(stdout);
    std::_Exit(2);
  }
  twinset::chosen = found->second;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return twinset::chosen(data, size);
}
