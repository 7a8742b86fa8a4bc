// Binding and waiting of all that is bound; what ranks agree on together; files.
#include <array>

#include "scene.hpp"

using namespace wherry;

namespace waits {
namespace {

using row = field<int, 1>;

struct ring {
  ring(scene& s) : grid(s.users, {.periodic = {true}}), u(s.keep<row>(grid.comm(), point<1>{4}, 1)) {}
  process_grid grid;
  row& u;
};

index_lists lists_of(const scene& s) { return {{{s.next(), {0}}}, {{s.before(), {1}}}}; }

floor_plan<1> boxes_of(const scene& s) {
  floor_plan<1> plan;
  for (int i = 0; i < s.size(); ++i) plan.add({{4 * i}, {4 * i + 4}}, i);
  return plan;
}

// Every box gets the first cell of the next one.
motion_plan<1> around(const scene& s) {
  motion_plan<1> plan;
  for (int i = 0; i < s.size(); ++i) {
    const int next = (i + 1) % s.size();
    plan.copy(next, {{4 * next}, {4 * next + 1}}, i, {{4 * i + 3}, {4 * i + 4}});
  }
  return plan;
}

using sets = index_floor_plan<>;

sets sets_of(const scene& s) {
  sets plan;
  for (int i = 0; i < s.size(); ++i) plan.add(index_set{2 * i, 2 * i + 1}, i);
  return plan;
}

index_motion_plan<index_set> sets_around(const scene& s) {
  index_motion_plan<index_set> motions;
  for (int i = 0; i < s.size(); ++i) {
    const int next = (i + 1) % s.size();
    motions.copy(next, index_set{2 * next}, i, index_set{2 * i + 1});
  }
  return motions;
}

halo_options over(const std::string& transport) {
  halo_options how;
  how.carry.transport = transport;
  return how;
}

std::vector<halo_part> halves() {
  std::vector<halo_part> parts(2);
  for (auto& part : parts) part.dimensions = 1;
  parts[0].upper[0] = parts[1].lower[0] = 2;
  parts[1].upper[0] = 4;
  return parts;
}

void add_halos(std::vector<waiting>& list, const std::string& transport) {
  const auto first = list.size();
  list.push_back({"halo_exchange over " + transport, [transport](scene& s) {
                    auto& r = s.keep<ring>(s);
                    return attempt{[&s, &r, transport] { s.keep<halo_exchange>(r.grid, over(transport), r.u); }};
                  }});
  list.push_back({"halo_exchange::wait over " + transport, [transport](scene& s) {
                    auto& r = s.keep<ring>(s);
                    auto& exchange = s.keep<halo_exchange>(r.grid, over(transport), r.u);
                    return attempt{[&] {
                      exchange.start();
                      exchange.wait();
                    }};
                  }});
  list.push_back({"halo_exchange::wait_some over " + transport, [transport](scene& s) {
                    auto& r = s.keep<ring>(s);
                    auto& exchange = s.keep<halo_exchange>(r.grid, over(transport), r.u);
                    return attempt{[&] {
                      exchange.start();
                      while (!exchange.wait_some().empty()) continue;
                    }};
                  }});
  list.push_back({"halo_exchange in parts over " + transport, [transport](scene& s) {
                    auto& r = s.keep<ring>(s);
                    auto how = over(transport);
                    how.parts = halves();
                    auto& exchange = s.keep<halo_exchange>(r.grid, how, r.u);
                    return attempt{[&] {
                      exchange.start_in_parts();
                      for (int part = 0; part < 2; ++part) exchange.ready(part);
                      exchange.wait();
                    }};
                  }});
  for (auto place = first + 1; place < list.size(); ++place)  // binding, the first, tells nobody by a window
    list[place].by_window = transport == "one_sided" || transport == "aggregated";
}

// What binds, and what is bound: a wait each.
template <class Make> void add_bound(std::vector<waiting>& list, const std::string& name, Make make) {
  list.push_back({name + ", bound", [make](scene& s) {
                    auto bind = make(s);
                    return attempt{[bind]() mutable { bind(); }};
                  }});
  list.push_back({name + ", waited for", [make](scene& s) {
                    auto& pattern = make(s)();
                    return attempt{[&pattern] { pattern(); }};
                  }});
}

void add_patterns(std::vector<waiting>& list) {
  add_bound(list, "index_exchange", [](scene& s) {
    auto& elements = s.keep<std::vector<int>>(2);
    return [&s, &elements]() -> index_exchange& {
      return s.keep<index_exchange>(*s.comm, lists_of(s), index_options{}, elements);
    };
  });
  const auto layers = [](scene& s) -> ghost_layers& {
    return s.keep<ghost_layers>(*s.comm, std::vector<index_lists>{lists_of(s)});
  };
  list.push_back({"ghost_layers, bound", [layers](scene& s) {
                    auto& mesh = layers(s);
                    auto& elements = s.keep<std::vector<int>>(2);
                    return attempt{[&] { mesh.exchange(1, elements); }};
                  }});
  list.push_back({"ghost_layers, waited for", [layers](scene& s) {
                    auto& mesh = layers(s);
                    auto& elements = s.keep<std::vector<int>>(2);
                    mesh.exchange(1, elements);
                    return attempt{[&] { mesh.exchange(1, elements); }};
                  }});
  add_bound(list, "buffer_exchange", [](scene& s) {
    auto& r = s.keep<ring>(s);
    auto& words = s.keep<std::array<int, 2>>();
    return [&]() -> buffer_exchange& {
      auto& made = s.keep<buffer_exchange>(r.grid);
      made.send_to({1}, &words[0], sizeof(int));
      made.receive_from({-1}, &words[1], sizeof(int));
      made.commit();
      return made;
    };
  });
  add_bound(list, "alltoall_exchange", [](scene& s) {
    auto& words = s.keep<std::array<int, 2>>();
    return [&]() -> alltoall_exchange& {
      auto& made = s.keep<alltoall_exchange>(*s.comm);
      made.send(s.next(), &words[0], sizeof(int));
      made.receive(s.before(), &words[1], sizeof(int));
      made.commit();
      return made;
    };
  });
  add_bound(list, "mover", [](scene& s) {
    auto& u = s.keep<x_array<int, 1>>(*s.comm, boxes_of(s));
    return [&]() -> mover& { return s.keep<mover>(around(s), u, u); };
  });
  add_bound(list, "index mover", [](scene& s) {
    auto& u = s.keep<index_array<int, index_set>>(*s.comm, sets_of(s));
    return [&]() -> mover& { return s.keep<mover>(sets_around(s), u, u); };
  });
  add_bound(list, "bcast_exchange", [](scene& s) {
    auto& r = s.keep<ring>(s);
    return [&]() -> bcast_exchange& {
      return s.keep<bcast_exchange>(r.grid, wherry::rooted_options{.root = s.late}, r.u);
    };
  });
  add_bound(list, "scatter_exchange", [](scene& s) {
    auto& r = s.keep<ring>(s);
    auto& all = s.keep<std::vector<int>>(static_cast<std::size_t>(4 * s.size()));
    return [&]() -> scatter_exchange& {
      const view<int, 1> global(all.data(), point<1>{std::ssize(all)}, point<1>{1});
      return s.keep<scatter_exchange>(r.grid, global, r.u, wherry::rooted_options{.root = s.late});
    };
  });
  const auto gather = [](scene& s) {
    auto& r = s.keep<ring>(s);
    auto& all = s.keep<std::vector<int>>(static_cast<std::size_t>(4 * s.size()));
    return [&]() -> gather_exchange& {
      const view<int, 1> global(all.data(), point<1>{std::ssize(all)}, point<1>{1});
      return s.keep<gather_exchange>(r.grid, r.u, global);
    };
  };
  list.push_back({"gather_exchange, bound", [gather](scene& s) {
                    auto bind = gather(s);
                    return attempt{[bind]() mutable { bind(); }};
                  }});
  list.push_back({"gather_exchange, waited for", [gather](scene& s) {
                    auto& pattern = gather(s)();
                    return attempt{[&pattern] { pattern(); }, nullptr, true};
                  }});
  list.push_back({"halo_exchange::only", [](scene& s) {
                    auto& r = s.keep<ring>(s);
                    auto& every = s.keep<halo_exchange>(r.grid, r.u);
                    return attempt{[&every] { every.only({0}); }};
                  }});
}

}  // namespace

void add_exchanges(std::vector<waiting>& list, const std::vector<std::string>& transports) {
  for (const auto& transport : transports) add_halos(list, transport);
  add_patterns(list);
}

void add_agreements(std::vector<waiting>& list) {
  list.push_back({"communicator",
                  [](scene& s) {
                    auto& fresh = s.keep<MPI_Comm>(MPI_COMM_NULL);
                    MPI_Comm_dup(s.test.comm, &fresh);
                    attempt create{[&fresh] { communicator made(fresh); }};
                    create.afterwards = [&fresh] {
                      {
                        const communicator made(fresh);
                      }
                      MPI_Comm_free(&fresh);
                    };
                    return create;
                  },
                  late_rank::last, names::nobody});
  list.push_back(
      {"process_grid", [](scene& s) { return attempt{[&s] { process_grid(s.users, {.periodic = {true}}); }}; }});
  list.push_back({"distributed_floor_plan", [](scene& s) {
                    return attempt{[&s] {
                      const box<1> mine{{4 * s.rank()}, {4 * s.rank() + 4}};
                      const auto line = domain<1>::torus({{0}, {4 * s.size()}});
                      distributed_floor_plan(*s.comm, std::vector<box<1>>{mine}, halo_widths<1>(1), line);
                    }};
                  }});
  list.push_back({"resolve of indices", [](scene& s) {
                    const std::vector<index_set> mine{index_set(std::vector<index_t>{s.rank(), 9})};
                    auto& plan =
                        s.keep<decltype(distributed_floor_plan(*s.comm, mine))>(distributed_floor_plan(*s.comm, mine));
                    return attempt{[&s, &plan] { resolve(*s.comm, plan); }};
                  }});
  list.push_back({"write_array", [](scene& s) {
                    auto& u = s.keep<x_array<int, 1>>(*s.comm, boxes_of(s));
                    const auto path = s.file("waits_write");
                    return attempt{[&u, path] { write_array(path, u); }};
                  }});
  list.push_back({"read_array", [](scene& s) {
                    auto& u = s.keep<x_array<int, 1>>(*s.comm, boxes_of(s));
                    const auto path = s.file("waits_read");
                    write_array(path, u);
                    return attempt{[&u, path] { read_array(path, u); }};
                  }});
  list.push_back({"array_series", [](scene& s) {
                    const auto path = s.file("waits_series");
                    return attempt{[&s, path] { array_series(*s.comm, path); }};
                  }});
  list.push_back({"array_series::write", [](scene& s) {
                    auto& u = s.keep<x_array<int, 1>>(*s.comm, boxes_of(s));
                    auto& series = s.keep<array_series>(*s.comm, s.file("waits_steps"));
                    return attempt{[&] { series.write("u", 0, u); }};
                  }});
  list.push_back({"save_all", [](scene& s) {
                    const auto path = s.file("waits_save");
                    return attempt{[&s, path] { deep::save_all(*s.comm, path, std::vector<int>(3, s.rank())); }};
                  }});
  list.push_back({"load_all", [](scene& s) {
                    const auto path = s.file("waits_load");
                    deep::save_all(*s.comm, path, std::vector<int>(3, s.rank()));
                    return attempt{[&s, path] { deep::load_all<std::vector<int>>(*s.comm, path); }};
                  }});
}

}  // namespace waits
