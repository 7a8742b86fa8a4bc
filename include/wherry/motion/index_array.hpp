/// @file
/// Arrays over index domains: values at the points of the parts of an index floor plan.
#pragma once

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

/// The same on all ranks, but for `team`.
struct index_array_options {
  int components = 1;
  /// The components of a point stand together; false: one component after the other.
  bool interleaved = true;
  std::string name{};
  /// The threads that will work on it, each on its part of this rank's values, in the order of its parts: each gets its
  /// pages near its core. Each rank's own.
  thread_team team{};
  /// `device`: in the memory of the device in use (wherry/device/device.hpp), where the host may not touch its
  /// elements.
  memory_space space = memory_space::node_shared;
};

/// The values of one part, where its domain says that they stand. Refers to them.
template <class T> class index_values {
 public:
  index_values() = default;
  index_values(T* data, index_t points, int components = 1, bool interleaved = true)
      : data_(data),
        points_(points),
        components_(components),
        point_stride_(interleaved ? components : 1),
        component_stride_(interleaved ? 1 : points) {}

  operator index_values<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data_, points_, components_, component_stride_ == 1};  // of one point both ways are the same
  }

  /// The value at a place: `values(domain.place_of(node))`.
  T& operator()(index_t place, int component = 0) const {
    return data_[place * point_stride_ + component * component_stride_];
  }
  T* data() const { return data_; }
  index_t points() const { return points_; }
  int components() const { return components_; }
  /// All of them, components included.
  std::span<T> all() const { return {data_, static_cast<std::size_t>(points_ * components_)}; }

 private:
  T* data_ = nullptr;
  index_t points_ = 0;
  int components_ = 1;
  index_t point_stride_ = 1, component_stride_ = 0;
};

/// One part that lives on this rank.
template <class T, index_domain Domain> struct local_part {
  int number;            ///< in the floor plan
  const Domain& points;  ///< the array's own
  index_values<T> values;
};

/// What `x_array` is for boxes: one set of values a part of a floor plan, each present only on its owner, which may own
/// none or many. In node-shared memory, or over memory of the user's. Movable, not copyable. A const one is read-only:
/// motions may begin there, and not end.
template <class T, index_domain Domain> class index_array {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  using element_type = T;

  /// Local; zero-filled. Called by all ranks that own parts, with the same options.
  /// @throws error(argument) for owners beyond the communicator, or no components; error(resource) when the node-shared
  ///         memory is exhausted.
  index_array(const communicator& comm, const index_floor_plan<Domain>& plan, const index_array_options& how = {});

  /// Over memory of the user's: components × points values a part of this rank, in the order of `plan.owned_by(rank)`.
  /// It must outlive the array.
  /// @throws error(argument) as above, and for another number of parts or values.
  index_array(const communicator& comm, const index_floor_plan<Domain>& plan, std::span<const std::span<T>> values,
              const index_array_options& how = {});

  /// Afterwards every call for the array that was moved from throws error(state).
  index_array(index_array&&) noexcept = default;
  index_array& operator=(index_array&&) noexcept = default;

  /// The parts that live here, ascending by number.
  ///     for (const auto& [number, nodes, values] : u.parts())
  ///       for (index_t i = 0; i < nodes.size(); ++i) values(i) = f(nodes[i]);
  std::span<const local_part<T, Domain>> parts() { return live().parts_; }
  read_only_parts<local_part<T, Domain>, local_part<const T, Domain>> parts() const {
    return read_only_parts<local_part<T, Domain>, local_part<const T, Domain>>(live().parts_);
  }

  bool is_local(int number) const { return shape().find(number) != nullptr; }
  /// A part of this rank. @throws error(argument) when it lives elsewhere.
  const index_values<T>& operator[](int number) { return find(number); }
  index_values<const T> operator[](int number) const { return find(number); }

  const index_floor_plan<Domain>& floor() const { return *live().plan_; }
  const communicator& comm() const { return live().comm_; }
  /// Types erased.
  const detail::index_array_shape& shape() const { return live().shape_; }
  /// The pieces of memory that hold the values: one for memory of ours, one a part for the user's.
  std::span<void* const> memory() const { return detail::list_of(live().pointers_); }

 private:
  const index_array& live() const {
    if (plan_ == nullptr) detail::throw_moved_from("index_array");
    return *this;
  }
  const index_values<T>& find(int number) const;
  void lay_out(const index_array_options& how);
  /// Called when all parts have their places.
  void finish();

  communicator comm_;
  std::shared_ptr<const index_floor_plan<Domain>> plan_;
  detail::index_array_shape shape_;
  node_memory memory_;
  std::vector<void*> pointers_;
  std::vector<local_part<T, Domain>> parts_;
};

}  // namespace wherry

template <class T, wherry::index_domain Domain>
wherry::index_array<T, Domain>::index_array(const communicator& comm, const index_floor_plan<Domain>& plan,
                                            const index_array_options& how)
    : comm_(comm), plan_(std::make_shared<const index_floor_plan<Domain>>(plan)) {
  lay_out(how);
  detail::place_parts(shape_);
  memory_ =
      field_memory(comm, static_cast<std::size_t>(detail::most<index_t>(1, shape_.bytes.front())), how.space, how.team);
  shape_.space = memory_.space();
  pointers_ = {memory_.data()};
  finish();
}

template <class T, wherry::index_domain Domain>
wherry::index_array<T, Domain>::index_array(const communicator& comm, const index_floor_plan<Domain>& plan,
                                            std::span<const std::span<T>> values, const index_array_options& how)
    : comm_(comm), plan_(std::make_shared<const index_floor_plan<Domain>>(plan)) {
  lay_out(how);
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, "index_array", what, comm.rank()); };
  const checked values_of{"index_array", "number of values", comm.rank()};
  const checked bytes_of{"index_array", "number of bytes", comm.rank()};
  if (values.size() != shape_.parts.size())
    fail(detail::text(values.size(), " lists of values were given, the rank owns ", shape_.parts.size(), " parts"));
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& part = shape_.parts[i];
    const index_t wanted = values_of.product(part.points, index_t{how.components});
    if (std::ssize(values[i]) != wanted)
      fail(detail::text("part ", part.number, " was given ", values[i].size(), " values, it has ", wanted));
    part.field = static_cast<int>(i);
    shape_.bytes.push_back(bytes_of.product(wanted, shape_.element));
    static std::remove_const_t<T> nowhere;  // a part without values may have no address, but an exchange wants one
    pointers_.push_back(wanted == 0 ? std::addressof(nowhere) : const_cast<std::remove_const_t<T>*>(values[i].data()));
    if (wanted == 0) continue;
    const auto space = space_of(values[i].data(), how.space == memory_space::device ? how.space : memory_space::host);
    if (any && space != shape_.space)
      fail(detail::text("part ", part.number, " is in memory of the ", to_string(space), ", those before it of the ",
                        to_string(shape_.space)));
    shape_.space = space;
    any = true;
  }
  finish();
}

template <class T, wherry::index_domain Domain>
void wherry::index_array<T, Domain>::lay_out(const index_array_options& how) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "index_array", what, comm_.rank());
  };
  for (int place = 0; place < plan_->known(); ++place)
    if (const int owner = plan_->owners()[static_cast<std::size_t>(place)]; owner >= comm_.size())
      fail(
          detail::text("part ", plan_->number_of(place), " has owner ", owner, " of a communicator of ", comm_.size()));
  if (how.components < 1) fail(detail::text("there are ", how.components, " components"));
  shape_.element = static_cast<index_t>(sizeof(T));
  shape_.type = element_of<T>();
  shape_.components = how.components;
  shape_.interleaved = how.interleaved || how.components == 1;
  shape_.stride = shape_.interleaved ? how.components * shape_.element : shape_.element;
  shape_.name = how.name;
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
                      {reinterpret_cast<T*>(first), part.points, shape_.components, shape_.interleaved}});
  }
  shape_.fingerprint = fingerprint_of(shape_, covers.value());
}

template <class T, wherry::index_domain Domain>
const wherry::index_values<T>& wherry::index_array<T, Domain>::find(int number) const {
  const auto* placed = shape().find(number);
  if (placed == nullptr)
    throw error(error_kind::argument, "index_array",
                detail::text("part ", number, " was asked for, which is not on this rank"), comm_.rank());
  return parts_[static_cast<std::size_t>(placed - shape_.parts.data())].values;
}
