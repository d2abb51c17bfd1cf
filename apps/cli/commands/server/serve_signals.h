// How a server of the command line is told to end.
#ifndef TWINSET_APPS_CLI_COMMANDS_SERVER_SERVE_SIGNALS_H_
#define TWINSET_APPS_CLI_COMMANDS_SERVER_SERVE_SIGNALS_H_

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace twinset::cli {

// While alive, signals are noted instead of ending the process; a second one
// that ends it does so at once. One at a time.
class ServeSignals {
 public:
  ServeSignals() {
    event_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct sigaction action = {};
    action.sa_handler = &ServeSignals::Note;
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
      ::sigaction(number, &action, nullptr);
  }
  ServeSignals(const ServeSignals&) = delete;
  ~ServeSignals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
      ::signal(number, SIG_DFL);
    ::close(event_);
  }

  // Waits for a signal, or for a while. Returns true iff the server is to end.
  bool Wait() {
    pollfd wait = {event_, POLLIN, 0};
    ::poll(&wait, 1, kMilliseconds);
    uint64_t count = 0;
    (void)!::read(event_, &count, sizeof count);
    return ends_;
  }
  // Returns true iff logs are to be opened anew, once for each time.
  bool Reopens() { return reopens_.exchange(false); }

 private:
  static constexpr int kMilliseconds = 500;

  static void Note(int number) {
    const int error = errno;
    if (number == SIGHUP) {
      reopens_ = true;
    } else if (ends_.exchange(true)) {
      ::signal(number, SIG_DFL);
      ::raise(number);
    }
    const uint64_t one = 1;
    (void)!::write(event_, &one, sizeof one);
    errno = error;
  }
  inline static std::atomic<bool> ends_ = false, reopens_ = false;
  inline static int event_ = -1;
};

}  // namespace twinset::cli

#endif  // TWINSET_APPS_CLI_COMMANDS_SERVER_SERVE_SIGNALS_H_
