/// @file
/// Parallel checkpoints: one deep object a rank, all in one file, read back on any number of ranks.
#pragma once

#include <deque>
#include <string>
#include <type_traits>

#include "wherry/deep/detail/checkpoint_streams.hpp"
#include "wherry/deep/file.hpp"
#include "wherry/deep/options.hpp"

namespace wherry::deep {

/// An object of a checkpoint, and the rank that saved it.
template <class T> struct saved {
  int rank = 0;
  T object{};
};

/// Writes every rank's structure into one file, through MPI-IO. Collective; the same type and options on all ranks. The
/// file is complete or not at all: it is written as `PATH.part` and takes the place of PATH when all of it is there
/// (with `sync`: on the disk), whoever dies when.
///
/// Each rank walks through its structure twice, first to find its place in the file; when `buffered` only once, into
/// memory. Afterwards each rank writes one contiguous part, by itself.
/// @throws error on all ranks alike: argument for a path that cannot be written, resource for a full disk, mismatch for
///         ranks that disagree on path, type or options; the file of that name is then as before
template <class Map = pointer_map, class Root>
void save_all(const communicator& comm, const std::string& path, Root&& x, const file_options& how = {});

/// Reads a checkpoint on any number of ranks: of n objects rank r of p gets those from n*r/p up to n*(r+1)/p, in their
/// order; on as many ranks as have saved it, each its own. Collective.
/// @return this rank's share, possibly nothing; objects do not move any more, so that cycles may lead through them
/// @throws error(argument) on all ranks alike for a file that is not there, not ours, damaged in any way, or of another
///         type; nothing is left of what had been built
template <class T>
std::deque<saved<T>> load_all(const communicator& comm, const std::string& path, const file_options& how = {});

}  // namespace wherry::deep

template <class Map, class Root>
void wherry::deep::save_all(const communicator& comm, const std::string& path, Root&& x, const file_options& how) {
  detail::save_objects(comm, path, detail::fingerprint_once<std::remove_cvref_t<Root>>(), how,
                       [&](byte_sink& sink) { pack<Map>(sink, x); });
}

template <class T>
std::deque<wherry::deep::saved<T>> wherry::deep::load_all(const communicator& comm, const std::string& path,
                                                          const file_options& how) {
  std::deque<saved<T>> mine;
  const read_options reading{.arena = how.arena};
  try {
    detail::load_objects(comm, path, detail::fingerprint_once<T>(), how, [&](int rank, byte_source& from) {
      mine.emplace_back().rank = rank;
      unpack(from, mine.back().object, reading);
    });
  } catch (...) {
    for (auto& each : mine) detail::undo(each.object, reading);
    throw;
  }
  return mine;
}
