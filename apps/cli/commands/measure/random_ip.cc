// twinset sample --sampler random-ip.
#include "cli/commands/measure/random_ip.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/values.h"
#include "twinset/measure/fetch.h"
#include "twinset/measure/random_ip.h"
#include "twinset/measure/sample.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kSampleName = "sample";

}  // namespace

std::vector<Flag> RandomIpFlags() {
  return {{.name = "--networks-file",
           .value = "FILE",
           .help = "random-ip: networks, one a line",
           .long_help = "May be repeated.",
           .default_text = "(none)",
           .kind = ValueKind::kFile,
           .list = true,
           .set = SetRepeated<&RandomIpOptions::network_files>},
          {.name = "--exclude",
           .value = "CIDR,...",
           .help = "random-ip: networks that are left alone",
           .long_help = "May be repeated.",
           .default_text = "(none)",
           .list = true,
           .set = SetTextList<&RandomIpOptions::excluded>},
          {.name = "--exclude-file",
           .value = "FILE",
           .help = "random-ip: networks that are left alone, one a line",
           .long_help = "May be repeated.",
           .default_text = "(none)",
           .kind = ValueKind::kFile,
           .list = true,
           .set = SetRepeated<&RandomIpOptions::excluded_files>},
          {.name = "--hosts",
           .value = "FILE",
           .help = "random-ip: names of addresses, as /etc/hosts has them",
           .long_help = "Stands for a name server: sites are then counted by "
                        "name, and once however many addresses they have.",
           .default_text = "(none)",
           .kind = ValueKind::kFile,
           .set = SetText<&RandomIpOptions::hosts>},
          {.name = "--port",
           .value = "P",
           .help = "random-ip: port of the servers",
           .default_text = "80",
           .set = SetInt<1, 65535, &RandomIpOptions::port>},
          {.name = "--probes",
           .value = "N",
           .help = "random-ip: addresses to draw, without repetition",
           .default_text = "1000",
           .is_laboratory = true,
           .set = SetCount<&RandomIpOptions::probes>},
          {.name = "--rate",
           .value = "X",
           .help = "random-ip: most addresses asked in a second; 0: any number",
           .default_text = "10",
           .set = SetNumber<&RandomIpOptions::rate>},
          {.name = "--max-pages",
           .value = "N",
           .help = "random-ip: pages of one site that are counted",
           .default_text = "1000",
           .set = SetCount<&RandomIpOptions::max_pages>},
          {.name = "--max-sites",
           .value = "N",
           .help = "random-ip: sites of one address that are counted",
           .default_text = "20",
           .set = SetInt<1, 100000, &RandomIpOptions::max_sites>}};
}

Status CheckRandomIpFlags(const Request& request) {
  const bool random_ip =
      request.Of<SampleOptions>().sampler.name == "random-ip";
  constexpr std::string_view kShared[] = {
      "--sampler", "--seed",  "--out",      "--overwrite", "--resume",
      "--json",    "--quiet", "--networks", "--delay",     "--timeout"};
  const std::vector<Flag> own = RandomIpFlags();
  for (const auto& [name, value] : request.given) {
    const bool is_own = std::any_of(
        own.begin(), own.end(),
        [&name = name](const Flag& flag) { return flag.name == name; });
    const bool shared = std::find(std::begin(kShared), std::end(kShared),
                                  name) != std::end(kShared);
    if (shared || is_own == random_ip) continue;
    return Fail(ErrorCode::kUsage,
                random_ip ? name + " does not go with --sampler random-ip"
                          : name + " only goes with --sampler random-ip");
  }
  return {};
}

int RunRandomIp(const Request& request) {
  if (!request.operands.empty()) {
    return TellError(kSampleName, {ErrorCode::kUsage,
                                   "random-ip asks addresses, no engine",
                                   {},
                                   "leave out " + request.operands[0]});
  }
  RandomIpOptions options = request.Of<RandomIpOptions>();
  options.seed = request.options.method.seed;
  const FetchOptions& fetching = request.Of<FetchOptions>();
  options.networks = fetching.networks;
  options.delay_ms = fetching.delay_ms.value_or(options.delay_ms);
  options.timeout_ms = fetching.timeout_ms.value_or(options.timeout_ms);
  options.out = request.options.out;
  options.overwrite = request.options.overwrite;
  options.resume = request.options.resume;
  return RunToResult(kSampleName, request, options, ProbeRandomAddresses);
}

}  // namespace twinset::cli
