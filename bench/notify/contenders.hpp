/// @file
/// One-way messages between two ranks by several means: what a round trip of a benchmark is made of.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench::notify {

/// Half of a round trip. `send` leaves the bytes of `out` with the peer; `receive` returns when the peer's have come,
/// at an address where they can be read.
struct means {
  std::string name;
  std::function<void(const std::byte* out)> send;
  std::function<const std::byte*()> receive;
};

/// Messages of `bytes` between ranks 0 and 1 of `comm`; collective over it, which has two ranks.
std::vector<means> all_means(MPI_Comm comm, std::size_t bytes);

/// Many words of 8 bytes, each with a notification of its own, from rank 0 to rank 1, which then answers.
struct burst {
  std::string name;
  std::function<void()> run;
};
std::vector<burst> all_bursts(MPI_Comm comm, int words);

/// A collective, over and over; each checks what it brings.
struct collective_means {
  std::string name;
  std::function<void(int calls)> run;
};
/// Collective over `comm`. Of `doubles` numbers, added up; of none: barriers.
std::vector<collective_means> all_collectives(MPI_Comm comm, int doubles);

}  // namespace bench::notify
