/// @file
/// Motion builders: functions that make the entries of a motion plan for one rank when a mover asks for them, so that
/// no rank stores the whole list.
///
///     wherry::mover fill_ghosts(wherry::halo_motion(plan, widths, space), u, u);     // no list is made
///     wherry::motion_plan<3> all = wherry::halo_motion(plan, widths, space);         // the list of all ranks' entries
///     auto mine = wherry::halo_motion(plan, widths, space).plan(comm.rank());        // the list of one rank's entries
///
/// Builders are local values and make no MPI call. The ready-made ones are in motions.hpp and index_motions.hpp. For a
/// motion that is easier to list than to compute, use `motion_plan`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace wherry::plans {

/// Stands for all ranks where a builder is asked for one rank's entries.
inline constexpr int every_rank = -1;

/// Receives the entries that a builder makes.
template <class Motion> struct motion_visitor {
  /// Called with each entry.
  std::function<void(const Motion&)> take;
  /// Called with an estimate of the number of entries before the first one. A builder may leave this call out.
  std::function<void(std::size_t)> expect = [](std::size_t) {};

  void operator()(const Motion& entry) const { take(entry); }
};

/// A motion plan in the form of a function. A mover asks the builder for the entries of its own rank, one by one. A
/// builder converts to a list where a list is needed. `halo_motion`, `redistribution` and similar functions return
/// builders.
/// @tparam Plan `motion_plan<N>` or `index_motion_plan<Domain>`
template <class Plan> class motion_builder {
 public:
  using motion_type = typename Plan::motion_type;
  using visitor = motion_visitor<motion_type>;

  /// Makes a builder from a function: `make(rank, visit)` calls `visit(entry)` for each entry that `rank` takes part
  /// in, or for all entries if `rank` is `every_rank`. Further entries are ignored. `make` may be called later and
  /// several times, so it must capture by value (copies of floor plans are cheap). Two ranks must make the same entries
  /// between them.
  explicit motion_builder(std::function<void(int rank, const visitor& visit)> make) : make_(std::move(make)) {}
  // Not movable, so that every builder has a function.
  motion_builder(const motion_builder&) = default;
  motion_builder& operator=(const motion_builder&) = default;

  /// A builder of the entries of a list. Refers to the list, which must outlive the builder.
  static motion_builder of(const Plan& list) {
    motion_builder result([&list](int, const visitor& visit) {
      visit.expect(list.size());
      for (const auto& entry : list) visit(entry);
    });
    result.list_ = &list;
    return result;
  }
  /// Sets a function that returns a hash of the arguments that must be the same on all ranks. Ranks compare the hashes
  /// when a mover is bound.
  motion_builder& made_of(std::function<std::uint64_t()> word) {
    word_ = std::move(word);
    return *this;
  }
  /// The hash that ranks compare; 0 if there is nothing to compare.
  std::uint64_t word() const { return word_ ? word_() : 0; }

  /// The list that `of` was given, or null.
  const Plan* list() const { return list_; }

  /// Visits the entries that `rank` takes part in, or all entries for `every_rank`.
  /// @throws error(argument) if the builder's arguments do not allow it, for example if a partial floor plan knows too
  ///         little.
  void for_each(int rank, const visitor& visit) const { make_(rank, visit); }

  /// The list of the entries that `rank` takes part in. @throws as `for_each`.
  Plan plan(int rank = every_rank) const {
    Plan result;
    for_each(rank, {[&](const motion_type& entry) { result.add(entry); },
                    [&](std::size_t entries) { result.reserve(entries); }});
    return result;
  }
  operator Plan() const { return plan(); }

  /// A builder in which each entry is replaced by `change(entry)`. The ranks that take part in an entry must stay the
  /// same.
  motion_builder transformed(std::function<motion_type(const motion_type&)> change) const {
    motion_builder result([make = make_, change = std::move(change)](int rank, const visitor& visit) {
      make(rank, {[&](const motion_type& entry) { visit(change(entry)); }, visit.expect});
    });
    result.word_ = word_;
    return result;
  }
  /// A builder of the entries for which `wanted(entry)` is true.
  motion_builder only(std::function<bool(const motion_type&)> wanted) const {
    motion_builder result([make = make_, wanted = std::move(wanted)](int rank, const visitor& visit) {
      make(rank, {[&](const motion_type& entry) {
             if (wanted(entry)) visit(entry);
           }});
    });
    result.word_ = word_;
    return result;
  }
  /// A builder of the reversed entries. A reversed halo motion moves ghost cells to the cells that they copy (with an
  /// update, it adds them up); a reversed redistribution moves the data back.
  motion_builder reversed() const {
    return transformed([](const motion_type& entry) { return entry.reversed(); });
  }

 private:
  std::function<void(int, const visitor&)> make_;
  std::function<std::uint64_t()> word_;
  const Plan* list_ = nullptr;
};

}  // namespace wherry::plans
