// What moves in a trial: elements of all layouts, whose contents follow from who sends them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "oracle.hpp"

namespace collective_oracle {

using wherry_test::hash;
using wherry_test::random_numbers;

constexpr std::byte untouched{0xA5};

// What MPICH 4.0 itself does wrong is not asked of it: a reduce_scatter by an operation that does not commute, on a
// type with gaps, writes beyond its buffers; a long allgatherv never ends where the extents of ranks' receive types
// differ; a long MPI_Reduce in place at another root than 0 crashes.
#if defined(MPICH_VERSION)
constexpr bool mpich = true;
#else
constexpr bool mpich = false;
#endif

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// An element of `ints` ints, as memory has it.
struct element {
  MPI_Datatype type;
  int ints;
  std::vector<int> places;  // of its ints, in the order of the type map, in ints
  int extent;               // in ints
};

/// How an element lies: 0 dense, 1 every second int, 2 backwards, 3 with a gap behind it.
inline element make_element(int ints, int layout, std::vector<MPI_Datatype>& to_free) {
  element made{MPI_DATATYPE_NULL, ints, {}, ints};
  for (int i = 0; i < ints; ++i) made.places.push_back(layout == 1 ? 2 * i : layout == 2 ? ints - 1 - i : i);
  if (layout == 1) made.extent = 2 * ints;
  if (layout == 3) made.extent = ints + 1;
  MPI_Datatype plain = MPI_DATATYPE_NULL;
  if (layout == 0) {
    if (ints == 1) {
      made.type = MPI_INT;
      return made;
    }
    MPI_Type_contiguous(ints, MPI_INT, &made.type);
  } else {
    MPI_Type_create_indexed_block(ints, 1, made.places.data(), MPI_INT, &plain);
    MPI_Type_create_resized(plain, 0, made.extent * static_cast<int>(sizeof(int)), &made.type);
    MPI_Type_free(&plain);
  }
  MPI_Type_commit(&made.type);
  to_free.push_back(made.type);
  return made;
}

/// Block `block` of what is sent, its `i`th int.
inline int content(std::uint64_t seed, int block, int i) { return static_cast<int>(hash(seed, block, i)); }

inline void put(std::vector<std::byte>& buffer, const element& type, int first_element, int count, std::uint64_t seed,
                int block) {
  for (int e = 0; e < count; ++e)
    for (int i = 0; i < type.ints; ++i) {
      const int value = content(seed, block, e * type.ints + i);
      std::memcpy(buffer.data() + 4 * (at(first_element + e) * at(type.extent) + at(type.places[at(i)])), &value, 4);
    }
}

inline std::vector<std::byte> memory_for(const element& type, int elements) {
  return std::vector<std::byte>(4 * at(type.extent) * at(elements) + 4, untouched);
}

/// Blocks of `counts` elements with gaps between them, not in order. Places in elements.
inline int scatter_places(random_numbers& random, const std::vector<int>& counts, std::vector<int>& places) {
  std::vector<int> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  random.shuffle(order);
  places.assign(counts.size(), 0);
  int next = 0;
  for (const int block : order) {
    places[at(block)] = next;
    next += counts[at(block)] + random.between(0, 2);
  }
  return next;
}

struct figures {
  random_numbers& common;  // the same on all ranks
  random_numbers own;      // of this rank alone: layouts, displacements
  int rank, size, most;
};

struct movement {
  trial& made;
  figures& f;
  std::uint64_t seed;
  int ints;

  element type() { return make_element(ints, f.own.between(0, 3), made.types_to_free); }
  element type_of_all() { return make_element(ints, f.common.between(0, 3), made.types_to_free); }
  int count() { return f.common.chance(15) ? 0 : f.common.between(1, f.most); }

  /// One block out of, or into, a buffer of its own.
  void send_one(int block, int count, const element& t) {
    made.send = memory_for(t, count);
    put(made.send, t, 0, count, seed, block);
  }
  void receive_one(int block, int count, const element& t) {
    made.receive = memory_for(t, count);
    made.expected = made.receive;
    put(made.expected, t, 0, count, seed, block);
  }
  /// A block for each rank: block number `number(r)`, `counts[r]` elements.
  template <class Number>
  void send_each(const std::vector<int>& counts, const std::vector<int>& places, int whole, const element& t,
                 Number number) {
    made.send = memory_for(t, whole);
    for (int r = 0; r < f.size; ++r) put(made.send, t, places[at(r)], counts[at(r)], seed, number(r));
  }
  template <class Number>
  void receive_each(const std::vector<int>& counts, const std::vector<int>& places, int whole, const element& t,
                    Number number) {
    made.receive = memory_for(t, whole);
    made.expected = made.receive;
    for (int r = 0; r < f.size; ++r) put(made.expected, t, places[at(r)], counts[at(r)], seed, number(r));
  }
};

}  // namespace collective_oracle
