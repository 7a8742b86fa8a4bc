/// @file
/// What carries the objects of a checkpoint. `checkpoint.hpp` has what users call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "wherry/core/communicator.hpp"
#include "wherry/deep/detail/file_streams.hpp"

namespace wherry::deep::detail {

/// Both collective; see `save_all` and `load_all`. `pack` is called twice unless buffered and gives the same bytes.
void save_objects(const communicator& comm, const std::string& path, std::uint64_t type, const file_options& how,
                  const fill& pack);
void load_objects(const communicator& comm, const std::string& path, std::uint64_t type, const file_options& how,
                  const std::function<void(int rank, byte_source& from)>& unpack);

}  // namespace wherry::deep::detail
