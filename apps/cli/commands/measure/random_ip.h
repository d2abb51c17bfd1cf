// twinset sample --sampler random-ip, which asks addresses and no engine.
#ifndef TWINSET_APPS_CLI_COMMANDS_MEASURE_RANDOM_IP_H_
#define TWINSET_APPS_CLI_COMMANDS_MEASURE_RANDOM_IP_H_

#include <vector>

#include "cli/commands.h"

namespace twinset::cli {

// Flags that go with it alone.
std::vector<Flag> RandomIpFlags();
// Flags of random-ip go with it alone, and no others do.
Status CheckRandomIpFlags(const Request& request);
// Returns the exit code.
int RunRandomIp(const Request& request);

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMMANDS_MEASURE_RANDOM_IP_H_
