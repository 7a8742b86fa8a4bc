/// @file
/// Parallel checkpoints: one structure of each rank, all in one file, which any number of ranks can read back.
///
///     std::vector<double> state(1000);
///     wherry::deep::save_all(comm, "state.deep", state);
///     auto mine = wherry::deep::load_all<std::vector<double>>(comm, "state.deep");
///     for (const auto& [rank, object] : mine) use(object);  // rank: the rank that saved it
///
/// For a file of one rank take `file.hpp`.
#pragma once

#include <deque>
#include <string>
#include <type_traits>

#include "wherry/deep/detail/checkpoint_streams.hpp"
#include "wherry/deep/file.hpp"
#include "wherry/deep/options.hpp"

namespace wherry::deep {

/// An object of a checkpoint, with the rank that saved it.
template <class T> struct saved {
  int rank = 0;
  T object{};
};

/// Writes the structures of all ranks into one file, through MPI-IO. Collective over `comm`, with the same path, type
/// and options on all ranks. The file appears complete or not at all, whichever rank dies at whatever time: it is
/// written as `PATH.part`, and takes the place of PATH when all of it is written (with `sync`: when all of it is on the
/// disk).
///
/// Each rank walks through its structure twice, first to find its place in the file. With `buffered` it walks once, and
/// packs into memory. Then each rank writes its own contiguous part, independently.
/// @throws error on all ranks alike: argument for a path that cannot be written, resource for a full disk, mismatch if
///   the ranks disagree on path, type or options; the file of that name is then left as it was
template <class Map = pointer_map, class Root>
void save_all(const communicator& comm, const std::string& path, Root&& x, const file_options& options = {});

/// Reads a checkpoint on any number of ranks. Collective over `comm`, with the same path and type on all ranks. Of n
/// objects, rank r of p ranks gets those from n*r/p to n*(r+1)/p - 1, in their order. On as many ranks as have saved
/// the checkpoint, each rank gets its own object.
/// @return the objects of this rank, possibly none. Objects in a deque do not move, so that cycles may lead through
///   them
/// @throws error on all ranks alike: argument for a file that does not exist, that Wherry has not written, that is
///   damaged, or that holds another type, mismatch if the ranks disagree on path or type; all objects that had been
///   built by then are freed
template <class T>
std::deque<saved<T>> load_all(const communicator& comm, const std::string& path, const file_options& options = {});

}  // namespace wherry::deep

template <class Map, class Root>
void wherry::deep::save_all(const communicator& comm, const std::string& path, Root&& x, const file_options& options) {
  detail::save_objects(comm, path, detail::fingerprint_once<std::remove_cvref_t<Root>>(), options,
                       [&](byte_sink& sink) { pack<Map>(sink, x); });
}

template <class T>
std::deque<wherry::deep::saved<T>> wherry::deep::load_all(const communicator& comm, const std::string& path,
                                                          const file_options& options) {
  std::deque<saved<T>> mine;
  const read_options reading{.arena = options.arena};
  try {
    detail::load_objects(comm, path, detail::fingerprint_once<T>(), options, [&](int rank, byte_source& from) {
      mine.emplace_back().rank = rank;
      unpack(from, mine.back().object, reading);
    });
  } catch (...) {
    for (auto& each : mine) detail::undo(each.object, reading);
    throw;
  }
  return mine;
}
