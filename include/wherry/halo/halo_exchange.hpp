/// @file
/// Halo exchange: the front door of the halo module.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/halo/field.hpp"
#include "wherry/halo/process_grid.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/transport/bound_pattern.hpp"

namespace wherry {

/// A box of a field's cells, counted from its first core cell, that becomes ready by itself.
struct halo_part {
  std::array<index_t, max_halo_dimensions> lower{}, upper{};
  int dimensions = 0;
  int subdomain = 0;  ///< of the rank's boxes in a floor plan

  halo_part() = default;
  template <int N>
  halo_part(const box<N>& cells, int of_subdomain = 0)  // NOLINT: a box is a part
      : dimensions(N), subdomain(of_subdomain) {
    for (std::size_t d = 0; d < N; ++d) {
      lower[d] = cells.lower[d];
      upper[d] = cells.upper[d];
    }
  }
};

/// What can be said of a halo exchange beyond its fields. Must be the same on all ranks, but for `parts`.
struct halo_options {
  /// Which grid dimension each data dimension is cut along; empty: the same (paper 1: `layout_map<1,2,0>`).
  std::vector<int> axes{};
  stencil_shape stencil{};
  halo_order order = halo_order::automatic;
  /// The other way round: halo cells travel back to the cells that they are copies of. Where a cell has several copies
  /// an `update` must combine them. This and `update` imply the order `direct`.
  bool reverse = false;
  /// With `reverse` and `update`: what has become of all copies of a value then goes out to them again, the same bits
  /// everywhere. See `combine_copies`.
  bool and_back = false;
  /// Combine what arrives with what is there instead of storing it: `add<double>()`, or a function of your own.
  std::optional<reduction> update{};
  /// Boxes of all fields that become ready one after the other, by `start_in_parts` and `ready`; what no part has is
  /// always ready. A message leaves with the last part that it has cells of: slabs along the dimension that is cut let
  /// the outer ones leave first.
  std::vector<halo_part> parts{};
  carry_options carry{};
};

/// Everybody who has a value gets what all copies of it come to. With nodes that ranks share, forces or masses that
/// each has added up over its own cells:
///
///     wherry::halo_exchange add_up(grid, wherry::combine_copies(wherry::add<double>()), force_x, force_y, mass);
///
/// Halo cells are copies, too: of what should not count the halo must be 0, or `narrowed`.
inline halo_options combine_copies(const reduction& how) { return {.reverse = true, .and_back = true, .update = how}; }

/// A `field` or a `halo_view`.
template <class Field>
concept has_halo = requires(Field& f) {
  { halo_of(f) } -> std::same_as<halo_field>;
};

namespace detail {

/// What users may take for a field.
template <class T>
concept container_without_halo = !has_halo<std::remove_reference_t<T>> &&
                                 !std::same_as<std::remove_cvref_t<T>, std::vector<halo_field>> && requires(T& x) {
                                   x.data();
                                   x.size();
                                 };

/// The shapes of the fields that an exchange was made for.
class bound_halos {
 public:
  /// A pointer's: fits all.
  static constexpr std::uint64_t any_shape = 0;

  explicit bound_halos(std::vector<halo_field> fields);

  /// One comparison a field. Another number of fields is not its business.
  bool fit(std::span<const std::uint64_t> given) const {
    bool all = true;
    for (std::size_t i = 0; i < given.size() && i < words_.size(); ++i)
      all = all && (given[i] == words_[i] || given[i] == any_shape);
    return all;
  }
  /// For those that do not: figure by figure, `fields` being the same with all of them.
  /// @throws error(argument) that names the first one that differs, and its figures.
  void compare(std::span<const halo_field> fields, std::span<const std::uint64_t> given, int rank) const;

 private:
  std::vector<std::uint64_t> words_;
  std::vector<halo_field> fields_;
};

}  // namespace detail

/// Fills the halos of fields from the neighbouring ranks. Everything is bound at construction; an exchange then
/// allocates nothing. Fields may differ in type, layout, width and size. Movable.
///
///     wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true, true}});
///     wherry::field<double, 3> u(grid.comm(), {nx, ny, nz}, 1);
///     wherry::halo_exchange exchange(grid, u);
///     exchange();                                  // or exchange.start(); …; exchange.wait();
class halo_exchange : public bound_pattern {
 public:
  /// Collective over the grid's communicator; every rank passes its part of the same fields in the same order.
  /// Each argument is a `field` or a `halo_view`, not a const one. Ranks outside the grid pass empty fields.
  /// @throws error on all ranks alike, before anything is sent, for wrong or disagreeing arguments.
  template <has_halo... Fields>
    requires(sizeof...(Fields) > 0)
  halo_exchange(const process_grid& grid, Fields&&... fields)
      : halo_exchange(grid, halo_options{}, std::vector<halo_field>{halo_of(fields)...}) {}
  template <has_halo... Fields>
    requires(sizeof...(Fields) > 0)
  halo_exchange(const process_grid& grid, const halo_options& options, Fields&&... fields)
      : halo_exchange(grid, options, std::vector<halo_field>{halo_of(fields)...}) {}
  /// The same with types erased. The ranks tell each other their sizes.
  halo_exchange(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields);
  /// For the error that it is.
  template <class... Fields>
    requires(detail::container_without_halo<Fields> || ...)
  halo_exchange(const process_grid& grid, Fields&&...)
      : halo_exchange(grid, halo_options{}, std::vector<halo_field>{}) {
    static_assert(
        sizeof...(Fields) == 0,
        "a container says neither its extents nor what of it is halo: wherry::halo_around(x, {nx, ny}, width), "
        "or a wherry::field, which has them");
  }

  /// Any floor plan, irregular, distributed, several boxes a rank: `fields[b][f]` is field f on the rank's b-th box, in
  /// ascending order of the boxes' numbers. `options.axes` is not used: the plan says it all. For 1 to 4 dimensions.
  /// Fields on planes are filled in one stage (`order` automatic or direct), and want a partial plan that knows what is
  /// within `reach_of(widths, centring)`.
  template <int N>
  halo_exchange(const communicator& comm, const floor_plan<N>& plan, const domain<N>& space,
                const halo_options& options, std::vector<std::vector<halo_field>> fields);

  using bound_pattern::start;
  /// Starts with other memory of the same shape: double buffers, arrays on the stack. Costs nothing more than
  /// `start()`. Each argument is a field, a `halo_view`, or a pointer to the element whose indices are all 0; of a
  /// pointer's shape you are the judge.
  /// @throws error(argument) on this rank, before anything moves, for a field of another shape, element or memory
  /// space.
  template <class... Fields>
    requires(sizeof...(Fields) > 0)
  void start(Fields&&... fields) {
    exchange_.start(table_of(fields...));
  }
  /// Begins; but what `halo_options::parts` have leaves only when `ready(part)` says that it is computed. So threads
  /// send what is done while they compute the rest:
  ///     exchange.start_in_parts(next);
  ///     #pragma omp parallel for
  ///     for (int p = 0; p < parts; ++p) { compute(p); exchange.ready(p); }
  ///     exchange.wait();
  /// Halos may be written from the start on, and so may the last plane of a core on planes that a rank above has too:
  /// what is computed must not read or write them. `exchange::ready` says more.
  using bound_pattern::start_in_parts;
  template <class... Fields>
    requires(sizeof...(Fields) > 0)
  void start_in_parts(Fields&&... fields) {
    exchange_.start_in_parts(table_of(fields...));
  }

  using bound_pattern::operator();
  template <class... Fields>
    requires(sizeof...(Fields) > 0)
  void operator()(Fields&&... fields) {
    start(fields...);
    wait();
  }

 private:
  /// Their addresses, if their shapes are those that were bound.
  template <class... Fields> std::array<void*, sizeof...(Fields)> table_of(Fields&... fields) const {
    const std::array<std::uint64_t, sizeof...(Fields)> given{shape(fields)...};
    if (!shapes_.fit(given))
      shapes_.compare(std::array<halo_field, sizeof...(Fields)>{erased(fields)...}, given, exchange_.comm().rank());
    return {address(fields)...};
  }
  template <class T> static void* address(T* pointer) {
    static_assert(!std::is_const_v<T>, "a const field is read-only: its halo cannot be filled");
    return pointer;
  }
  template <class Field>
    requires requires(Field& f) { f.data(); }
  static void* address(Field& field) {
    return address(field.data());
  }
  template <class T> static std::uint64_t shape(T*) { return detail::bound_halos::any_shape; }
  template <class Field>
    requires requires(Field& f) { f.fingerprint(); }
  static std::uint64_t shape(Field& field) {
    return field.fingerprint();
  }
  template <class T> static halo_field erased(T*) { return {}; }
  template <has_halo Field> static halo_field erased(Field& field) { return halo_of(field); }

  detail::bound_halos shapes_;
};

}  // namespace wherry
