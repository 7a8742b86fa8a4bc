/// @file
/// Carries the objects of a checkpoint. Users call `checkpoint.hpp`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "wherry/core/communicator.hpp"
#include "wherry/deep/detail/file_streams.hpp"

namespace wherry::deep::detail {

/// Collective over `comm`; see `save_all`. Without `buffered`, `pack` is called twice, and must write the same bytes
/// each time.
void save_objects(const communicator& comm, const std::string& path, std::uint64_t type, const file_options& options,
                  const fill& pack);
/// Collective over `comm`; see `load_all`. `unpack` is called once for each object of this rank.
void load_objects(const communicator& comm, const std::string& path, std::uint64_t type, const file_options& options,
                  const std::function<void(int rank, byte_source& from)>& unpack);

}  // namespace wherry::deep::detail
