#include "topologies.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "movement.hpp"

namespace collective_oracle {
namespace {

void add_grid(random_numbers& random, topology& made, MPI_Comm comm, int size) {
  const int dimensions = random.between(1, 3);
  std::array<int, 3> extents{}, periods{};
  MPI_Dims_create(size, dimensions, extents.data());
  for (int d = 0; d < dimensions; ++d) {
    periods[at(d)] = random.chance(50) ? 1 : 0;
    if (periods[at(d)] != 0 && extents[at(d)] <= 2) made.ambiguous = true;
  }
  made.name = "a grid of " + std::to_string(dimensions) + " dimensions";
  MPI_Cart_create(comm, dimensions, extents.data(), periods.data(), 0, &made.comm);
  for (int r = 0; r < size; ++r) {
    std::array<int, 3> steps{};
    for (int d = dimensions - 1, step = 1; d >= 0; step *= extents[at(d--)]) steps[at(d)] = step;
    for (int d = 0; d < dimensions; ++d)
      for (const int way : {-1, 1}) {
        const int here = r / steps[at(d)] % extents[at(d)], there = here + way, extent = extents[at(d)];
        const bool inside = there >= 0 && there < extent;
        const int rank = inside || periods[at(d)] != 0 ? r + ((there + extent) % extent - here) * steps[at(d)] : -1;
        made.destinations[at(r)].push_back(rank);
        made.arrivals[at(r)].push_back({rank, 2 * d + (way < 0 ? 1 : 0)});  // it sends the other way
      }
  }
}

void add_graph(random_numbers& random, topology& made, MPI_Comm comm, int size) {
  made.name = "a graph";
  auto& to = made.destinations;
  for (int a = 0; a < size; ++a)
    for (int b = a; b < size; ++b)
      if (random.chance(50)) {
        to[at(a)].push_back(b);
        if (b != a) to[at(b)].push_back(a);
      }
  std::vector<int> index, edges;
  for (auto& list : to) {
    random.shuffle(list);
    edges.insert(edges.end(), list.begin(), list.end());
    index.push_back(static_cast<int>(edges.size()));
  }
  edges.push_back(0);  // an address, even of nothing
  MPI_Graph_create(comm, size, index.data(), edges.data(), 0, &made.comm);
  for (int r = 0; r < size; ++r)
    for (const int source : to[at(r)]) {
      const auto& list = to[at(source)];
      made.arrivals[at(r)].push_back({source, static_cast<int>(std::find(list.begin(), list.end(), r) - list.begin())});
    }
}

/// Directed, with several edges between the same ranks, and ranks without any.
void add_distributed(random_numbers& random, topology& made, MPI_Comm comm, int rank, int size) {
  made.name = "a distributed graph";
  const int edges = random.between(0, 3 * size);
  for (int e = 0; e < edges; ++e)
    made.destinations[at(random.between(0, size - 1))].push_back(random.between(0, size - 1));
  for (int s = 0; s < size; ++s)
    for (std::size_t k = 0; k < made.destinations[at(s)].size(); ++k)
      made.arrivals[at(made.destinations[at(s)][k])].push_back({s, static_cast<int>(k)});
  // MPICH 4.0's MPI_Neighbor_alltoall takes the blocks of one rank in the opposite order.
  for (auto to : made.destinations) {
    std::sort(to.begin(), to.end());
    if (mpich && std::adjacent_find(to.begin(), to.end()) != to.end()) made.alltoall_is_ambiguous = true;
  }
  for (auto& list : made.arrivals) {
    // Sources in any order; what comes from one of them, in the order of its blocks.
    std::vector<int> order;
    for (const auto& one : list) order.push_back(one.source);
    random.shuffle(order);
    std::vector<arrival> sorted;
    for (const int source : order) {
      const auto next =
          std::find_if(list.begin(), list.end(), [&](const arrival& one) { return one.source == source; });
      sorted.push_back(*next);
      list.erase(next);
    }
    list = std::move(sorted);
  }
  std::vector<int> sources;
  for (const auto& one : made.arrivals[at(rank)]) sources.push_back(one.source);
  const auto& to = made.destinations[at(rank)];
  const bool weighted = random.chance(50);
  const std::vector<int> in_weights(sources.size() + 1, 2), out_weights(to.size() + 1, 3);
  const std::vector<int> address{0};
  MPI_Dist_graph_create_adjacent(comm, static_cast<int>(sources.size()),
                                 sources.empty() ? address.data() : sources.data(),
                                 weighted ? in_weights.data() : MPI_UNWEIGHTED, static_cast<int>(to.size()),
                                 to.empty() ? address.data() : to.data(),
                                 weighted ? out_weights.data() : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made.comm);
}

/// The blocks of one side of a call: what is in them, and where they lie.
struct side {
  std::vector<int> counts, places, blocks;  // of a block: elements, where, and which contents it has; -1: none
  std::vector<MPI_Aint> addresses;
  int whole = 0;
};

class neighbors_trial {
 public:
  neighbors_trial(trial& made, figures& f, std::uint64_t seed, int version, int ints, const topology& where)
      : made_(made), f_(f), m_{made, f, seed, ints}, contents_(hash(seed, version)), where_(where) {}

  void make(kind what) {
    const auto from = m_.type(), to = m_.type();
    const bool gathers = what == kind::neighbor_allgather || what == kind::neighbor_allgatherv;
    const bool equal = what == kind::neighbor_allgather || what == kind::neighbor_alltoall;
    const bool ambiguous = where_.ambiguous || (where_.alltoall_is_ambiguous && what == kind::neighbor_alltoall);
    const int common = m_.count();
    const auto count_of = [&](int source, int number) {
      if (equal || ambiguous) return common;  // whichever way blocks go
      const auto drawn = hash(m_.seed, source, gathers ? 0 : number + 1);
      return drawn % 7 == 0 ? 0 : static_cast<int>(drawn / 7 % static_cast<unsigned>(f_.most)) + 1;
    };
    const auto block_of = [&](int source, int number) { return source * 1000 + (gathers ? 0 : number); };
    side out, in;
    if (gathers) {
      out.counts = {count_of(f_.rank, 0)};
      out.blocks = {block_of(f_.rank, 0)};
    } else {
      const auto& all = where_.destinations[at(f_.rank)];
      for (std::size_t k = 0; k < all.size(); ++k)
        add(out, all[k] >= 0, count_of(f_.rank, static_cast<int>(k)), block_of(f_.rank, static_cast<int>(k)));
    }
    for (const auto& one : where_.arrivals[at(f_.rank)])
      add(in, one.source >= 0, count_of(one.source, one.number), block_of(one.source, one.number));
    place(out, equal || gathers);
    place(in, equal);
    made_.send = fill(out, from);
    made_.expected = fill(in, to);
    made_.receive = memory_for(to, in.whole);
    made_.send_counts = out.counts;
    made_.send_places = out.places;
    made_.receive_counts = in.counts;
    made_.receive_places = in.places;
    for (auto* const list : {&made_.send_counts, &made_.send_places, &made_.receive_counts, &made_.receive_places})
      list->reserve(1);  // Open MPI wants an address, even of nothing
    call_it(what, common, from, to, out, in);
    if (ambiguous && !gathers) ask_mpi();
  }

 private:
  static void add(side& s, bool is_there, int count, int block) {
    s.counts.push_back(count);
    s.blocks.push_back(is_there ? block : -1);
  }
  void place(side& s, bool in_order) {
    if (!in_order) {
      s.whole = scatter_places(f_.own, s.counts, s.places);
      return;
    }
    for (const int count : s.counts) {
      s.places.push_back(s.whole);
      s.whole += count;
    }
  }
  std::vector<std::byte> fill(const side& s, const element& type) const {
    auto memory = memory_for(type, s.whole);
    for (std::size_t b = 0; b < s.blocks.size(); ++b)
      if (s.blocks[b] >= 0) put(memory, type, s.places[b], s.counts[b], contents_, s.blocks[b]);
    return memory;
  }
  static std::vector<MPI_Aint> in_bytes(const std::vector<int>& places, const element& type) {
    std::vector<MPI_Aint> all;
    all.reserve(places.size() + 1);
    for (const int place : places) all.push_back(static_cast<MPI_Aint>(4) * place * type.extent);
    return all;
  }

  void call_it(kind what, int count, const element& from, const element& to, const side& out, const side& in) {
    auto* const send = made_.send.data();
    auto* const receive = made_.receive.data();
    const auto comm = where_.comm;
    switch (what) {
      case kind::neighbor_allgather:
        made_.what = call::neighbor_allgather(send, count, from.type, receive, count, to.type, comm);
        return;
      case kind::neighbor_allgatherv:
        made_.what = call::neighbor_allgatherv(send, out.counts.front(), from.type, receive,
                                               made_.receive_counts.data(), made_.receive_places.data(), to.type, comm);
        return;
      case kind::neighbor_alltoall:
        made_.what = call::neighbor_alltoall(send, count, from.type, receive, count, to.type, comm);
        return;
      case kind::neighbor_alltoallv:
        made_.what =
            call::neighbor_alltoallv(send, made_.send_counts.data(), made_.send_places.data(), from.type, receive,
                                     made_.receive_counts.data(), made_.receive_places.data(), to.type, comm);
        return;
      default:
        made_.send_addresses = in_bytes(out.places, from);
        made_.receive_addresses = in_bytes(in.places, to);
        made_.send_types.reserve(1);
        made_.receive_types.reserve(1);
        made_.send_types.assign(out.places.size(), from.type);
        made_.receive_types.assign(in.places.size(), to.type);
        made_.what = call::neighbor_alltoallw(send, made_.send_counts.data(), made_.send_addresses.data(),
                                              made_.send_types.data(), receive, made_.receive_counts.data(),
                                              made_.receive_addresses.data(), made_.receive_types.data(), comm);
    }
  }

  void ask_mpi() {
    const auto& w = made_.what;
    made_.expected = made_.receive;
    auto* const into = made_.expected.data();
    if (w.kind == kind::neighbor_alltoall)
      MPI_Neighbor_alltoall(w.send, static_cast<int>(w.send_count), w.send_type, into,
                            static_cast<int>(w.receive_count), w.receive_type, w.comm);
    else if (w.kind == kind::neighbor_alltoallv)
      MPI_Neighbor_alltoallv(w.send, w.send_counts.ints(), w.send_displacements.ints(), w.send_type, into,
                             w.receive_counts.ints(), w.receive_displacements.ints(), w.receive_type, w.comm);
    else
      MPI_Neighbor_alltoallw(w.send, w.send_counts.ints(), w.send_addresses, w.send_types, into,
                             w.receive_counts.ints(), w.receive_addresses, w.receive_types, w.comm);
  }

  trial& made_;
  figures& f_;
  movement m_;  // its seed says how long blocks are
  std::uint64_t contents_;
  const topology& where_;
};

}  // namespace

bool topology::breaks_mpich(kind what) const {
  return mpich && what == kind::neighbor_alltoallw && name == "a distributed graph";
}

topology::~topology() {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

std::unique_ptr<topology> random_topology(random_numbers& random, MPI_Comm comm) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  auto made = std::make_unique<topology>();
  made->destinations.resize(at(size));
  made->arrivals.resize(at(size));
  switch (random.between(0, 2)) {
    case 0:
      add_grid(random, *made, comm, size);
      break;
    case 1:
      add_graph(random, *made, comm, size);
      break;
    default:
      add_distributed(random, *made, comm, rank, size);
  }
  return made;
}

std::unique_ptr<trial> random_trial_of_neighbors(random_numbers& random, kind what, const topology& where, int most,
                                                 int version) {
  auto made = std::make_unique<trial>();
  int rank = 0;
  MPI_Comm_rank(where.comm, &rank);
  const auto seed = random.next();
  figures f{random, random_numbers(hash(seed, rank)), rank, static_cast<int>(where.arrivals.size()), most};
  neighbors_trial(*made, f, seed, version, random.between(1, 3), where).make(what);
  made->sent = made->send;
  made->name = std::string(name_of(what)) + " in " + where.name + ", seed " + std::to_string(seed);
  return made;
}

}  // namespace collective_oracle
