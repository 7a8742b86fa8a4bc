/// @file
/// An array together with the account of how deep its ghosts are still clean, for `ghost_layers`.
///
///     wherry::layered_field pressure(mesh, std::vector<double>(elements), "pressure");  // owns the vector
///     wherry::layered_field density(mesh, values);                                      // refers to `values`
///     pressure.values()[0] = 1;
///     pressure.mark_written();
///     mesh.exchange_if_needed(2, pressure, density);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/halo/index_exchange.hpp"

namespace wherry {

class ghost_layers;

namespace detail {

struct layer_core;

/// An `index_field` without its name, so that it is cheap to copy.
struct erased_array {
  void* data = nullptr;
  index_t element = 1, stride = 1, count = 0;
  memory_space space = memory_space::host;
  plans::element_type type{};

  explicit erased_array(const index_field& named)
      : data(named.data),
        element(named.element),
        stride(named.stride),
        count(named.count),
        space(named.space),
        type(named.type) {}
};

/// The account of one field.
struct layer_marks {
  std::shared_ptr<const layer_core> layers{};
  std::string name{};
  int clean = 0;             ///< ghosts of layers 1 to `clean` have the owners' values
  std::uint64_t writes = 0;  ///< number of times that the field was marked as written
  std::uint64_t hash = 0;    ///< of the owned values that the clean ghosts have; 0: not known
};

template <class Array> inline constexpr bool owns_elements = false;
template <class T, class Memory> inline constexpr bool owns_elements<std::vector<T, Memory>> = true;

std::shared_ptr<layer_marks> make_marks(const ghost_layers& layers, std::string name);
/// @throws error(state) if the field was moved from
layer_marks& live(const std::shared_ptr<layer_marks>& marks);
/// Returns true if the hash of the owned values is wanted, as `add_to_hash` makes it, array by array.
bool mark_written(layer_marks& marks, int depth);
void add_to_hash(layer_marks& marks, const erased_array& array);

}  // namespace detail

/// A vector, span or view of elements with ghosts in layers, and the number of layers that are clean. A layer of ghosts
/// is clean as long as its ghosts have the values of their owners. The clean depth belongs to the values: if a field is
/// moved, swapped or copied, it goes along. So swap fields, not the vectors to which they refer. All functions are
/// local, but all ranks must call them alike, because they decide what is exchanged.
///
/// From a named vector, a field is made that refers to it (`layered_field<std::span<T>>`), so the vector must outlive
/// the field and must not be reallocated. From a temporary or moved vector, a field is made that owns it. A copy of a
/// field that owns its vector has values and an account of its own. A copy of a field that refers to an array is the
/// same field.
template <indexed_array Array> class layered_field {
 public:
  /// No layer is clean at first.
  /// @param layers the layers of the elements' ghosts; the field can be exchanged by them and their copies only
  /// @param values the array. It may be shorter than all layers need if the field is exchanged to a smaller depth only
  /// @param name a name of your choice for errors
  /// @throws error(state) if `layers` was moved from or abandoned
  layered_field(const ghost_layers& layers, Array values, std::string name = {})
      : values_(std::move(values)), marks_(detail::make_marks(layers, std::move(name))) {}
  layered_field(const layered_field& other) : values_(other.values_), marks_(other.marks_) {
    if (detail::owns_elements<Array>) marks_ = std::make_shared<detail::layer_marks>(detail::live(marks_));
  }
  layered_field& operator=(const layered_field& other) {
    if (this != &other) *this = layered_field(other);
    return *this;
  }
  layered_field(layered_field&&) noexcept = default;
  layered_field& operator=(layered_field&&) noexcept = default;
  ~layered_field() = default;

  /// The array. After you have written owned elements, call `mark_written`.
  Array& values() { return values_; }
  const Array& values() const { return values_; }

  /// Says that owned elements were written. Then no layer is clean, or only layers 1 to `depth`, if their ghosts were
  /// computed here to the same values as at their owners.
  /// @param depth 0 to the number of layers
  /// @throws error(argument) for another depth; error(state) if the field was moved from
  void mark_written(int depth = 0) {
    auto& marks = detail::live(marks_);
    if (detail::mark_written(marks, depth))
      detail::visit_indexed(
          values_, [&](const detail::index_field& one) { detail::add_to_hash(marks, detail::erased_array(one)); });
  }
  /// The number of layers whose ghosts have the values of their owners. @throws error(state) if the field was moved
  /// from
  int clean_depth() const { return detail::live(marks_).clean; }
  /// @throws error(state) if the field was moved from
  const std::string& name() const { return detail::live(marks_).name; }

 private:
  friend class ghost_layers;
  Array values_;
  std::shared_ptr<detail::layer_marks> marks_;  // shared with the exchange in flight
};

template <class T, class Memory>
layered_field(const ghost_layers&, std::vector<T, Memory>&) -> layered_field<std::span<T>>;
template <class T, class Memory>
layered_field(const ghost_layers&, std::vector<T, Memory>&, std::string) -> layered_field<std::span<T>>;

namespace detail {

template <class Field> inline constexpr bool is_layered = false;
template <class Array> inline constexpr bool is_layered<layered_field<Array>> = true;

}  // namespace detail

/// A `layered_field` of any array.
template <class Field>
concept any_layered_field = detail::is_layered<std::remove_cvref_t<Field>>;

namespace detail {

/// A field whose type is erased, as language bindings use it.
struct erased_field {
  const std::shared_ptr<layer_marks>* marks = nullptr;  ///< null: arrays without an account
  std::span<const index_field> arrays{};
};
/// Any number of such fields, which are one argument of `ghost_layers::start` and its like.
struct erased_fields {
  std::span<const erased_field> all;
};
template <class Field> inline constexpr bool is_erased = std::is_same_v<std::remove_cvref_t<Field>, erased_fields>;

}  // namespace detail

/// A type that `ghost_layers::exchange` takes: a field, or an array without an account.
template <class Field>
concept layered_array = any_layered_field<Field> || indexed_array<Field> || detail::is_erased<Field>;

}  // namespace wherry
