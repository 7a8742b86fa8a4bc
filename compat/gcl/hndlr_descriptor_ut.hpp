/// @file
/// `hndlr_descriptor_ut`: fields of one element type, each with its own halo structure, that are registered once and
/// then exchanged together. `handler_manager_ut` makes and keeps such handlers.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gcl/detail/split_phase.hpp"
#include "gcl/field_on_the_fly.hpp"
#include "gcl/halo_exchange_buffers.hpp"
#include "gcl/proc_grids.hpp"

namespace GCL {

/// One registered field. Dimension 0 has stride 1.
template <class T, int N> class field_descriptor_no_dt {
 public:
  explicit field_descriptor_no_dt(T* pointer) : pointer_(pointer) {}

  void add_halo(int dimension, wherry::index_t minus, wherry::index_t plus, wherry::index_t begin, wherry::index_t end,
                wherry::index_t length) {
    add_halo(dimension, halo_descriptor{minus, plus, begin, end, length});
  }
  void add_halo(int dimension, const halo_descriptor& halo) {
    if (dimension < 0 || dimension >= N)
      throw wherry::error(wherry::error_kind::argument, "field_descriptor",
                          wherry::detail::text("'dimension' is ", dimension, ", expected 0 to ", N - 1));
    halos_[static_cast<std::size_t>(dimension)] = halo;
  }

  T* pointer() const { return pointer_; }
  const halo_descriptor* raw_array() const { return halos_.data(); }
  const std::array<halo_descriptor, static_cast<std::size_t>(N)>& halos() const { return halos_; }

  /// The number of elements to, and from, the neighbour in a direction: any type with `[]`, with values -1, 0 and 1.
  template <class Direction> int send_buffer_size(const Direction& direction) const {
    return product(direction, [](const halo_descriptor& halo, bool up) { return up ? halo.minus : halo.plus; });
  }
  template <class Direction> int recv_buffer_size(const Direction& direction) const {
    return product(direction, [](const halo_descriptor& halo, bool up) { return up ? halo.plus : halo.minus; });
  }

 private:
  template <class Direction, class Width> int product(const Direction& direction, Width width) const {
    wherry::index_t elements = 1;
    for (std::size_t d = 0; d < halos_.size(); ++d)
      elements *= direction[d] == 0 ? halos_[d].core() : width(halos_[d], direction[d] > 0);
    return static_cast<int>(elements);
  }

  T* pointer_;
  std::array<halo_descriptor, static_cast<std::size_t>(N)> halos_{};
};

/// Exchanges the halos of registered fields. Dimension 0 has stride 1; periodicity is along the process grid's
/// dimensions. All ranks must register the same number of fields.
/// @tparam Pattern `Halo_Exchange_3D<grid>` or another pattern of the lower level, which names the process grid
template <class T, int N, class Pattern> class hndlr_descriptor_ut {
 public:
  using grid_type = typename Pattern::grid_type;
  using pattern_type = Pattern;
  static_assert(grid_type::ndims == N, "hndlr_descriptor_ut: the process grid has another number of dimensions");

  /// Collective over `comm`.
  /// @param periods along the dimensions of the process grid
  hndlr_descriptor_ut(const typename grid_type::period_type& periods, MPI_Comm comm)
      : hndlr_descriptor_ut(grid_type(periods, comm)) {}
  /// On `processes` processes; this process has number `pid`.
  hndlr_descriptor_ut(const typename grid_type::period_type& periods, int processes, int pid)
      : hndlr_descriptor_ut(grid_type(periods, processes, pid)) {}
  explicit hndlr_descriptor_ut(const grid_type& grid) : grid_(grid), phase_("hndlr_descriptor_ut") {}
  hndlr_descriptor_ut(const hndlr_descriptor_ut&) = delete;
  hndlr_descriptor_ut& operator=(const hndlr_descriptor_ut&) = delete;

  /// Registers a field. Local.
  /// @param pointer the element with all indices 0
  /// @return the number of the field
  std::size_t register_field(T* pointer) {
    exchange_.reset();
    fields_.emplace_back(pointer);
    return fields_.size() - 1;
  }
  /// Sets the halo structure of one dimension of a registered field. Local.
  /// @throws wherry::error(argument) if there is no such field or dimension
  void register_halo(std::size_t field, std::size_t dimension, wherry::index_t minus, wherry::index_t plus,
                     wherry::index_t begin, wherry::index_t end, wherry::index_t length) {
    if (field >= fields_.size())
      fail(wherry::error_kind::argument,
           wherry::detail::text("'field' is ", field, "; there are ", fields_.size(), " fields"));
    exchange_.reset();
    fields_[field].add_halo(static_cast<int>(dimension), minus, plus, begin, end, length);
  }

  int size() const { return static_cast<int>(fields_.size()); }
  const field_descriptor_no_dt<T, N>& data_field(int number) const {
    return fields_.at(static_cast<std::size_t>(number));
  }
  /// The number of elements of all fields to, and from, the neighbour in a direction.
  template <class Direction> int total_pack_size(const Direction& direction) const {
    int elements = 0;
    for (const auto& field : fields_) elements += field.send_buffer_size(direction);
    return elements;
  }
  template <class Direction> int total_unpack_size(const Direction& direction) const {
    int elements = 0;
    for (const auto& field : fields_) elements += field.recv_buffer_size(direction);
    return elements;
  }

  /// Binds the exchange; call it after the last registration. Collective over the grid. Both names do the same.
  void allocate_buffers() { setup(); }
  void setup() {
    std::vector<wherry::halo_field> erased;
    for (const auto& field : fields_)
      erased.push_back(
          field_on_the_fly<T, typename default_layout_map<N>::type, traits>(field.pointer(), field.halos()).erased());
    exchange_ = std::make_unique<wherry::halo_exchange>(
        grid_.grid(), detail::options<version_manual>(default_layout_map<N>::type::axes(), true), std::move(erased));
  }

  /// Copies the data that leaves out of the fields, which may be overwritten at once.
  /// @throws wherry::error(state) before `setup`
  void pack() {
    if (!exchange_) fail(wherry::error_kind::state, "'pack' was called before 'setup'");
    phase_.pack(*exchange_, addresses());
  }
  void exchange() {
    start_exchange();
    wait();
  }
  void start_exchange() { phase_.start(); }
  /// The two halves of `start_exchange`; `post_receives` may be called before `pack`.
  void post_receives() { phase_.post_receives(); }
  void do_sends() { phase_.do_sends(); }
  /// Ends the exchange in GCL's order of calls. It does not block: `unpack` waits for the data.
  void wait() { phase_.wait(); }
  /// Waits, and copies the data that has arrived into the fields.
  void unpack() { phase_.unpack(addresses()); }

  const grid_type& comm() const { return grid_; }
  detail::grid_of_pattern<grid_type> pattern() const { return detail::grid_of_pattern(grid_); }

 private:
  template <class> struct traits {
    static constexpr int dimensions = N;
    using arch_type = gcl_cpu;
  };
  [[noreturn]] void fail(wherry::error_kind kind, std::string_view what) const {
    throw wherry::error(kind, "hndlr_descriptor_ut", what, grid_.pid());
  }
  std::span<void* const> addresses() {
    addresses_.clear();
    for (const auto& field : fields_) addresses_.push_back(field.pointer());
    return addresses_;
  }

  grid_type grid_;
  detail::split_phase phase_;
  std::vector<field_descriptor_no_dt<T, N>> fields_;
  std::unique_ptr<wherry::halo_exchange> exchange_;
  std::vector<void*> addresses_;
};

/// Makes handlers and owns them.
template <class T, int N, class Pattern> class handler_manager_ut {
 public:
  using handler_type = hndlr_descriptor_ut<T, N, Pattern>;

  /// Makes a handler with the arguments of one of its constructors.
  template <class... Arguments> handler_type& create_handler(Arguments&&... arguments) {
    handlers_.push_back(std::make_unique<handler_type>(std::forward<Arguments>(arguments)...));
    return *handlers_.back();
  }

 private:
  std::vector<std::unique_ptr<handler_type>> handlers_;
};

}  // namespace GCL
