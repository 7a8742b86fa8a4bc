/// @file
/// The arrays of particles, and the arguments that say where a particle belongs: the arguments of `particle_exchange`
/// and of `ghost_particles`.
///
///     by_position(x, y, z)          // arrays of coordinates, which move, too
///     by_position(r)                // an array of triples
///     by_position(&particle::r)     // a member of the structures in the array that comes next
///     by_owner(ranks)               // the new owner of each particle, or a function of its index
///     by_cell(cells)                // the cell of each particle, or a function of its index
///     leavers(marked)               // only these particles may have left
///     ragged(lengths, values)       // particle i has lengths[i] values
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "wherry/geometry/point.hpp"
#include "wherry/particles/detail/particle_call.hpp"

namespace wherry {

namespace detail {

/// The number of coordinates in a T, and their type.
template <class T> struct coordinates_in {
  using unit = std::remove_cv_t<typename made_of<std::remove_cv_t<T>>::type>;
  static constexpr std::size_t count =
      std::is_same_v<unit, float> || std::is_same_v<unit, double> ? sizeof(T) / sizeof(unit) : 0;
  static_assert(count > 0, "a position consists of float or double; declare wherry::made_of for a type of yours");
};

/// Positions in one or several arrays.
template <std::size_t Dimensions, std::size_t Columns> struct positions_in_arrays {
  static constexpr std::size_t dimensions = Dimensions, columns = Columns;
  std::array<particle_column, Columns> arrays;
  std::array<coordinate_place, most_particle_dimensions> coordinates{};
  bool is_float = false;
};

/// Positions in the structures of the first array.
template <class... Access> struct positions_in_structures {
  std::tuple<Access...> access;
};

template <class Chooser> struct chosen_owners {
  const Chooser* chooser;
};
template <class Chooser> struct chosen_cells {
  const Chooser* chooser;
};

struct ragged_array {
  particle_column lengths, values;
};
struct member_array {
  particle_column column;
};

template <class T>
concept length_number = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class Structure, class Access> auto& part_of(Structure& whole, const Access& access) {
  if constexpr (std::is_member_object_pointer_v<Access>) {
    return whole.*access;
  } else {
    static_assert(std::is_lvalue_reference_v<std::invoke_result_t<const Access&, Structure&>>,
                  "the function returns a reference into the structure");
    return access(whole);
  }
}
/// Memory for a structure that is never constructed.
template <class Structure> union unmade {
  constexpr unmade() : nothing() {}
  std::byte nothing;
  Structure whole;
};
/// The bytes between a structure and a part of it.
template <class Structure, class Access> std::size_t offset_of(const Access& access) {
  static unmade<Structure> memory;  // an array may have no element
  const auto* const part = reinterpret_cast<const std::byte*>(std::addressof(part_of(memory.whole, access)));
  return static_cast<std::size_t>(part - reinterpret_cast<const std::byte*>(std::addressof(memory.whole)));
}

}  // namespace detail

/// Says that the positions are in these arrays, which move with the particles: one array for each dimension, or one
/// array whose elements are positions, such as a `std::vector<std::array<double, 3>>`. Coordinates are all `float` or
/// all `double`.
template <detail::particle_array... Arrays>
  requires(sizeof...(Arrays) > 0 && sizeof...(Arrays) <= detail::most_particle_dimensions)
auto by_position(Arrays&... arrays) {
  using first = std::tuple_element_t<0, std::tuple<Arrays...>>;
  using inside = detail::coordinates_in<typename first::value_type>;
  constexpr bool together = inside::count > 1;
  static_assert((std::is_same_v<typename first::value_type, typename Arrays::value_type> && ...),
                "the coordinates have one type");
  static_assert(!together || sizeof...(Arrays) == 1, "positions are in one array, or coordinates are in several");
  constexpr std::size_t dimensions = together ? inside::count : sizeof...(Arrays);
  static_assert(dimensions <= detail::most_particle_dimensions, "positions have 1, 2 or 3 dimensions");
  detail::positions_in_arrays<dimensions, sizeof...(Arrays)> result{{detail::column_of(arrays)...}, {}, false};
  for (std::size_t d = 0; d < dimensions; ++d)
    result.coordinates[d] =
        together ? detail::coordinate_place{0, d * sizeof(typename inside::unit)} : detail::coordinate_place{d, 0};
  result.is_float = std::is_same_v<typename inside::unit, float>;
  return result;
}

/// Says that the positions are in the structures of the array that is passed next. `access` is a pointer to the member
/// that has all coordinates, such as `&particle::r`, or one pointer for each coordinate; instead of a pointer, a
/// function may return a reference to the member.
template <class... Access>
  requires(sizeof...(Access) > 0 && sizeof...(Access) <= detail::most_particle_dimensions &&
           !(detail::particle_array<Access> || ...))
auto by_position(Access... access) {
  return detail::positions_in_structures<Access...>{{std::move(access)...}};
}

/// Says that particle i belongs to the rank `owners[i]`, or `owners(i)`. The list or function must live until the call
/// ends.
template <class Owners>
  requires(std::ranges::random_access_range<Owners> || std::invocable<const Owners&, std::size_t>)
auto by_owner(const Owners& owners) {
  return detail::chosen_owners<Owners>{&owners};
}
/// Says that particle i belongs to the owner of the cell `cells[i]`, or `cells(i)`, a `point<N>` or another array of N
/// integers. A cell beyond a periodic edge is the one that wraps around; positions are not corrected.
template <class Cells>
  requires(std::ranges::random_access_range<Cells> || std::invocable<const Cells&, std::size_t>)
auto by_cell(const Cells& cells) {
  return detail::chosen_cells<Cells>{&cells};
}

/// The particles that may have left, as the caller has marked them: a mask with an element of one byte for each
/// particle, which is not 0 where the particle may have left, or a list of indices of 4 or 8 bytes. No other particle
/// is looked at.
class leavers {
 public:
  template <std::ranges::contiguous_range Marks> explicit leavers(const Marks& marks) {
    using element = std::ranges::range_value_t<Marks>;
    static_assert(sizeof(element) == 1 || detail::length_number<element>,
                  "a mask has elements of one byte, and a list has integers of 4 or 8 bytes");
    marks_ = {std::ranges::data(marks), std::ranges::size(marks), sizeof(element), true};
  }
  /// For the library.
  const detail::particle_marks& marks() const { return marks_; }

 private:
  detail::particle_marks marks_;
};

/// Passes a varying number of values for each particle, such as its bonds: `lengths[i]` for particle i, one particle
/// after the other. Both arrays move with the particles.
template <detail::particle_array Lengths, detail::particle_array Values>
  requires detail::length_number<typename Lengths::value_type>
auto ragged(Lengths& lengths, Values& values) {
  return detail::ragged_array{detail::column_of(lengths, detail::column_role::lengths),
                              detail::column_of(values, detail::column_role::values)};
}

/// A member of the structures in an array, for `ghost_particles`: `member_of(particles, &particle::force)`.
template <detail::particle_array Array, class Structure, class Member>
auto member_of(Array& array, Member Structure::* member) {
  static_assert(std::is_same_v<typename Array::value_type, Structure> ||
                std::is_base_of_v<Structure, typename Array::value_type>);
  static_assert(travels_as_bytes<Member>);
  auto column = detail::column_of(array);
  column.type = plans::element_of<Member>();
  column.offset = detail::offset_of<typename Array::value_type>(member);
  column.length = sizeof(Member);
  return detail::member_array{column};
}

namespace detail {

template <class Column> inline constexpr std::size_t columns_in = 1;
template <> inline constexpr std::size_t columns_in<ragged_array> = 2;
template <class How> inline constexpr std::size_t columns_of_choice = 0;
template <std::size_t Dimensions, std::size_t Columns>
inline constexpr std::size_t columns_of_choice<positions_in_arrays<Dimensions, Columns>> = Columns;

template <class How> inline constexpr bool is_choice = false;
template <std::size_t Dimensions, std::size_t Columns>
inline constexpr bool is_choice<positions_in_arrays<Dimensions, Columns>> = true;
template <class... Access> inline constexpr bool is_choice<positions_in_structures<Access...>> = true;
template <class Chooser> inline constexpr bool is_choice<chosen_owners<Chooser>> = true;
template <class Chooser> inline constexpr bool is_choice<chosen_cells<Chooser>> = true;

/// An argument that says where particles belong.
template <class How>
concept particle_choice = is_choice<std::remove_cvref_t<How>>;
template <class How> inline constexpr bool has_positions = false;
template <std::size_t Dimensions, std::size_t Columns>
inline constexpr bool has_positions<positions_in_arrays<Dimensions, Columns>> = true;
template <class... Access> inline constexpr bool has_positions<positions_in_structures<Access...>> = true;
template <class How>
concept position_choice = has_positions<std::remove_cvref_t<How>>;
/// An argument that moves with the particles.
template <class Column>
concept moving_column =
    particle_array<std::remove_cvref_t<Column>> || std::same_as<std::remove_cvref_t<Column>, ragged_array>;
/// An argument whose elements have copies at ghosts.
template <class Column>
concept ghost_column =
    particle_array<std::remove_cvref_t<Column>> || std::same_as<std::remove_cvref_t<Column>, member_array>;

template <class Column> particle_column ghost_column_of(Column& column) {
  if constexpr (std::same_as<std::remove_cv_t<Column>, member_array>)
    return column.column;
  else
    return column_of(column);
}

template <class Chooser> auto chosen(const Chooser& chooser, std::size_t i) {
  if constexpr (std::invocable<const Chooser&, std::size_t>)
    return chooser(i);
  else
    return std::ranges::begin(chooser)[static_cast<std::ptrdiff_t>(i)];
}

/// The erased arguments of a call for positions of N dimensions.
template <int N, class How, class... Columns> class particle_arguments {
 public:
  particle_arguments(const How& how, std::remove_reference_t<Columns>&... columns) {
    if constexpr (columns_of_choice<How> > 0)
      for (const auto& one : how.arrays) columns_[count_++] = one;
    (append(columns), ...);
    call_.columns = columns_;
    describe(how, columns...);
  }
  particle_arguments(const particle_arguments&) = delete;  // the call refers to it
  particle_arguments& operator=(const particle_arguments&) = delete;

  particle_call& call() { return call_; }

 private:
  static constexpr auto dimensions = static_cast<std::size_t>(N);

  template <class Column> void append(Column& column) {
    if constexpr (std::same_as<std::remove_cv_t<Column>, ragged_array>) {
      columns_[count_++] = column.lengths;
      columns_[count_++] = column.values;
    } else if constexpr (std::same_as<std::remove_cv_t<Column>, member_array>) {
      columns_[count_++] = column.column;
    } else {
      columns_[count_++] = column_of(column);
    }
  }

  template <std::size_t Dimensions, std::size_t Count, class... Rest>
  void describe(const positions_in_arrays<Dimensions, Count>& how, Rest&...) {
    static_assert(Dimensions == dimensions, "the positions have another number of dimensions than the space");
    call_.dimensions = dimensions;
    call_.is_float = how.is_float;
    call_.coordinates = how.coordinates;
  }
  template <class... Access, class First, class... Rest>
  void describe(const positions_in_structures<Access...>& how, First&, Rest&...) {
    using structure = typename First::value_type;
    using part = std::remove_cvref_t<decltype(part_of(std::declval<structure&>(), std::get<0>(how.access)))>;
    using inside = coordinates_in<part>;
    constexpr bool together = inside::count > 1;
    static_assert(!together || sizeof...(Access) == 1, "a member has all coordinates, or each has one");
    static_assert((together ? inside::count : sizeof...(Access)) == dimensions,
                  "the positions have another number of dimensions than the space");
    call_.dimensions = dimensions;
    call_.is_float = std::is_same_v<typename inside::unit, float>;
    call_.is_together = together;
    const auto offsets =
        std::apply([](const auto&... access) { return std::array{offset_of<structure>(access)...}; }, how.access);
    for (std::size_t d = 0; d < dimensions; ++d)
      call_.coordinates[d] = {0,
                              together ? offsets[0] + d * sizeof(typename inside::unit) : offsets[d % offsets.size()]};
  }
  template <class Chooser, class... Rest> void describe(const chosen_owners<Chooser>& how, Rest&...) {
    set_choices(*how.chooser);
    call_.owner_of = [](const void* chooser, std::size_t i) {
      const auto owner = chosen(*static_cast<const Chooser*>(chooser), i);
      return std::in_range<int>(owner) ? static_cast<int>(owner) : -1;
    };
  }
  template <class Chooser, class... Rest> void describe(const chosen_cells<Chooser>& how, Rest&...) {
    set_choices(*how.chooser);
    call_.cell_of = [](const void* chooser, std::size_t i, index_t* cell) {
      const auto given = chosen(*static_cast<const Chooser*>(chooser), i);
      static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(given)>> == dimensions,
                    "the cells have another number of dimensions than the space");
      for (std::size_t d = 0; d < dimensions; ++d) cell[d] = static_cast<index_t>(given[d]);
    };
  }
  template <class Chooser> void set_choices(const Chooser& chooser) {
    call_.chooser = &chooser;
    if constexpr (!std::invocable<const Chooser&, std::size_t>) {
      call_.choices = static_cast<std::size_t>(std::ranges::size(chooser));
      call_.counts_choices = true;
    }
  }

  std::array<particle_column, columns_of_choice<How> + (columns_in<std::remove_cvref_t<Columns>> + ... + 0)> columns_;
  std::size_t count_ = 0;
  particle_call call_;
};

}  // namespace detail

}  // namespace wherry
