// Asks a server that listens on 127.0.0.1 over connections that stay open, at a
// constant rate of arrivals or as fast as it answers, and checks every answer.
// bench/bench_server.py runs it.
//
//   build/bench/server_load PORT PATH FILE CLIENTS SECONDS [RATE]
//
// FILE has a row for each request: what its answer must contain, a tab, its
// body of JSON. The time of a request begins when it should have been sent, so
// that a server which stops for a while is charged for all that wait. Prints
// one JSON object.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct Row {
  std::string wanted, request;
};

struct Client {
  int socket = -1;
  bool is_busy = false;
  double due = 0;
  const Row* row = nullptr;
  std::string received;
};

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "server_load: %s\n", what.c_str());
  std::exit(1);
}

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::vector<Row> ReadRows(const char* file, const std::string& path) {
  std::vector<Row> rows;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) Fail("a row has no tab");
    const std::string body = line.substr(tab + 1);
    rows.push_back({line.substr(0, tab),
                    "POST " + path +
                        " HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                        "application/json\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n\r\n" + body});
  }
  if (rows.empty()) Fail("there are no rows");
  return rows;
}

int Connect(int port) {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address))
    Fail("it cannot connect");
  const int on = 1;
  ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return made;
}

class Load {
 public:
  Load(int port, std::vector<Row> rows, size_t clients)
      : rows_(std::move(rows)), clients_(clients), poll_(::epoll_create1(0)) {
    for (size_t i = 0; i < clients; ++i) {
      clients_[i].socket = Connect(port);
      epoll_event event = {EPOLLIN, {.u64 = i}};
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, clients_[i].socket, &event);
      free_.push_back(i);
    }
  }

  // `rate` 0: as fast as it answers.
  void Run(double seconds, double rate) {
    begin_ = Now();
    while (true) {
      const double now = Now() - begin_;
      const bool ends = now >= seconds || (rate == 0 && sent_ >= rows_.size());
      if (ends && free_.size() == clients_.size() &&
          (rate == 0 || due_.empty()))
        break;
      if (now > seconds + 30) Fail("it does not answer");
      if (!ends) Arrive(now, rate);
      while (!free_.empty() && !due_.empty()) Send();
      Receive(rate > 0 ? static_cast<double>(arrived_) / rate - now : .01);
    }
    seconds_ = Now() - begin_;
  }

  void Print() {
    std::sort(times_.begin(), times_.end());
    const auto at = [&](double share) {
      return times_.empty()
                 ? 0
                 : times_[static_cast<size_t>(
                       share * static_cast<double>(times_.size() - 1))] *
                       1000;
    };
    std::printf(
        "{\"answers\": %zu, \"a_second\": %.0f, \"p50_ms\": %.3f, "
        "\"p99_ms\": %.3f, \"p999_ms\": %.3f, \"most_ms\": %.3f, "
        "\"overload\": %zu, \"wrong\": %zu}\n",
        times_.size(), static_cast<double>(times_.size()) / seconds_, at(.5),
        at(.99), at(.999), at(1), overload_, wrong_);
  }

 private:
  void Arrive(double now, double rate) {
    if (rate == 0) {
      while (due_.size() < free_.size() && sent_ + due_.size() < rows_.size())
        due_.push_back(now);
      return;
    }
    for (; static_cast<double>(arrived_) / rate <= now; ++arrived_)
      due_.push_back(static_cast<double>(arrived_) / rate);
  }

  void Send() {
    Client& client = clients_[free_.front()];
    free_.pop_front();
    client.row = &rows_[sent_++ % rows_.size()];
    client.due = due_.front();
    due_.pop_front();
    const std::string& request = client.row->request;
    for (size_t done = 0; done < request.size();) {
      const ssize_t written = ::send(client.socket, request.data() + done,
                                     request.size() - done, MSG_NOSIGNAL);
      if (written <= 0) Fail("a connection was closed");
      done += static_cast<size_t>(written);
    }
  }

  void Receive(double seconds) {
    epoll_event events[64];
    const timespec wait = {
        0, std::clamp(static_cast<long>(seconds * 1e9), 0L, 10'000'000L)};
    const int count = ::epoll_pwait2(poll_, events, 64, &wait, nullptr);
    for (int i = 0; i < count; ++i) {
      const size_t number = events[i].data.u64;
      Client& client = clients_[number];
      char buffer[65536];
      const ssize_t got = ::recv(client.socket, buffer, sizeof buffer, 0);
      if (got <= 0) Fail("a connection was closed");
      client.received.append(buffer, static_cast<size_t>(got));
      if (!IsWhole(client.received)) continue;
      Judge(client);
      client.received.clear();
      free_.push_back(number);
    }
  }

  static bool IsWhole(const std::string& text) {
    const size_t end = text.find("\r\n\r\n");
    const size_t length = text.find("Content-Length: ");
    return end != std::string::npos && length < end &&
           text.size() >=
               end + 4 + std::strtoull(text.c_str() + length + 16, nullptr, 10);
  }

  void Judge(const Client& client) {
    if (client.received.compare(9, 3, "503") == 0) {
      ++overload_;
      return;
    }
    times_.push_back(Now() - begin_ - client.due);
    wrong_ += client.received.find(client.row->wanted) == std::string::npos;
  }

  const std::vector<Row> rows_;
  std::vector<Client> clients_;
  const int poll_;
  std::deque<size_t> free_;
  std::deque<double> due_;
  std::vector<double> times_;
  double begin_ = 0, seconds_ = 0;
  size_t sent_ = 0, arrived_ = 0, overload_ = 0, wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) Fail("PORT PATH FILE CLIENTS SECONDS [RATE]");
  Load load(std::atoi(argv[1]), ReadRows(argv[3], argv[2]),
            static_cast<size_t>(std::atoi(argv[4])));
  load.Run(std::atof(argv[5]), argc > 6 ? std::atof(argv[6]) : 0);
  load.Print();
  return 0;
}
