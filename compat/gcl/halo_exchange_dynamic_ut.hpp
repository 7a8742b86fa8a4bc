/// @file
/// `halo_exchange_dynamic_ut`: fields of one type and halo structure, with addresses that are given at each exchange
/// (GCL, figure 4).
#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <vector>

#include "gcl/detail/split_phase.hpp"
#include "gcl/field_on_the_fly.hpp"
#include "gcl/proc_grids.hpp"

namespace GCL {

/// A halo exchange of up to `max_fields` fields of one type and halo structure.
/// @tparam DataLayout the layout of all fields
/// @tparam ProcLayout from the user's dimensions to the process grid's
/// @tparam T the type of elements
/// @tparam N the number of dimensions
/// @tparam Arch the memory of the fields
/// @tparam Version how messages are packed
/// @tparam Grid the process grid, if the pattern is not made on a communicator
template <class DataLayout, class ProcLayout, class T, int N, class Arch = gcl_cpu, int Version = version_manual,
          class Grid = MPI_process_grid_t<N>>
class halo_exchange_dynamic_ut {
 public:
  static_assert(DataLayout::length == N && ProcLayout::length == N, "the layout_maps and N differ in dimensions");
  using grid_type = Grid;

  /// Collective over `comm`.
  /// @param periods along the user's dimensions
  halo_exchange_dynamic_ut(const typename grid_type::period_type& periods, MPI_Comm comm)
      : grid_(periods.template permute<ProcLayout>(), comm), phase_("halo_exchange_dynamic_ut") {}
  /// Collective over an existing process grid, with its periodicity.
  explicit halo_exchange_dynamic_ut(const grid_type& grid) : grid_(grid), phase_("halo_exchange_dynamic_ut") {}
  // `phase_` and users may refer to the exchanges by address.
  halo_exchange_dynamic_ut(const halo_exchange_dynamic_ut&) = delete;
  halo_exchange_dynamic_ut& operator=(const halo_exchange_dynamic_ut&) = delete;

  /// Sets the halo structure of the user's dimension `Dimension`. Local.
  template <int Dimension>
  void add_halo(wherry::index_t minus, wherry::index_t plus, wherry::index_t begin, wherry::index_t end,
                wherry::index_t length) {
    add_halo<Dimension>(halo_descriptor{minus, plus, begin, end, length});
  }
  template <int Dimension> void add_halo(const halo_descriptor& halo) {
    static_assert(Dimension >= 0 && Dimension < N, "the pattern has no such dimension");
    add_halo(Dimension, halo);
  }
  /// Sets the halo structure of the user's dimension `dimension`. Local.
  /// @throws wherry::error(argument) if the pattern has no such dimension
  void add_halo(int dimension, const halo_descriptor& halo) {
    if (dimension < 0 || dimension >= N)
      fail(wherry::error_kind::argument, wherry::detail::text("'dimension' is ", dimension, ", expected 0 to ", N - 1));
    halos_[static_cast<std::size_t>(dimension)] = halo;
    exchanges_.clear();
  }

  /// Binds the exchange. Collective over the grid.
  /// @param max_fields the most fields of one exchange
  /// @throws wherry::error(argument) for a wrong halo structure, on all ranks alike
  void setup(int max_fields) {
    if (max_fields < 1)
      fail(wherry::error_kind::argument, wherry::detail::text("'max_fields' is ", max_fields, ", expected 1 or more"));
    exchanges_.clear();
    exchanges_.resize(static_cast<std::size_t>(max_fields) + 1);
    exchange_of(exchanges_.size() - 1);
  }

  /// Copies the data that leaves out of the fields, which may be overwritten at once. Takes up to `max_fields`
  /// pointers, separated by commas or in a vector; all ranks name the same number. The first pack of a number less than
  /// `max_fields` is collective, others are local.
  /// @throws wherry::error(argument) for no fields or too many, error(state) before `setup` or if the last exchange has
  ///   not been unpacked
  template <class... Pointers> void pack(T* first, Pointers*... others) {
    const std::array<void*, 1 + sizeof...(others)> table{erase(first), erase(others)...};
    pack_table(table);
  }
  void pack(const std::vector<T*>& fields) { pack_table(erase(fields)); }

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

  /// Waits, and copies the data that has arrived into the fields: those packed, or others of the same structure.
  template <class... Pointers> void unpack(T* first, Pointers*... others) {
    const std::array<void*, 1 + sizeof...(others)> table{erase(first), erase(others)...};
    unpack_table(table);
  }
  void unpack(const std::vector<T*>& fields) { unpack_table(erase(fields)); }

  /// The process grid, with its dimensions in its own order.
  const grid_type& comm() const { return grid_; }
  detail::grid_of_pattern<grid_type> pattern() const { return detail::grid_of_pattern(grid_); }

 private:
  template <class> struct field_traits {
    static constexpr int dimensions = N;
    using arch_type = Arch;
  };
  template <class Other> static void* erase(Other* pointer) {
    static_assert(std::is_same_v<std::remove_const_t<Other>, std::remove_const_t<T>>,
                  "all fields of a halo_exchange_dynamic_ut have its value type");
    return const_cast<std::remove_const_t<Other>*>(pointer);
  }
  std::span<void* const> erase(const std::vector<T*>& fields) {
    table_.assign(fields.begin(), fields.end());
    return table_;
  }
  [[noreturn]] void fail(wherry::error_kind kind, std::string_view what) const {
    throw wherry::error(kind, "halo_exchange_dynamic_ut", what, grid_.pid());
  }

  void pack_table(std::span<void* const> table) {
    if (exchanges_.empty()) fail(wherry::error_kind::state, "'pack' was called before 'setup'");
    if (table.empty() || table.size() >= exchanges_.size())
      fail(wherry::error_kind::argument, wherry::detail::text("'pack' names ", table.size(), " fields, expected 1 to ",
                                                              exchanges_.size() - 1, ", as 'setup' was told"));
    const detail::in_order<Arch> now;
    phase_.pack(exchange_of(table.size()), table);
  }
  void unpack_table(std::span<void* const> table) {
    const detail::in_order<Arch> now;
    phase_.unpack(table);
  }
  wherry::halo_exchange& exchange_of(std::size_t count) {
    auto& made = exchanges_[count];
    if (!made) {
      const field_on_the_fly<T, DataLayout, field_traits> field(nullptr, halos_);
      made = std::make_unique<wherry::halo_exchange>(grid_.grid(), detail::options<Version>(ProcLayout::axes(), true),
                                                     std::vector<wherry::halo_field>(count, field.erased()));
    }
    return *made;
  }

  grid_type grid_;
  detail::split_phase phase_;
  std::array<halo_descriptor, static_cast<std::size_t>(N)> halos_{};
  std::vector<std::unique_ptr<wherry::halo_exchange>> exchanges_;  // by number of fields
  std::vector<void*> table_;
};

}  // namespace GCL
