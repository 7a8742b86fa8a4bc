/// @file
/// Builders of motion plans: recipes that make one rank's entries when asked. Pure values; no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace wherry {

/// The entries of all ranks.
inline constexpr int every_rank = -1;

/// What a builder makes goes to this.
template <class Motion> struct motion_visitor {
  std::function<void(const Motion&)> take;
  /// About how many will come; need not be called.
  std::function<void(std::size_t)> expect = [](std::size_t) {};

  void operator()(const Motion& entry) const { take(entry); }
};

/// A motion plan that nobody has written down: a mover asks it for the entries of its own rank, one by one, and keeps
/// no list. What `halo_motion`, `redistribution` and the others give; becomes a list where one is wanted.
///
///     wherry::mover fill_ghosts(wherry::halo_motion(plan, widths, space), u, u);
///     wherry::motion_plan<3> all = wherry::halo_motion(plan, widths, space);
///
/// @tparam Plan `motion_plan<N>` or `index_motion_plan<Domain>`
template <class Plan> class motion_builder {
 public:
  using motion_type = typename Plan::motion_type;
  using visitor = motion_visitor<motion_type>;

  /// A builder of your own: `make(rank, visit)` calls `visit(entry)` for each entry that `rank` takes part in, or for
  /// all when it is `every_rank`; more are ignored. It may be called often, and later: capture values (floor plans are
  /// handles). Two ranks must make the same entries between them.
  explicit motion_builder(std::function<void(int rank, const visitor& visit)> make) : make_(std::move(make)) {}
  // No moves, so that none is ever without a recipe.
  motion_builder(const motion_builder&) = default;
  motion_builder& operator=(const motion_builder&) = default;

  /// The entries of a list that must outlive the builder.
  static motion_builder of(const Plan& list) {
    motion_builder result([&list](int, const visitor& visit) {
      visit.expect(list.size());
      for (const auto& entry : list) visit(entry);
    });
    result.list_ = &list;
    return result;
  }
  /// Says what all ranks must have given the recipe alike, as one word; asked for when a mover is bound, and compared.
  motion_builder& made_of(std::function<std::uint64_t()> word) {
    word_ = std::move(word);
    return *this;
  }
  /// 0: nothing is to be compared.
  std::uint64_t word() const { return word_ ? word_() : 0; }

  /// The list that `of` was given, else null.
  const Plan* list() const { return list_; }

  /// @throws error(argument) for what the recipe's arguments allow not.
  void for_each(int rank, const visitor& visit) const { make_(rank, visit); }

  /// The list of what `rank` takes part in.
  Plan plan(int rank = every_rank) const {
    Plan result;
    for_each(rank, {[&](const motion_type& entry) { result.add(entry); },
                    [&](std::size_t entries) { result.reserve(entries); }});
    return result;
  }
  operator Plan() const { return plan(); }

  /// Every entry changed by itself; the ranks that take part in it must stay the same.
  motion_builder transformed(std::function<motion_type(const motion_type&)> change) const {
    motion_builder result([make = make_, change = std::move(change)](int rank, const visitor& visit) {
      make(rank, {[&](const motion_type& entry) { visit(change(entry)); }, visit.expect});
    });
    result.word_ = word_;
    return result;
  }
  /// The entries that are `wanted`.
  motion_builder only(std::function<bool(const motion_type&)> wanted) const {
    motion_builder result([make = make_, wanted = std::move(wanted)](int rank, const visitor& visit) {
      make(rank, {[&](const motion_type& entry) {
             if (wanted(entry)) visit(entry);
           }});
    });
    result.word_ = word_;
    return result;
  }
  /// Every entry backwards: a halo update becomes the sum of halos into their owners, a redistribution its way back.
  motion_builder reversed() const {
    return transformed([](const motion_type& entry) { return entry.reversed(); });
  }

 private:
  std::function<void(int, const visitor&)> make_;
  std::function<std::uint64_t()> word_;
  const Plan* list_ = nullptr;
};

}  // namespace wherry
