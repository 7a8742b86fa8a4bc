// Deep copies: blocking ones, and those in flight.
#include "scene.hpp"

using namespace wherry;

namespace waits {
namespace {

using numbers = std::vector<int>;
constexpr std::size_t much = 1'500'000;  // more than MPI or a ring takes without a receiver

// A broadcast has set up what streams need, so that nothing else is waited for.
numbers& content(scene& s) {
  numbers word(10, s.rank());
  deep::bcast(*s.comm, word, 0);
  return s.keep<numbers>(much, 7);
}

}  // namespace

void add_streams(std::vector<waiting>& list) {
  list.push_back({"deep::send",
                  [](scene& s) {
                    auto& all = content(s);
                    return attempt{[&] { deep::send(*s.comm, all, s.late); }, nullptr, true,
                                   [&s] { return stream_statistics(*s.comm).seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true});
  list.push_back({"deep::receive",
                  [](scene& s) {
                    auto& all = content(s);
                    return attempt{[&] { deep::receive(*s.comm, all, s.late); }, nullptr, true,
                                   [&s] { return stream_statistics(*s.comm).seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true});
  list.push_back({"the first deep::bcast", [](scene& s) {
                    auto& all = s.keep<numbers>(3);
                    return attempt{[&] { deep::bcast(*s.comm, all, s.late); }};
                  }});
  list.push_back({"deep::bcast, without its root", [](scene& s) {
                    auto& all = content(s);
                    return attempt{[&] { deep::bcast(*s.comm, all, s.late); }};
                  }});
  list.push_back({"deep::gather", [](scene& s) {
                    auto& all = content(s);
                    auto& parts = s.keep<std::vector<numbers>>();
                    return attempt{[&] { deep::gather(*s.comm, all, parts, 0); }, nullptr, true};
                  }});
  list.push_back({"deep::scatter", [](scene& s) {
                    auto& all = content(s);
                    auto& parts = s.keep<std::vector<numbers>>();
                    return attempt{[&] { deep::scatter(*s.comm, parts, all, s.late); }};
                  }});
  list.push_back({"deep::allgather", [](scene& s) {
                    auto& all = content(s);
                    auto& parts = s.keep<std::vector<numbers>>();
                    return attempt{[&] { deep::allgather(*s.comm, all, parts); }, nullptr, s.size() > 2};
                  }});
  list.push_back({"deep::start_send, waited for",
                  [](scene& s) {
                    auto& all = content(s);
                    auto& flight = s.keep<deep::in_flight>();
                    return attempt{[&] {
                                     flight = deep::start_send(*s.comm, all, s.late);
                                     flight.wait();
                                   },
                                   nullptr, true, [&flight] { return flight.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true});
  list.push_back({"deep::start_receive, waited for",
                  [](scene& s) {
                    content(s);
                    auto& into = s.keep<numbers>();
                    auto& flight = s.keep<deep::in_flight>();
                    return attempt{[&] {
                                     flight = deep::start_receive(*s.comm, into, s.late);
                                     flight.wait();
                                   },
                                   nullptr, true, [&flight] { return flight.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true});
  list.push_back({"deep::start_bcast, waited for",
                  [](scene& s) {
                    content(s);
                    auto& into = s.keep<numbers>();
                    auto& flight = s.keep<deep::in_flight>();
                    return attempt{[&] {
                                     flight = deep::start_bcast(*s.comm, into, s.late);
                                     flight.wait();
                                   },
                                   nullptr, false, [&flight] { return flight.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true});
}

}  // namespace waits
