// twinset view: the pages of a finished run.
#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/commands/server/serve_signals.h"
#include "cli/flags/flag_setters.h"
#include "cli/job.h"
#include "server/http_front.h"
#include "server/view_server.h"
#include "twinset/plain_words.h"
#include "twinset/run_view.h"

namespace twinset::cli {
namespace {

constexpr std::string_view kViewName = "view";

struct ViewAsked {
  std::string listen = "127.0.0.1:0";
  std::vector<std::string> hosts;
};

Status CheckView(const Request& request) {
  if (request.operands.size() != 1) {
    return Fail(ErrorCode::kUsage, "it shows one run", {},
                "twinset view RUN, a folder that dedup, match or recut wrote "
                "with --out");
  }
  if (!request.against.empty() && request.in.empty()) {
    return Fail(ErrorCode::kUsage,
                "--against is given without the inputs of the first side", {},
                "twinset view RUN --in A --against B");
  }
  return {};
}

Result<server::Listener> OpenViewListener(const ViewAsked& asked) {
  TWINSET_ASSIGN(server::Listener listener,
                 server::Listener::Open(asked.listen));
  if (listener.is_local()) return listener;
  return Fail(ErrorCode::kUsage,
              "others reach " + listener.address() +
                  ", and nobody would be asked who they are",
              {}, "listen on 127.0.0.1, behind a proxy or ssh -L");
}

// Answers until a signal comes.
Status ServeView(const Request& request, const RunView& run,
                 server::Listener listener, Output* out) {
  const ViewAsked& asked = request.Of<ViewAsked>();
  const std::string address = listener.address();
  server::ViewServerOptions options;
  options.guard.hosts = asked.hosts;
  server::ViewServer pages(&run, std::move(options));
  ServeSignals signals;
  TWINSET_ASSIGN(const auto front, server::HttpFront::Start(std::move(listener),
                                                            &pages, {64, 30}));
  out->Line("http://" + address + "/");
  out->Flush();
  if (!request.quiet)
    Tell(kViewName, "shows " + CountText(run.clusters(), "cluster") + " and " +
                        CountText(run.pairs(), "pair") + " there until Ctrl-C");
  while (!signals.Wait()) front->Sweep();
  return {};
}

int RunViewCommand(const Request& request) {
  if (const Status status = CheckView(request); !status)
    return TellError(kViewName, status.error());
  auto listener = OpenViewListener(request.Of<ViewAsked>());
  if (!listener) return TellError(kViewName, listener.error());
  RunViewOptions options;
  options.folder = request.operands[0];
  options.inputs = request.in;
  options.against = request.against;
  options.networks = request.options.input.networks;
  options.resources = request.options.resources;
  std::unique_ptr<RunView> run;
  const int opened = RunShown(
      kViewName, request, options, {},
      [&](const RunViewOptions& given) -> Result<bool> {
        TWINSET_ASSIGN(run, RunView::Open(given));
        return true;
      },
      [](bool, uint64_t, Output*) { return std::string(); });
  if (run == nullptr) return opened;
  Output out;
  const Status served = ServeView(request, *run, std::move(*listener), &out);
  const int finished = out.Finish(kViewName);
  return served ? finished : TellError(kViewName, served.error());
}

std::vector<Flag> ViewFlags() {
  return {{.name = "--listen",
           .value = "ADDRESS:PORT",
           .help = "where to listen; port 0 is any that is free",
           .long_help = "An address that other machines reach is refused: "
                        "nobody is asked who they are.",
           .default_text = "127.0.0.1:0",
           .set = SetText<&ViewAsked::listen>},
          {.name = "--host",
           .value = "NAME",
           .help = "a name by which browsers call it, behind a proxy",
           .long_help = "Requests for other names are refused; localhost need "
                        "not be named.",
           .list = true,
           .set = SetTextList<&ViewAsked::hosts>}};
}

Command ViewCommand() {
  return {
      .name = kViewName,
      .group = CommandGroup::kEveryday,
      .operands = "RUN",
      .help = "a finished run in the browser: clusters, documents, pairs",
      .long_help =
          "RUN is the folder of --out of dedup, match or recut. Prints the "
          "address of its pages, which this machine alone reaches, and shows "
          "them until Ctrl-C: clusters by size, kind and host, the documents "
          "of each, what is found in ids, addresses and texts, two documents "
          "side by side with what differs, how alike the pairs are. The run is "
          "only read. Texts are read again from the inputs of the run; --in "
          "and --against say where these are now.\n\nThe pages need no "
          "script. Where rows stand is remembered in work files (--tmp), so "
          "that large runs need no more memory.",
      .examples = {{"twinset view dups", "the address to open"},
                   {"twinset view dups --in /archive/crawl",
                    "the inputs have moved"}},
      .everyday = {"--in", "--against", "--listen", "--quiet"},
      .shared = {"--in", "--against", "--memory", "--tmp", "--progress",
                 "--networks"},
      .texts = {{.name = "--in",
                 .help = "where the inputs of the run are now",
                 .long_help = "May be repeated.",
                 .default_text = "(where they were)"},
                {.name = "--against",
                 .help = "where the second side of a match stands now"},
                {.name = "--memory",
                 .help = "memory while it opens, as 8G",
                 .default_text = "(256M)"},
                {.name = "--tmp", .default_text = "(TMPDIR)"}},
      .flags = ViewFlags(),
      .refusals = {kReadsRunOnOneThread,
                   kDrawsNothing,
                   {{"--overwrite", "--resume", "--out"},
                    "it shows a run and writes nothing"},
                   {{"--json", "--format"}, "its answers are pages"},
                   {{"--strict"}, "it reads what the run has written"}},
      .run = RunViewCommand};
}

}  // namespace

const Registration kView(ViewCommand);

}  // namespace twinset::cli
