/// @file
/// Groups of ranks with collectives that a time limit interrupts and the next call continues (GASPI 17.1, sections 5.3
/// and 12: groups, collective communication).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/channel/statistics.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/owned.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/plan/functions.hpp"

namespace wherry {

struct group_options {
  /// Bytes that travel at once; what is longer travels in so many pieces. At least as many as the largest element.
  /// The same on all members.
  std::size_t piece = 4096;
  /// So many members of a node read each other's cache lines; more of them meet in a tree with so many branches (two at
  /// least). The same on all members.
  int among_all = 16;
  /// What you call it, e.g. "evens": errors and `explain()` tell it by that from other groups. Members may call it
  /// differently.
  std::string name{};
};

/// Some ranks of a communicator, which meet without the others:
///
///     wherry::rank_group evens(comm);                      // local
///     for (int rank = 0; rank < comm.size(); rank += 2) evens.add(rank);
///     evens.commit();                                      // by the members alone
///     evens.allreduce(std::span<const double>(in), out, wherry::add<double>());
///     while (!evens.barrier(0)) compute_a_little();        // nothing within no time: go on later
///
/// **Time.** `seconds` is how long a call may take: 0 only looks, and true says that the call is over. After false the
/// same call goes on with it; until then any other collective of this group is an error that names it. Without
/// `seconds` WHERRY_TIMEOUT ends a wait by error(timeout) with the members that have not come as `peers`, after which
/// it goes on alike. Members that are at work elsewhere need not be there for each other's calls to return, but for
/// those on other nodes: what they send leaves in calls of their own.
///
/// **Order.** Members call a group's collectives in the same order. Groups that share two ranks or more are begun to be
/// committed in the same order on those. Otherwise groups do not know of each other: they may overlap, and be under
/// way at once, beside any traffic of MPI's. One thread at a time a group; several groups by several threads where MPI
/// was started with MPI_THREAD_MULTIPLE.
///
/// **Results** have the same bits on all members, whenever they come: the order of the operations depends on the group
/// and on which of its ranks share memory. It is the order of the ranks where all share memory, or consecutive ones do.
///
/// Nothing on a node is sent by MPI once a group is committed; nothing is allocated and no lock taken there.
class rank_group {
 public:
  /// Local: no ranks yet. @throws error(argument) for a `piece` of 0 or beyond 1 GiB, or `among_all` below 1 or above
  /// 1024
  explicit rank_group(const communicator& comm, const group_options& options = {});
  rank_group(rank_group&&) noexcept;
  rank_group& operator=(rank_group&&) noexcept;
  /// Local. Members of the same node that still wait for this one in a call of the group find out: error(state). Those
  /// of other nodes do while they commit it; else only their time limits end such a wait.
  ~rank_group();

  /// Local; in any order. @throws error(argument) for no such rank, and one that is in it; error(state) once `commit`
  /// has
  ///   been called
  rank_group& add(int rank);
  /// Ascending, in the communicator.
  const std::vector<int>& ranks() const;
  int size() const;
  /// The place of this rank among them; -1: it is none of them.
  int index() const;
  const communicator& comm() const;

  /// Collective over the members: all of them have called it with the same ranks and options. True at once, where it is
  /// committed.
  /// @return false: not within `seconds`; call it again
  /// @throws error(argument) where this rank is no member; error(lost) where a member is known to have died;
  /// error(mismatch) naming two ranks whose lists, or options,
  ///   differ, on all members that can be told; error(state) where a member has given it up. The group is of no use
  ///   then. A mismatch is a fault of the program: what these ranks commit next may find letters of the one that failed
  bool commit(double seconds = no_limit);
  bool committed() const;

  /// All members have called it. @return false: not within `seconds`; call it again
  /// @throws error(state) before `commit` was true, and where a member of the node has destroyed the group;
  /// error(argument) where
  ///   another call is to be continued; error(mismatch) on all members where members make different calls: the call is
  ///   over, and the next one works
  bool barrier(double seconds = no_limit);

  /// `out[i]` is what `how` makes of all members' `in[i]`, on all of them. Any number of elements, the same on all
  /// members. `out` may be `in` itself, and is not to be looked at before this is true.
  ///     group.allreduce(std::span<const float>(mine), all, wherry::maximum<float>());
  /// A user's own: an associative function, of which all members' are the same by `name` and `element`; where it
  /// throws, the call is over on that rank, while the others may or may not get their results.
  /// @return, @throws as `barrier`, and error(argument) where `in` and `out` differ in length, or are not of whole
  ///   elements of `how`, or these are longer than `group_options::piece`, or of another type than `T`
  template <class T>
  bool allreduce(std::span<const T> in, std::type_identity_t<std::span<T>> out, const reduction& how,
                 double seconds = no_limit) {
    static_assert(travels_as_bytes<T>, "an element travels as bytes");
    return reduce(std::as_bytes(in), std::as_writable_bytes(out), element_of<T>(), how, seconds);
  }
  /// The same where only the operation knows the type.
  bool allreduce_bytes(std::span<const std::byte> in, std::span<std::byte> out, const reduction& how,
                       double seconds = no_limit);

  /// "group 'evens' of 4 ranks: 2 by shared memory, ...": how they reach each other.
  std::string explain() const;
  /// "shared", "two_sided" or "two_sided + shared"; "" before `commit` has been called.
  std::string transport() const;
  /// Barriers and reductions that are over (as exchanges), and what of them went to others and came from them.
  exchange_statistics statistics() const;

 private:
  bool reduce(std::span<const std::byte> in, std::span<std::byte> out, const element_type& type, const reduction& how,
              double seconds);

  struct state;
  detail::owned<std::unique_ptr<state>> state_;
};

}  // namespace wherry
