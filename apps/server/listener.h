// Where clients reach the server.
#ifndef TWINSET_APPS_SERVER_LISTENER_H_
#define TWINSET_APPS_SERVER_LISTENER_H_

#include <string>

#include "twinset/error.h"

namespace twinset::server {

// An open socket that listens. Closed with its owner.
class Listener {
 public:
  // "127.0.0.1:7411", "[::1]:7411", ":0": port 0 is any that is free, no
  // address all of them.
  static Result<Listener> Open(const std::string& address);
  // That which a service manager has opened (LISTEN_FDS of sd_listen_fds(3));
  // kNotFound when there is none.
  static Result<Listener> Inherited();
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  int Take();  // the descriptor, which is the caller's now
  const std::string& address() const { return address_; }  // "127.0.0.1:7411"
  // Only this machine reaches it.
  bool is_local() const { return is_local_; }

 private:
  explicit Listener(int descriptor);
  int descriptor_ = -1;
  std::string address_;
  bool is_local_ = false;
};

// The address of the other end of a connection, without its port.
std::string PeerOf(int descriptor);

}  // namespace twinset::server

#endif  // TWINSET_APPS_SERVER_LISTENER_H_
