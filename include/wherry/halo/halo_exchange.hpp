/// @file
/// Halo exchange: fills the halos of fields from the neighbouring ranks.
///
///     wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true, true}});
///     wherry::field<double, 3> u(grid.comm(), {nx, ny, nz}, 1);
///     wherry::halo_exchange exchange(grid, u);
///     exchange();                                  // or exchange.start(); …; exchange.wait();
///
/// For unstructured meshes use `index_exchange`, for buffers that the program packs itself `buffer_exchange`, and for
/// x-arrays `ghost_filler` (blocks/ghost_filler.hpp).
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
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

/// A box of a field's cells that is sent when it is ready. Its indices count from the first core cell.
struct halo_part {
  std::array<index_t, max_halo_dimensions> lower{}, upper{};
  int dimensions = 0;
  int subdomain = 0;  ///< with a floor plan, the index of the box among the rank's boxes

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

/// Options of a halo exchange. All but `parts`, `carry.team` and `carry.name` must be the same on all ranks.
struct halo_options {
  /// For each data dimension, the grid dimension along which it is cut; -1 if it is not cut. Empty: data dimension i is
  /// cut along grid dimension i. (GCL: `layout_map<1,2,0>`.)
  std::vector<int> axes{};
  /// The directions of the neighbours that the halo is filled from.
  stencil_shape stencil{};
  /// The stages in which the halo is filled (`halo_order`, motion/motions.hpp): all directions at once, one dimension
  /// after the other, or as Wherry decides.
  halo_order order = halo_order::automatic;
  /// Reverses the exchange: halo cells travel to the cells that they are copies of. If a cell has several copies, an
  /// `update` must combine them; the usual sum at the owner is `{.reverse = true, .update = std::plus<>{}}`. `reverse`
  /// and `update` imply the order `direct`.
  bool reverse = false;
  /// Combines arriving elements with those at the destination instead of storing them, such as `std::plus<>{}`,
  /// `maximum{}`, or a function of two elements (plan/reduction.hpp).
  std::optional<reduction> update{};
  /// Combines all copies of each value and gives every copy the result, with the same bits on all ranks. For example,
  /// each rank adds the forces of its own cells up at its nodes, and `{.combine_copies = std::plus<>{}}` adds the
  /// contributions of the ranks that share a node. Halo cells are copies, too; those that should not contribute must be
  /// 0, or be left out by `halo_view::narrowed`. Excludes `reverse`, `update`, `parts` and `carry.snapshot`.
  std::optional<reduction> combine_copies{};
  /// Boxes that `start_in_parts` sends one by one, each when `ready` is called for it. Cells in no part are always
  /// ready. A message leaves when all parts with cells in it are ready. Cut the box into slabs along the dimension that
  /// is divided among ranks: then the first and the last slab leave early, whichever thread computes them.
  std::vector<halo_part> parts{};
  carry_options carry{};  ///< the transport, and other things that change how data travels, but not where to
};

/// A type that can be exchanged: a `field` or a `halo_view`.
template <class Field>
concept has_halo = requires(Field& f) {
  { halo_of(f) } -> std::same_as<halo_field>;
};

namespace detail {

/// A container that a user may pass instead of a field by mistake.
template <class T>
concept container_without_halo = !has_halo<std::remove_reference_t<T>> &&
                                 !std::same_as<std::remove_cvref_t<T>, std::vector<halo_field>> && requires(T& x) {
                                   x.data();
                                   x.size();
                                 };

/// The shapes of the fields that an exchange was made for.
class bound_halos {
 public:
  /// The shape of a pointer, which equals every shape.
  static constexpr std::uint64_t any_shape = 0;

  explicit bound_halos(std::vector<halo_field> fields);

  /// True if all given shapes are those that were bound. The number of fields is checked elsewhere.
  bool fit(std::span<const std::uint64_t> given) const {
    bool all = true;
    for (std::size_t i = 0; i < given.size() && i < words_.size(); ++i)
      all = all && (given[i] == words_[i] || given[i] == any_shape);
    return all;
  }
  /// Compares fields that do not fit in detail.
  /// @throws error(argument) that names the first field that differs, and both figures.
  void compare(std::span<const halo_field> fields, std::span<const std::uint64_t> given, int rank) const;

 private:
  std::vector<std::uint64_t> words_;
  std::vector<halo_field> fields_;
};

}  // namespace detail

/// An exchange that fills the halos of one or more fields. The fields may differ in type, layout, width and size and
/// travel in one message to each neighbour. The constructor plans and binds everything; starting and waiting then
/// allocate nothing. A halo may be wider than the next rank's core, or than the whole domain: it is filled from all
/// ranks that own its cells, and along a periodic dimension the values repeat. The exchange does not touch halos beyond
/// the edge of a mesh. The fields must outlive the exchange in flight. Movable.
class halo_exchange : public bound_pattern {
 public:
  /// Collective over the grid's communicator. Every rank passes its part of the same fields in the same order. Ranks
  /// outside the grid pass empty fields, and a rank for which no cells are left may pass an extent of 0 in every
  /// dimension.
  /// @param fields each a `field` or a `halo_view`, not of const elements
  /// @throws error(argument) or error(mismatch) on all ranks alike, before anything is sent, for arguments that are
  ///         wrong or differ between ranks.
  template <has_halo... Fields>
    requires(sizeof...(Fields) > 0)
  halo_exchange(const process_grid& grid, Fields&&... fields)
      : halo_exchange(grid, halo_options{}, std::vector<halo_field>{halo_of(fields)...}) {}
  template <has_halo... Fields>
    requires(sizeof...(Fields) > 0)
  halo_exchange(const process_grid& grid, const halo_options& options, Fields&&... fields)
      : halo_exchange(grid, options, std::vector<halo_field>{halo_of(fields)...}) {}
  /// The constructor for fields with erased types, as language bindings use it.
  halo_exchange(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields);
  /// Not callable: explains to the user why a container is not enough.
  template <class... Fields>
    requires(detail::container_without_halo<Fields> || ...)
  halo_exchange(const process_grid& grid, Fields&&...)
      : halo_exchange(grid, halo_options{}, std::vector<halo_field>{}) {
    static_assert(
        sizeof...(Fields) == 0,
        "a container says neither its extents nor what of it is halo: wherry::halo_around(x, {nx, ny}, width), "
        "or a wherry::field, which has them");
  }

  /// Exchanges fields over any floor plan of 1 to 4 dimensions, which may be irregular or partial and may give a rank
  /// several boxes. Collective over `comm`; @throws as the constructor for a process grid.
  /// @param options `axes` is not used
  /// @param fields `fields[b][f]` is field f on the rank's b-th box, in ascending order of the boxes' numbers. Fields
  ///        with values on planes need `order` automatic or direct, and a partial plan must have been resolved for
  ///        `reach_of(widths, centring)`.
  template <int N>
  halo_exchange(const communicator& comm, const floor_plan<N>& plan, const domain<N>& space,
                const halo_options& options, std::vector<std::vector<halo_field>> fields);

  /// The depth that stands for the whole halo.
  static constexpr index_t whole_depth = std::numeric_limits<index_t>::max();
  /// The exchange of some of the fields, and of at most `depth` layers of their halos, for codes that fill different
  /// fields at different points of a step:
  ///     enum { density, energy, velocity };
  ///     wherry::halo_exchange update(grid, rho, e, u);
  ///     update.only({density, energy}, 2)();  // two layers of two fields
  /// The exchange is bound when it is first asked for, and kept. It takes its fields in the order of the constructor.
  /// Collective on first use, local afterwards (with WHERRY_CHECK=1 always collective).
  /// @param fields indices into the constructor's list of at most 64 fields, in any order
  /// @throws error(argument) on this rank for an index out of range, a field named twice, no fields, or a negative
  ///         depth; error(mismatch) on all ranks if they ask for different exchanges. Without WHERRY_CHECK=1, a rank
  ///         that has bound its exchange before takes no part in this comparison and waits for the other ranks as in
  ///         any exchange.
  halo_exchange& only(std::initializer_list<int> fields, index_t depth = whole_depth);
  halo_exchange& only(std::span<const int> fields, index_t depth = whole_depth);

  using bound_pattern::start;
  /// Starts with other memory of the same shape, such as the second of two buffers. Costs no more than `start()`.
  /// @param fields each a field, a `halo_view`, or a pointer to the first element of the array; the library cannot
  ///        check the shape behind a pointer
  /// @throws error(argument) on this rank, before anything moves, for a field of another shape, element type or memory
  ///         space.
  template <class... Fields>
    requires(sizeof...(Fields) > 0)
  void start(Fields&&... fields) {
    exchange_.start(table_of(fields...));
  }
  /// Starts, but sends the cells of each of `halo_options::parts` only after `ready(part)` has been called, so that
  /// threads send finished parts while they compute the others:
  ///     exchange.start_in_parts(next);
  ///     #pragma omp parallel for
  ///     for (int p = 0; p < parts; ++p) { compute(p); exchange.ready(p); }
  ///     exchange.wait();
  /// From the start on, the exchange may write the halos, and the last plane of a core with values on planes if a rank
  /// above shares that plane. The computation must neither read nor write these cells. See `exchange::ready`.
  /// @throws error(state) on this rank if there are no parts; error(argument) as `start`.
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
  /// The addresses of the fields, whose shapes must be those that were bound.
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

  struct subsets;
  halo_exchange(exchange bound, std::vector<halo_field> fields, std::shared_ptr<subsets> parts)
      : bound_pattern(std::move(bound)), shapes_(std::move(fields)), subsets_(std::move(parts)) {}

  detail::bound_halos shapes_;
  std::shared_ptr<subsets> subsets_;  // null in an exchange that is itself one of some fields
};

}  // namespace wherry
