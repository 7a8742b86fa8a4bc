// Collectives that wait with patience: WHERRY_TIMEOUT ends them with an error that names the missing ranks. Each of
// them begins with an agreement of all ranks (consensus.hpp) or is one, so that no rank enters an MPI call that the
// others never reach.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "consensus.hpp"

namespace wherry::patient {

/// Waits for an MPI request, and gives the core away meanwhile.
void complete(MPI_Request& request);
/// @throws error(timeout); MPI still uses the buffers then
void complete(const communicator& comm, std::string_view where, MPI_Request& request);

/// Returns when all ranks have come. Call it before an MPI call that exists in a blocking form only.
void barrier(const communicator& comm, std::string_view where);

/// Combines a few figures of each rank, one by one, by `op(a, b)`. The order does not depend on time.
template <class T, class Op>
std::vector<T> allreduce(const communicator& comm, std::string_view where, const std::vector<T>& mine, Op op) {
  static_assert(std::is_trivially_copyable_v<T>);
  consensus::bytes all(mine.size() * sizeof(T));
  if (!mine.empty()) std::memcpy(all.data(), mine.data(), all.size());
  consensus agreement(comm, where);
  const auto& said = agreement.of(std::move(all), [op](std::span<std::byte> into, std::span<const std::byte> from) {
    for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
      T a, b;
      std::memcpy(&a, into.data() + at, sizeof a);
      std::memcpy(&b, from.data() + at, sizeof b);
      a = op(a, b);
      std::memcpy(into.data() + at, &a, sizeof a);
    }
  });
  std::vector<T> result(mine.size());
  if (!mine.empty()) std::memcpy(result.data(), said.data(), said.size());
  return result;
}

inline constexpr auto least = [](const auto& a, const auto& b) { return std::min(a, b); };
inline constexpr auto most = [](const auto& a, const auto& b) { return std::max(a, b); };
inline constexpr auto sum = [](const auto& a, const auto& b) { return a + b; };

/// Runs one MPI collective. `start(buffers)` begins it and returns its request.
template <class Buffers, class Start>
Buffers run(const communicator& comm, std::string_view where, Buffers buffers, Start&& start) {
  barrier(comm, where);
  auto kept = std::make_unique<Buffers>(std::move(buffers));
  MPI_Request request = std::forward<Start>(start)(*kept);
  try {
    complete(comm, where, request);
  } catch (...) {
    static_cast<void>(kept.release());  // MPI may write to the buffers for as long as the job lives
    throw;
  }
  return std::move(*kept);
}

/// Sends any number of bytes from one rank to all.
void bcast(const communicator& comm, std::string_view where, std::span<std::byte> data, int root);

/// One value of each rank, in the order of the ranks: on the root alone, or everywhere.
std::vector<std::byte> gather(const communicator& comm, std::string_view where, std::span<const std::byte> mine,
                              int root);
std::vector<std::byte> allgather(const communicator& comm, std::string_view where, std::span<const std::byte> mine);

template <class T> std::vector<T> values_in(const std::vector<std::byte>& bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
template <class T> std::vector<T> gather(const communicator& comm, std::string_view where, const T& mine, int root) {
  return values_in<T>(gather(comm, where, std::as_bytes(std::span(&mine, 1)), root));
}
template <class T> std::vector<T> allgather(const communicator& comm, std::string_view where, const T& mine) {
  return values_in<T>(allgather(comm, where, std::as_bytes(std::span(&mine, 1))));
}

/// The sum of the ranks before this one, and the sum of all ranks.
struct share {
  std::int64_t before = 0, all = 0;
};
std::vector<share> shares(const communicator& comm, std::string_view where, const std::vector<std::int64_t>& mine);

}  // namespace wherry::patient
