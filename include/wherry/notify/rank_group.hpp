/// @file
/// Groups of ranks with a barrier and a reduction that a time limit interrupts and the next call continues (GASPI 17.1,
/// sections 5.3 and 12).
///
///     wherry::rank_group evens(comm);                      // local
///     for (int rank = 0; rank < comm.size(); rank += 2) evens.add(rank);
///     evens.commit();                                      // called by the members only
///     evens.allreduce(std::span<const double>(in), out, std::plus<>{});
///     while (!evens.barrier(0)) compute_a_little();        // false: not yet; the next call continues
///
/// If all ranks of a communicator take part and time limits do not matter, use the module `collective`.
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

namespace detail {

/// The sizes of a group, the same on all members.
struct group_sizes {
  /// The number of bytes that travel at once, at least one element; longer data travels in several pieces.
  std::size_t piece = 4096;
  /// Up to this number of members on a node, each member reads the data of all others in one step. The members of a
  /// larger group form a tree with this number of branches (at least two).
  int among_all = 16;
};

}  // namespace detail

/// Options of a group.
struct group_options {
  /// A name for errors and `explain()`, such as "evens". May differ between members.
  std::string name{};
  detail::group_sizes sizes{};  ///< the defaults suit nodes of any size, and elements of up to 4096 bytes
};

/// Some ranks of a communicator that communicate without the others. Every member adds the same ranks and commits the
/// group; then the members may call the group's collectives. Movable.
///
/// **Time.** `seconds` limits the time that a call may take, and 0 only looks. A call returns true when it is complete.
/// After false, the same call continues the operation; until it is complete, any other collective of this group is an
/// error that names the unfinished one. Without `seconds`, WHERRY_TIMEOUT ends a wait by error(timeout) with the late
/// members as `peers`, and the same call then continues too. A call can complete on one member while other members of
/// its node compute, but data for members on other nodes leaves only in the sender's own calls.
///
/// **Order.** All members call the group's collectives in the same order. If two groups share two or more ranks, these
/// ranks begin to commit the groups in the same order. Apart from this, groups are independent: they may overlap, and
/// be in flight at the same time as each other and as any MPI communication. One thread at a time may use a group;
/// several threads may use several groups if MPI was started with MPI_THREAD_MULTIPLE.
///
/// **Results** have the same bits on all members, whatever the order of arrival. The order of the operations depends
/// only on the group and on which of its ranks share memory. It is the order of the ranks if all of them share memory,
/// or if the members of each node are consecutive.
///
/// Within a node, a committed group makes no MPI call for its data, allocates nothing and takes no lock.
class rank_group {
 public:
  /// Makes a group without members. Local.
  /// @throws error(argument) for a `piece` of 0 or more than 1 GiB, or an `among_all` below 1 or above 1024
  explicit rank_group(const communicator& comm, const group_options& options = {});
  rank_group(rank_group&&) noexcept;
  rank_group& operator=(rank_group&&) noexcept;
  /// Local. A member of the same node that still waits for this rank in a call of the group gets error(state). A member
  /// of another node gets it only during `commit`; otherwise only its time limit ends the wait.
  ~rank_group();

  /// Adds a rank of the communicator, in any order. Local.
  /// @throws error(argument) for a rank that does not exist or is a member already; error(state) after `commit` was
  ///         called
  rank_group& add(int rank);
  /// The members, as ranks of the communicator, ascending.
  const std::vector<int>& ranks() const;
  int size() const;
  /// The index of this rank among the members; -1 if it is not a member.
  int index() const;
  const communicator& comm() const;

  /// Prepares the group for its collectives. Collective over the members, which must have added the same ranks and use
  /// the same options. Returns true at once if the group is committed already.
  /// @return false if this takes longer than `seconds`; call `commit` again
  /// @throws error(argument) if this rank is not a member; error(lost) if a member is known to have
  ///         died; error(mismatch), naming two ranks with different lists or options, on all members
  ///         that can be told; error(state) if a member has destroyed its group. After an error the
  ///         group cannot be used. After a mismatch, which is a fault of the program, the next groups of
  ///         these ranks may receive messages that belong to the failed one
  bool commit(double seconds = no_limit);
  bool committed() const;

  /// Waits until all members have called it. Collective over the members.
  /// @return false if this takes longer than `seconds`; call `barrier` again
  /// @throws error(state) before `commit` has returned true, and if a member of the node has destroyed the
  ///         group; error(argument) if another call must be continued first; error(mismatch) on all members if
  ///         members make different calls, after which the next call works; error(lost) if a member has died
  bool barrier(double seconds = no_limit);

  /// Combines the elements `in[i]` of all members by `how` and stores the result in `out[i]` on all members. Collective
  /// over the members, with the same number of elements.
  ///     group.allreduce(std::span<const float>(mine), all, wherry::maximum{});
  /// A function of the user must be associative, and have the same `name` and `element` on all members. If it throws,
  /// the call ends on that rank, and the other members may or may not get their results.
  /// @param out may be the same memory as `in`; its content is undefined until the call returns true
  /// @return, @throws as `barrier`, and error(argument) if `in` and `out` differ in length, do not consist of whole
  ///        elements of `how`, or have another element type than `how`, or if an element is longer than
  ///        `group_options::piece`
  template <class T>
  bool allreduce(std::span<const T> in, std::type_identity_t<std::span<T>> out, const reduction& how,
                 double seconds = no_limit) {
    static_assert(travels_as_bytes<T>, "an element travels as bytes");
    return reduce(std::as_bytes(in), std::as_writable_bytes(out), plans::element_of<T>(),
                  how.on(plans::element_of<T>()), seconds);
  }
  /// `allreduce` for bytes; only `how` knows the element type.
  bool allreduce_bytes(std::span<const std::byte> in, std::span<std::byte> out, const plans::typed_reduction& how,
                       double seconds = no_limit);

  /// Says how the members reach each other, such as "group 'evens' of 4 ranks: 2 by shared memory, 2 by messages".
  std::string explain() const;
  /// "shared", "two_sided" or "two_sided + shared"; empty before `commit` has been called.
  std::string transport() const;
  /// Counts the completed barriers and reductions as exchanges, and the bytes that were sent and received for them.
  exchange_statistics statistics() const;

 private:
  bool reduce(std::span<const std::byte> in, std::span<std::byte> out, const plans::element_type& type,
              const plans::typed_reduction* how, double seconds);

  struct state;
  detail::owned<std::unique_ptr<state>> state_;
};

}  // namespace wherry
