/// @file
/// One-way messages between two ranks by several means. A round trip of a benchmark consists of two of them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench::notify {

/// Half of a round trip. `send` leaves the bytes of `out` with the peer; `receive` returns when the peer's bytes have
/// arrived, with the address at which they can be read.
struct means {
  std::string name;
  std::function<void(const std::byte* out)> send;
  std::function<const std::byte*()> receive;
};

/// Makes messages of `bytes` between ranks 0 and 1 of `comm`, which has two ranks. Collective over `comm`.
std::vector<means> all_means(MPI_Comm comm, std::size_t bytes);

/// Sends many words of 8 bytes, each with a notification of its own, from rank 0 to rank 1, which then answers.
struct burst {
  std::string name;
  std::function<void()> run;
};
std::vector<burst> all_bursts(MPI_Comm comm, int words);

/// A collective that runs again and again. Each call checks its result.
struct collective_means {
  std::string name;
  std::function<void(int calls)> run;
};
/// Makes reductions that add up `doubles` numbers, or barriers if `doubles` is 0. Collective over `comm`.
std::vector<collective_means> all_collectives(MPI_Comm comm, int doubles);

}  // namespace bench::notify
