/// @file
/// Index arrays: a distributed array with values at the points of the parts of an index floor plan, such as the nodes
/// of a finite-element mesh.
///
///     wherry::index_array<double> u(comm, touched, {.name = "u"});
///     for (const auto& [number, nodes, values] : u.parts())
///       for (index_t i = 0; i < nodes.size(); ++i) values(i) = f(nodes[i]);
///
/// Movers move values between index arrays; a program that makes one includes index_mover.hpp, or blocks.hpp, which
/// includes all. For boxes use `x_array` (x_array.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/core/owned.hpp"
#include "wherry/core/plain_algorithms.hpp"
#include "wherry/core/thread_team.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/device/field_memory.hpp"
#include "wherry/motion/index_floor_plan.hpp"
#include "wherry/motion/index_shape.hpp"
#include "wherry/motion/read_only_parts.hpp"

namespace wherry {

/// Options of an index array. All but `team` must be the same on all ranks.
struct index_array_options {
  int components = 1;
  /// True: the components of a point are adjacent in memory. False: each component is an array of its own.
  bool interleaved = true;
  std::string name{};
  /// The threads that will work on the values. This rank's values, in the order of its parts, are divided among the
  /// threads, and each thread's pages are placed near its core. May differ between ranks.
  thread_team team{};
  /// Where the values are. With `device` they are in the memory of the device in use (wherry/device/device.hpp), and
  /// the host may not touch them.
  memory_space space = memory_space::node_shared;
  detail::run_time_element element{};  ///< only of an `index_array<std::byte, Domain>`
};

namespace detail {

/// A view of the values of one part, addressed by place: the domain's numbering of its points from 0.
template <class T> class index_values {
 public:
  index_values() = default;
  /// @param unit the number of `T` in an element, of which only bytes whose meaning is known at run time have several
  index_values(T* data, index_t points, int components = 1, bool interleaved = true, index_t unit = 1)
      : data_(data),
        points_(points),
        unit_(unit),
        components_(components),
        point_stride_(unit * (interleaved ? components : 1)),
        component_stride_(unit * (interleaved ? 1 : points)) {}

  operator index_values<const T>() const
    requires(!std::is_const_v<T>)
  {
    const bool interleaved = component_stride_ == unit_;  // for a single point both orders are the same
    return {data_, points_, components_, interleaved, unit_};
  }

  /// The value at a place, for example `values(domain.place_of(node))`. Not checked.
  T& operator()(index_t place, int component = 0) const {
    return data_[place * point_stride_ + component * component_stride_];
  }
  T* data() const { return data_; }
  index_t points() const { return points_; }
  int components() const { return components_; }
  /// All values, components included.
  std::span<T> all() const { return {data_, static_cast<std::size_t>(points_ * components_ * unit_)}; }
  index_t point_stride() const { return point_stride_; }
  index_t component_stride() const { return component_stride_; }

 private:
  T* data_ = nullptr;
  index_t points_ = 0, unit_ = 1;
  int components_ = 1;
  index_t point_stride_ = 1, component_stride_ = 0;
};

/// One part that lives on this rank.
template <class T, index_domain Domain> struct local_part {
  int number;            ///< the part's number in the floor plan
  const Domain& points;  ///< refers to the array's floor plan
  index_values<T> values;
};

}  // namespace detail

/// A distributed array with one set of values for each part of an index floor plan. The values of a part are on its
/// owner only; a rank may own any number of parts. The values are in node-shared memory, on a device, or in memory of
/// the user. An index array is movable, not copyable. A const one is read-only: it may be a mover's source but not its
/// destination.
template <class T, index_domain Domain> class index_array {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  using element_type = T;
  using local_part = detail::local_part<T, Domain>;

  /// Allocates the values of this rank's parts, filled with zeros. Local; all ranks pass the same options and the same
  /// floor plan, which may be partial.
  /// @throws error(argument) for an owner beyond the communicator or fewer than 1 component; error(resource) if the
  ///         memory is exhausted.
  index_array(const communicator& comm, const index_floor_plan<Domain>& plan, const index_array_options& options = {});

  /// Uses the user's memory, which must outlive the array. Local.
  /// @param values one span for each part of this rank, in the order of `plan.owned_by(rank)`, with components × points
  ///        values
  /// @throws error(argument) as the other constructor, for another number of spans or values, and for spans in
  ///         different memory spaces.
  index_array(const communicator& comm, const index_floor_plan<Domain>& plan, std::span<const std::span<T>> values,
              const index_array_options& options = {});

  /// Every later call for the array that is moved from throws error(state).
  index_array(index_array&&) noexcept = default;
  index_array& operator=(index_array&&) noexcept = default;

  /// The parts of this rank, ascending by number.
  std::span<const local_part> parts() { return live().parts_; }
  detail::read_only_parts<local_part, detail::local_part<const T, Domain>> parts() const {
    return detail::read_only_parts<local_part, detail::local_part<const T, Domain>>(live().parts_);
  }

  bool owns(int number) const { return shape().find(number) != nullptr; }
  /// The values of a part of this rank. @throws error(argument) if the part is on another rank.
  const detail::index_values<T>& operator[](int number) { return find(number); }
  detail::index_values<const T> operator[](int number) const { return find(number); }

  const index_floor_plan<Domain>& plan() const { return *live().plan_; }
  const communicator& comm() const { return live().comm_; }
  /// The array's shape without its element type, for movers.
  const detail::index_array_shape& shape() const { return live().shape_; }
  /// The pieces of memory that hold the values: one if the array allocated them, one for each part if the user did.
  std::span<void* const> memory() const { return detail::list_of(live().pointers_); }

 private:
  const index_array& live() const {
    if (plan_ == nullptr) detail::throw_moved_from("index_array");
    return *this;
  }
  const detail::index_values<T>& find(int number) const;
  index_t unit() const { return shape_.element / static_cast<index_t>(sizeof(T)); }
  void lay_out(const index_array_options& options);
  /// Fills `parts_` and the fingerprint once all parts have their places.
  void finish();

  communicator comm_;
  std::shared_ptr<const index_floor_plan<Domain>> plan_;
  detail::index_array_shape shape_;
  node_memory memory_;
  std::vector<void*> pointers_;
  std::vector<local_part> parts_;
};

}  // namespace wherry

template <class T, wherry::index_domain Domain>
wherry::index_array<T, Domain>::index_array(const communicator& comm, const index_floor_plan<Domain>& plan,
                                            const index_array_options& options)
    : comm_(comm), plan_(std::make_shared<const index_floor_plan<Domain>>(plan)) {
  lay_out(options);
  detail::place_parts(shape_);
  memory_ = detail::field_memory(comm, static_cast<std::size_t>(detail::most<index_t>(1, shape_.bytes.front())),
                                 options.space, options.team);
  shape_.space = memory_.space();
  pointers_ = {memory_.data()};
  finish();
}

template <class T, wherry::index_domain Domain>
wherry::index_array<T, Domain>::index_array(const communicator& comm, const index_floor_plan<Domain>& plan,
                                            std::span<const std::span<T>> values, const index_array_options& options)
    : comm_(comm), plan_(std::make_shared<const index_floor_plan<Domain>>(plan)) {
  lay_out(options);
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, "index_array", what, comm.rank()); };
  const detail::checked values_of{"index_array", "number of values", comm.rank()};
  const detail::checked bytes_of{"index_array", "number of bytes", comm.rank()};
  if (values.size() != shape_.parts.size())
    fail(detail::text(values.size(), " lists of values were given, but the rank owns ", shape_.parts.size(), " parts"));
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& part = shape_.parts[i];
    const index_t wanted = values_of.product(values_of.product(part.points, index_t{options.components}), unit());
    if (std::ssize(values[i]) != wanted)
      fail(detail::text("part ", part.number, " was given ", values[i].size(), " values, expected ", wanted));
    part.field = static_cast<int>(i);
    shape_.bytes.push_back(bytes_of.product(wanted, static_cast<index_t>(sizeof(T))));
    static std::remove_const_t<T> nowhere;  // an exchange needs an address even for a part without values
    pointers_.push_back(wanted == 0 ? std::addressof(nowhere) : const_cast<std::remove_const_t<T>*>(values[i].data()));
    if (wanted == 0) continue;
    const auto space =
        detail::space_of(values[i].data(), options.space == memory_space::device ? options.space : memory_space::host);
    if (any && space != shape_.space)
      fail(detail::text("part ", part.number, " is in memory of the ", to_string(space),
                        ", but the parts before it are in memory of the ", to_string(shape_.space)));
    shape_.space = space;
    any = true;
  }
  finish();
}

template <class T, wherry::index_domain Domain>
void wherry::index_array<T, Domain>::lay_out(const index_array_options& options) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "index_array", what, comm_.rank());
  };
  for (int place = 0; place < plan_->known(); ++place)
    if (const int owner = plan_->owners()[static_cast<std::size_t>(place)]; owner >= comm_.size())
      fail(detail::text("part ", plan_->number_of(place), " has owner ", owner, " of a communicator of ", comm_.size(),
                        " ranks"));
  if (options.components < 1) fail(detail::text("'components' is ", options.components, ", expected 1 or more"));
  shape_.element = static_cast<index_t>(sizeof(T));
  shape_.type = plans::element_of<T>();
  if constexpr (std::is_same_v<std::remove_const_t<T>, std::byte>)
    if (options.element.bytes > 0) {
      shape_.element = options.element.bytes;
      shape_.type = options.element.type;
    }
  shape_.components = options.components;
  shape_.interleaved = options.interleaved || options.components == 1;
  shape_.stride = shape_.interleaved ? options.components * shape_.element : shape_.element;
  shape_.name = options.name;
  for (const int number : plan_->owned_by(comm_.rank()))
    shape_.parts.push_back({number, 0, 0, static_cast<index_t>((*plan_)[number].size())});
}

template <class T, wherry::index_domain Domain> void wherry::index_array<T, Domain>::finish() {
  shape_hash covers;
  for (const auto& part : shape_.parts) {
    for (const auto& b : (*plan_)[part.number].cover())
      for (const auto& corner : {b.lower, b.upper})
        for (const index_t x : corner) covers.add(x);
    auto* first = static_cast<std::byte*>(pointers_[static_cast<std::size_t>(part.field)]) + part.offset;
    parts_.push_back({part.number,
                      (*plan_)[part.number],
                      {reinterpret_cast<T*>(first), part.points, shape_.components, shape_.interleaved, unit()}});
  }
  shape_.fingerprint = fingerprint_of(shape_, covers.value());
}

template <class T, wherry::index_domain Domain>
const wherry::detail::index_values<T>& wherry::index_array<T, Domain>::find(int number) const {
  const auto* placed = shape().find(number);
  if (placed == nullptr)
    throw error(error_kind::argument, "index_array", detail::text("part ", number, " is not on this rank"),
                comm_.rank());
  return parts_[static_cast<std::size_t>(placed - shape_.parts.data())].values;
}
