/// @file
/// `hndlr_dynamic_ut`: GCL's lower level of `halo_exchange_dynamic_ut`, with dimensions in the order of increasing
/// strides.
#pragma once

#include <mpi.h>

#include <vector>

#include "gcl/halo_exchange_dynamic_ut.hpp"

namespace GCL {

/// Exchanges the halos of fields, as `halo_exchange_dynamic_ut` does. Dimension 0 has stride 1; periodicity is along
/// the process grid's dimensions.
/// @tparam Pattern `Halo_Exchange_3D<grid>` or another pattern of the lower level, which names the process grid
/// @tparam ProcLayout from dimensions by strides to the process grid's
template <class T, int N, class Pattern, class ProcLayout = typename default_layout_map<N>::type, class Arch = gcl_cpu,
          int Version = version_mpi_pack>
class hndlr_dynamic_ut {
  using exchange_type = halo_exchange_dynamic_ut<typename default_layout_map<N>::type, ProcLayout, T, N, Arch, Version,
                                                 typename Pattern::grid_type>;

  class halo_registry {
   public:
    explicit halo_registry(exchange_type& exchange) : exchange_(&exchange) {}
    /// Sets the halo structure of one dimension. Local.
    void add_halo(int dimension, wherry::index_t minus, wherry::index_t plus, wherry::index_t begin,
                  wherry::index_t end, wherry::index_t length) {
      add_halo(dimension, halo_descriptor{minus, plus, begin, end, length});
    }
    void add_halo(int dimension, const halo_descriptor& of) { exchange_->add_halo(dimension, of); }

   private:
    exchange_type* exchange_;
  };

 public:
  using grid_type = typename Pattern::grid_type;
  using pattern_type = Pattern;

  /// Collective over `comm`.
  /// @param periods along the dimensions of the process grid
  hndlr_dynamic_ut(const typename grid_type::period_type& periods, MPI_Comm comm)
      : hndlr_dynamic_ut(grid_type(periods, comm)) {}
  /// On `processes` processes; this process has number `pid`.
  hndlr_dynamic_ut(const typename grid_type::period_type& periods, int processes, int pid)
      : hndlr_dynamic_ut(grid_type(periods, processes, pid)) {}
  explicit hndlr_dynamic_ut(const grid_type& grid) : exchange_(grid), halo(exchange_) {}
  // `halo` refers to the exchange beside it.
  hndlr_dynamic_ut(const hndlr_dynamic_ut&) = delete;
  hndlr_dynamic_ut& operator=(const hndlr_dynamic_ut&) = delete;

  /// Binds the exchange. Collective over the grid. Both names do the same.
  /// @param max_fields the most fields of one exchange
  void allocate_buffers(int max_fields) { exchange_.setup(max_fields); }
  void setup(int max_fields) { exchange_.setup(max_fields); }

  template <class... Pointers> void pack(T* first, Pointers*... others) { exchange_.pack(first, others...); }
  void pack(const std::vector<T*>& fields) { exchange_.pack(fields); }
  void exchange() { exchange_.exchange(); }
  void start_exchange() { exchange_.start_exchange(); }
  void post_receives() { exchange_.post_receives(); }
  void do_sends() { exchange_.do_sends(); }
  void wait() { exchange_.wait(); }
  template <class... Pointers> void unpack(T* first, Pointers*... others) { exchange_.unpack(first, others...); }
  void unpack(const std::vector<T*>& fields) { exchange_.unpack(fields); }

  const grid_type& comm() const { return exchange_.comm(); }
  auto pattern() const { return exchange_.pattern(); }

 private:
  exchange_type exchange_;

 public:
  halo_registry halo;  ///< `halo.add_halo(dimension, minus, plus, begin, end, length)`
};

}  // namespace GCL
