// Segments, notifications, passive messages, groups and published layouts.
#include <cstdint>
#include <functional>
#include <optional>

#include "scene.hpp"
#include "support/with_setting.hpp"

using namespace wherry;

namespace waits {
namespace {

using words = segment<std::uint64_t>;

words& of_ours(scene& s) { return s.keep<words>(*s.comm, std::size_t{1000}); }

void add_notifications(std::vector<waiting>& list) {
  list.push_back({"segment", [](scene& s) { return attempt{[&s] { s.keep<words>(*s.comm, std::size_t{10}); }}; }});
  list.push_back({"segment::wait",
                  [](scene& s) {
                    auto& made = of_ours(s);
                    return attempt{[&made] { made.wait(3); },
                                   [&made](double seconds) { return made.wait(3, seconds).has_value(); }, false,
                                   [&made] { return made.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::nobody, true});
  list.push_back({"segment::wait_some",
                  [](scene& s) {
                    auto& made = of_ours(s);
                    return attempt{[&made] { made.wait_some(2, 5); },
                                   [&made](double seconds) { return made.wait_some(2, 5, seconds).has_value(); }, false,
                                   [&made] { return made.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::nobody, true});
  list.push_back({"wait for a notification of another rank's",
                  [](scene& s) {
                    auto& made = of_ours(s);
                    const int whose = s.comm->node_ranks().back();
                    return attempt{[&made, whose] { made.notifications_of(whose).wait(3); },
                                   [&made, whose](double seconds) {
                                     return made.notifications_of(whose).wait(3, seconds).has_value();
                                   }};
                  },
                  late_rank::last, names::nobody});
  list.push_back({"wait_some of another rank's",
                  [](scene& s) {
                    auto& made = of_ours(s);
                    const int whose = s.comm->node_ranks().front();
                    return attempt{[&made, whose] { made.notifications_of(whose).wait_some(0, 4); },
                                   [&made, whose](double seconds) {
                                     return made.notifications_of(whose).wait_some(0, 4, seconds).has_value();
                                   }};
                  },
                  late_rank::last, names::nobody});
  list.push_back({"segment::copy_out",
                  [](scene& s) {
                    auto& made = of_ours(s);
                    auto& into = s.keep<std::vector<std::uint64_t>>(900);
                    return attempt{[&] { made.copy_out(0, into, 5); },
                                   [&](double seconds) { return made.copy_out(0, into, 5, seconds); }, false,
                                   [&made] { return made.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::nobody, true});
}

// What waits for the other rank's MPI, in memory that stores do not reach: no error, but an end, whether all was done
// by then or not.
void add_flushes(std::vector<waiting>& list) {
  using call = std::function<void(words&, int late, double seconds)>;
  const auto add = [&list](const char* name, const call& act) {
    list.push_back({std::string("segment::") + name + " with a limit", [act](scene& s) {
                      auto& memory = s.keep<std::vector<std::uint64_t>>(30'000);
                      const wherry_test::with_setting unstaged("staged_write", "0", "4K");
                      auto& made =
                          s.keep<words>(*s.comm, std::span(memory), segment_options{.ways = {.through_kernel = false}});
                      return attempt{nullptr, [&made, act, late = s.late](double seconds) {
                                       act(made, late, seconds);
                                       return false;
                                     }};
                    }});
  };
  static const std::vector<std::uint64_t> data(30'000, 9);
  static std::vector<std::uint64_t> into(30'000);
  static segment_queue queue;
  add("flush", [](words& made, int late, double seconds) {
    made.write(late, 0, data);
    made.flush(seconds);
  });
  add("notify", [](words& made, int late, double seconds) {
    made.write(late, 0, data);
    made.notify(late, 1, 1, seconds);
  });
  add("notify by lists", [](words& made, int late, double seconds) {
    const channels::segment_notice notices[] = {{late, 5, 3}, {late, 6, 1}};
    made.notify(notices, seconds);
  });
  add("write_notify", [](words& made, int late, double seconds) { made.write_notify(late, 0, data, 2, 1, seconds); });
  add("read_notify", [](words& made, int late, double seconds) { made.read_notify(late, 0, into, 3, 1, seconds); });
  add("write_in_pieces",
      [](words& made, int late, double seconds) { made.write_in_pieces(late, 0, data, 4, seconds); });
  add("fetch_add", [](words& made, int late, double seconds) { made.fetch_add(late, 0, 1, seconds); });
  add("compare_swap", [](words& made, int late, double seconds) { made.compare_swap(late, 1, 0, 1, seconds); });
  add("queue", [](words& made, int late, double seconds) {
    made.write(late, 0, data, &queue);
    queue.wait(seconds);
    queue.purge();
  });
}

void add_messages(std::vector<waiting>& list) {
  list.push_back({"passive_messages", [](scene& s) { return attempt{[&s] { s.keep<passive_messages>(*s.comm); }}; }});
  list.push_back({"passive_messages::send", [](scene& s) {
                    auto& mail = s.keep<passive_messages>(*s.comm, passive_options{.largest = 200000, .under_way = 3});
                    auto& data = s.keep<std::vector<std::byte>>(200'000);
                    return attempt{[&] {
                                     for (int i = 0; i < 20; ++i) mail.send(s.late, data);
                                   },
                                   [&](double seconds) {
                                     for (int i = 0; i < 20; ++i)
                                       if (!mail.send(s.late, data, seconds)) return false;
                                     return true;
                                   }};
                  }});
  list.push_back({"passive_messages::receive",
                  [](scene& s) {
                    auto& mail = s.keep<passive_messages>(*s.comm);
                    auto& into = s.keep<std::vector<std::byte>>(64 << 10);
                    return attempt{[&] { mail.receive(into); },
                                   [&](double seconds) { return mail.receive(into, seconds).has_value(); }};
                  },
                  late_rank::last, names::nobody});
  list.push_back({"ping", [](scene& s) {
                    return attempt{nullptr, [&s](double seconds) {
                                     // The system knows of the ranks of this node; others have to answer.
                                     const bool answered = ping(*s.comm, s.late, seconds);
                                     return s.comm->node_ranks().size() == 1 && answered;
                                   }};
                  }});
}

rank_group& group_of_all(scene& s, int among_all) {
  auto& group = s.keep<rank_group>(*s.comm, group_options{.sizes = {.among_all = among_all}});
  for (int rank = 0; rank < s.size(); ++rank) group.add(rank);
  return group;
}

void add_groups(std::vector<waiting>& list) {
  for (const int among_all : {1, 16}) {
    const std::string how = among_all == 1 ? " in a tree" : " among all";
    list.push_back({"rank_group::commit" + how, [among_all](scene& s) {
                      auto& group = group_of_all(s, among_all);
                      return attempt{[&group] { group.commit(); },
                                     [&group](double seconds) { return group.commit(seconds); }};
                    }});
    for (const late_rank who : {late_rank::first, late_rank::last}) {
      list.push_back({"rank_group::barrier" + how,
                      [among_all](scene& s) {
                        auto& group = group_of_all(s, among_all);
                        group.commit();
                        group.barrier();
                        return attempt{[&group] { group.barrier(); },
                                       [&group](double seconds) { return group.barrier(seconds); }};
                      },
                      who});
      list.push_back({"rank_group::allreduce" + how,
                      [among_all](scene& s) {
                        auto& group = group_of_all(s, among_all);
                        group.commit();
                        auto& in = s.keep<std::vector<double>>(3000, 1.0);
                        auto& out = s.keep<std::vector<double>>(3000);
                        const auto sum = [&](double seconds) {
                          return group.allreduce(std::span<const double>(in), out, std::plus<>{}, seconds);
                        };
                        return attempt{[sum] { sum(no_limit); }, sum};
                      },
                      who});
    }
  }
}

struct published {
  published(scene& s)
      : grid(s.users, {.periodic = {true}}),
        u(grid.comm(), {4}, 1),
        describes(grid, {}, u),
        layouts(grid.comm(), describes.schedule()),
        table{u.data()} {}
  process_grid grid;
  field<double, 1> u;
  halo_exchange describes;
  published_layouts layouts;
  void* table[1];
};

void add_published(std::vector<waiting>& list) {
  list.push_back({"published_layouts", [](scene& s) {
                    auto& p = s.keep<published>(s);
                    return attempt{[&] { s.keep<published_layouts>(p.grid.comm(), p.describes.schedule()); }};
                  }});
  list.push_back({"published_layouts::publish",
                  [](scene& s) {
                    auto& p = s.keep<published>(s);
                    return attempt{[&] {
                                     for (int i = 0; i < 10; ++i) p.layouts.publish(p.table);
                                   },
                                   [&](double seconds) {
                                     for (int i = 0; i < 10; ++i)
                                       if (!p.layouts.publish(p.table, seconds)) return false;
                                     return true;
                                   },
                                   false, [&] { return p.layouts.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true, true});
  list.push_back({"published_layouts::read",
                  [](scene& s) {
                    auto& p = s.keep<published>(s);
                    return attempt{[&] { p.layouts.read(p.table); },
                                   [&](double seconds) { return p.layouts.read(p.table, seconds); }, false,
                                   [&] { return p.layouts.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true, true});
  list.push_back({"published_layouts::await_readers",
                  [](scene& s) {
                    auto& p = s.keep<published>(s);
                    p.layouts.publish(p.table);
                    return attempt{[&] { p.layouts.await_readers(); },
                                   [&](double seconds) { return p.layouts.await_readers(seconds); }, false,
                                   [&] { return p.layouts.statistics().seconds_waiting; }};
                  },
                  late_rank::last, names::the_late_rank, true, true});
}

}  // namespace

void add_segments(std::vector<waiting>& list) {
  add_notifications(list);
  add_flushes(list);
  add_messages(list);
  add_groups(list);
  add_published(list);
}

}  // namespace waits
