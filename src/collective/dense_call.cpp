#include "dense_call.hpp"

#include <cstring>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "neighborhood.hpp"
#include "packing.hpp"
#include "side_of_call.hpp"

namespace wherry::collective {

pattern pattern_of(kind what) {
  switch (what) {
    case kind::barrier:
      return pattern::barrier;
    case kind::bcast:
      return pattern::bcast;
    case kind::gather:
    case kind::gatherv:
      return pattern::gather;
    case kind::scatter:
    case kind::scatterv:
      return pattern::scatter;
    case kind::reduce:
      return pattern::reduce;
    case kind::allgather:
    case kind::allgatherv:
      return pattern::allgather;
    case kind::allreduce:
      return pattern::allreduce;
    case kind::reduce_scatter:
    case kind::reduce_scatter_block:
      return pattern::reduce_scatter;
    case kind::scan:
      return pattern::scan;
    case kind::exscan:
      return pattern::exscan;
    case kind::alltoall:
    case kind::alltoallv:
    case kind::alltoallw:
      return pattern::alltoall;
    case kind::neighbor_allgather:
    case kind::neighbor_allgatherv:
      return pattern::neighbor_allgather;
    case kind::neighbor_alltoall:
    case kind::neighbor_alltoallv:
    case kind::neighbor_alltoallw:
      break;
  }
  return pattern::neighbor_alltoall;
}

significant_sides significant_sides_of(const call& what, int rank) {
  const auto how = pattern_of(what.kind);
  const bool root = rank == what.root;
  const bool sends = what.send != MPI_IN_PLACE && how != pattern::bcast && (how != pattern::scatter || root);
  const bool receives = what.receive != MPI_IN_PLACE && (how != pattern::gather || root);
  return {sends, receives};
}

bool has_equal_blocks(kind what) {
  switch (what) {
    case kind::gatherv:
    case kind::scatterv:
    case kind::allgatherv:
    case kind::reduce_scatter:
    case kind::alltoallv:
    case kind::alltoallw:
    case kind::neighbor_allgatherv:
    case kind::neighbor_alltoallv:
    case kind::neighbor_alltoallw:
      return false;
    default:
      return true;
  }
}

/// One of a call's two buffers with this many blocks.
struct prepared_call::side : side_of_call {
  int blocks = 0;
  const int* ranks = nullptr;  // of neighbours; some may be missing

  /// True for blocks that are neither equal nor in lists of ints: they are written to a list of ours.
  bool is_listed() const { return types != nullptr || counts.is_large() || displacements.is_large(); }
  std::int64_t count_of(int block) const {
    return ranks != nullptr && ranks[block] == MPI_PROC_NULL ? 0 : side_of_call::count_of(block);
  }
  std::byte* at(int block, const datatype_facts& facts) const { return buffer + offset_of(block, facts.extent); }

  static side receives(const call& c, int blocks) { return {received(c), blocks}; }
  static side sends(const call& c, int blocks) { return {sent(c), blocks}; }
  static side comes_from(const call& c, const std::vector<int>& sources) {
    return {received(c), static_cast<int>(sources.size()), sources.data()};
  }
  static side goes_to(const call& c, const std::vector<int>& destinations) {
    return {sent(c), static_cast<int>(destinations.size()), destinations.data()};
  }
};

namespace {

/// Writes the bytes and offset of each block of a table to a list.
void list(const block_table& what, int blocks, std::byte* base, scratch_list<std::int64_t>& places) {
  places.resize(2 * static_cast<std::size_t>(blocks));
  for (int b = 0; b < blocks; ++b) {
    places[2 * static_cast<std::size_t>(b)] = what.bytes(b);
    places[2 * static_cast<std::size_t>(b) + 1] = what.at(b) - base;
  }
}

/// Allocates memory for the blocks, one after the other.
block_table line_up(scratch_list<std::int64_t>& places, scratch& memory, scratch_pool& pool) {
  std::int64_t whole = 0;
  for (std::size_t b = 0; b < places.size(); b += 2) {
    places[b + 1] = whole;
    whole += places[b];
  }
  memory = pool.take(static_cast<std::size_t>(whole));
  return {memory.data(), places.data()};
}

template <class Side> bool is_dense(const Side& what, scratch_list<std::int64_t>& places) {
  if (!what.is_listed()) return facts_of(what.type).dense;
  bool dense = true;
  places.resize(2 * static_cast<std::size_t>(what.blocks));
  for (int b = 0; b < what.blocks; ++b) {
    const auto facts = what.count_of(b) > 0 ? facts_of(what.type_of(b)) : datatype_facts{};
    dense = dense && facts.dense;
    places[2 * static_cast<std::size_t>(b)] = what.count_of(b) * facts.size;
    places[2 * static_cast<std::size_t>(b) + 1] = what.place_of(b) * (what.types != nullptr ? 1 : facts.size);
  }
  return dense;
}

template <class Side> block_table table_of(const Side& what, const scratch_list<std::int64_t>& places) {
  if (what.is_listed()) return {what.buffer, places.data()};
  const auto facts = facts_of(what.type);
  if (what.counts != nullptr) return {what.buffer, what.counts.ints(), what.displacements.ints(), facts.size};
  return {what.buffer, what.count * facts.size};
}

template <class Side> void list_packed(const Side& what, scratch_list<std::int64_t>& places) {
  places.resize(2 * static_cast<std::size_t>(what.blocks));
  for (int b = 0; b < what.blocks; ++b)
    places[2 * static_cast<std::size_t>(b)] =
        what.count_of(b) > 0 ? what.count_of(b) * facts_of(what.type_of(b)).size : 0;
}

}  // namespace

block_table prepared_call::input_of(const side& what) {
  if (what.blocks == 0) return {};
  if (is_dense(what, input_places_)) return table_of(what, input_places_);
  list_packed(what, input_places_);
  const auto table = line_up(input_places_, packed_input_, pool_);
  for (int b = 0; b < what.blocks; ++b) {
    if (what.count_of(b) == 0) continue;
    const auto facts = facts_of(what.type_of(b));
    pack(what.at(b, facts), table.at(b), what.count_of(b), what.type_of(b), facts.size);
  }
  return table;
}

block_table prepared_call::output_of(const side& what) {
  if (what.blocks == 0) return {};
  if (is_dense(what, output_places_)) return table_of(what, output_places_);
  list_packed(what, output_places_);
  const auto table = line_up(output_places_, packed_output_, pool_);
  for (int b = 0; b < what.blocks; ++b) {
    if (what.count_of(b) == 0) continue;
    const auto facts = facts_of(what.type_of(b));
    to_unpack_.push_back({table.at(b), what.at(b, facts), what.count_of(b), what.type_of(b), facts.size});
  }
  return table;
}

block_table prepared_call::copy_of(const block_table& what, int blocks) {
  scratch_list<std::int64_t> places(pool_);  // `what` may use the other lists
  list(what, blocks, nullptr, places);
  const auto copy = line_up(places, packed_input_, pool_);
  for (int b = 0; b < blocks; ++b)
    if (what.bytes(b) > 0) std::memcpy(copy.at(b), what.at(b), static_cast<std::size_t>(what.bytes(b)));
  input_places_ = std::move(places);
  return copy;
}

void prepared_call::prepare(const call& users, int rank, int size, const neighborhood* around,
                            const call_terms& terms) {
  dense_.terms = terms;
  dense_.what = pattern_of(users.kind);
  dense_.rank = rank;
  dense_.size = size;
  dense_.root = users.root;
  dense_.alike = has_equal_blocks(users.kind);
  if (is_of_neighbors(dense_.what)) {
    dense_.around = around;
    prepare_neighbors(users);
    return;
  }
  if (users.op != MPI_OP_NULL) {
    prepare_reduction(users);
  } else if (dense_.what != pattern::barrier) {
    prepare_movement(users);
  }
}

void prepared_call::prepare_neighbors(const call& users) {
  const auto& around = *dense_.around;
  dense_.output = output_of(side::comes_from(users, around.sources()));
  dense_.input = input_of(dense_.what == pattern::neighbor_allgather ? side::sends(users, 1)
                                                                     : side::goes_to(users, around.destinations()));
  if (dense_.what == pattern::neighbor_alltoall) dense_.arrivals = &around.arrivals(users.kind);
}

void prepared_call::prepare_movement(const call& users) {
  const bool root = dense_.is_root();
  const int size = dense_.size, rank = dense_.rank;
  // Data in place goes the same way as arriving data: it must be where that is collected.
  const auto own_part = [&](const side& all) {
    auto own = dense_.output.at(rank);
    if (!to_unpack_.empty() && all.count_of(rank) > 0) {
      const auto facts = facts_of(all.type_of(rank));
      pack(all.at(rank, facts), own, all.count_of(rank), all.type_of(rank), facts.size);
    }
    return block_table(own, dense_.output.bytes(rank));
  };
  switch (dense_.what) {
    case pattern::bcast:
      dense_.output = output_of(side::receives(users, 1));
      if (root && !to_unpack_.empty()) {
        const auto& all = to_unpack_[0];
        pack(all.to, dense_.output.at(0), all.count, all.type, all.size);
        to_unpack_.clear();  // the root's buffer has the data already
      }
      dense_.input = dense_.output;
      return;
    case pattern::gather: {
      const auto all = side::receives(users, root ? size : 0);
      dense_.output = output_of(all);
      dense_.input = users.send == MPI_IN_PLACE ? own_part(all) : input_of(side::sends(users, 1));
      return;
    }
    case pattern::scatter:
      dense_.input = input_of(side::sends(users, root ? size : 0));
      dense_.output = users.receive == MPI_IN_PLACE ? block_table(dense_.input.at(rank), dense_.input.bytes(rank))
                                                    : output_of(side::receives(users, 1));
      return;
    case pattern::allgather: {
      const auto all = side::receives(users, size);
      dense_.output = output_of(all);
      dense_.input = users.send == MPI_IN_PLACE ? own_part(all) : input_of(side::sends(users, 1));
      return;
    }
    case pattern::alltoall: {
      const auto all = side::receives(users, size);
      dense_.output = output_of(all);
      if (users.send != MPI_IN_PLACE) {
        dense_.input = input_of(side::sends(users, size));
      } else if (to_unpack_.empty()) {
        dense_.input = copy_of(dense_.output, size);
      } else {
        dense_.input = input_of(all);
      }
      return;
    }
    default:
      return;
  }
}

void prepared_call::prepare_reduction(const call& users) {
  const auto facts = facts_of(users.send_type);
  dense_.reduce = reducer(users.op, users.send_type, facts, pool_);
  const bool in_place = users.send == MPI_IN_PLACE, scatters = dense_.what == pattern::reduce_scatter;
  const bool has_result = dense_.what == pattern::reduce   ? dense_.is_root()
                          : dense_.what == pattern::exscan ? dense_.rank > 0
                                                           : true;
  auto from = side::sends(users, 1), to = side::receives(users, has_result ? 1 : 0);
  dense_.count = users.receive_count;
  scratch_list<MPI_Aint> places(pool_);
  if (scatters) {
    from = side::receives(users, dense_.size);
    from.buffer = static_cast<std::byte*>(const_cast<void*>(users.send));
    from.type = to.type = users.send_type;
    if (users.receive_counts != nullptr) {
      places.resize(static_cast<std::size_t>(dense_.size));
      for (std::size_t r = 1; r < places.size(); ++r) places[r] = places[r - 1] + users.receive_counts[r - 1];
      from.displacements = place_list::of_large(places.data());
      to.counts = nullptr;
      dense_.count = to.count = users.receive_counts[dense_.rank];
    }
  }
  if (in_place) from.buffer = to.buffer = static_cast<std::byte*>(users.receive);
  dense_.output = output_of(to);
  dense_.input = input_of(from);
  // The result of a reduce_scatter in place overwrites contributions.
  if (scatters && in_place && packed_input_.data() == nullptr) dense_.input = copy_of(dense_.input, dense_.size);
}

void prepared_call::finish() {
  for (const auto& one : to_unpack_) unpack(one.from, one.to, one.count, one.type, one.size);
}

}  // namespace wherry::collective
