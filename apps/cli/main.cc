// twinset COMMAND [OPTIONS] INPUT...
#include <string>
#include <vector>

#include "host.h"

// Memory that is not there ends the program.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
  return twinset::cli::RunProgram(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
