// The arguments of one call about particles: arrays of Python, and where a particle belongs.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/particles/particle_arrays.hpp"

#include "arrays.hpp"
#include "particle_memory.hpp"

namespace wherry_python {

/// Rows of an array of the caller's, which a call writes. Rows that lie apart travel from packed memory, so that ranks
/// find the same exchange whatever their strides are: a rank with one row or none cannot tell its stride.
struct given_rows {
  held_array held{};
  std::size_t count = 0, bytes = 0, stride = 0;
  memory_block packed{};

  std::byte* data() const { return packed.bytes != nullptr ? packed.bytes.get() : held.data(); }
  void pack(memory_block room);
  void unpack(std::size_t begin, std::size_t end) const;

  static const wherry::detail::array_functions functions;
};

/// The arguments of one call. The library refers to it until the call has ended. It is made and destroyed with the GIL.
class particle_request {
 public:
  explicit particle_request(std::shared_ptr<memory_pool> pool) : pool_(std::move(pool)) {}
  particle_request(const particle_request&) = delete;
  particle_request& operator=(const particle_request&) = delete;
  ~particle_request();

  /// Copies arrays into memory that grows. @param arrays pairs (array, role), the array contiguous
  /// @param in_place arrays that are in memory of the pool stay there
  void copy_arrays(const nb::list& arrays, bool in_place, std::string_view where);
  /// Refers to arrays by their elements, which say which exchange is theirs, also if `use_arrays` then finds an error.
  /// @throws error(argument) on this rank for what has no elements that could travel
  void refer_to_arrays(const nb::list& arrays, std::string_view where);
  /// Checks these arrays, of which some rows are then written.
  void use_arrays(const nb::list& arrays, std::string_view where);
  /// Says which rows of the arrays the call writes.
  void set_written(std::size_t begin, std::size_t end) { written_ = {begin, end}; }
  /// The call has ended: the rows that it has written are in the arrays. A second time it does nothing.
  void unpack();
  /// @param coordinates for each dimension the number of the array, and the bytes before the coordinate in its elements
  void set_positions(const nb::list& coordinates, bool is_float);
  void set_owners(nb::handle owners);
  void set_cells(nb::handle cells);
  void set_leavers(nb::handle marks, std::string_view where);

  /// Runs a step that reads arguments. Its error is kept in the call: the other ranks wait for this one.
  template <class Step> void read(const wherry::communicator& comm, std::string_view where, Step&& step) {
    fault_ = wherry::detail::error_of(comm, where, step);
    if (!fault_) return;
    call_ = {};
    call_.columns = columns_;
    call_.fault = &*fault_;
  }

  const wherry::detail::particle_call& call() const { return call_; }
  /// The arrays that `copy_arrays` made, as they are now.
  nb::list shown() const;

 private:
  void require_apart(std::string_view where) const;

  std::shared_ptr<memory_pool> pool_;
  std::deque<growing_array> grown_{};
  std::deque<given_rows> given_{};
  std::vector<wherry::detail::particle_column> columns_{};
  held_array choices_{}, marks_{};
  std::pair<std::size_t, std::size_t> written_{};
  std::size_t cell_dimensions_ = 0;
  wherry::detail::particle_call call_{};
  std::optional<wherry::error> fault_{};
};

}  // namespace wherry_python
