/// @file
/// The patterns that GCL, section 7, plans: they know everything when they are made, and need no pack and unpack.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "gcl/detail/split_phase.hpp"
#include "gcl/field_on_the_fly.hpp"
#include "gcl/proc_grids.hpp"

namespace GCL {
namespace detail {

/// A halo exchange directly between the fields, bound once.
template <class ProcLayout, int N, class Arch, int Version>
class bound_pattern : public started_in_halves<bound_pattern<ProcLayout, N, Arch, Version>> {
  using words = started_in_halves<bound_pattern>;

 public:
  using grid_type = MPI_process_grid_t<N>;
  template <class T> struct traits {
    static constexpr int dimensions = N;
    using arch_type = Arch;
  };

  const grid_type& comm() const { return grid_; }
  grid_of_pattern<grid_type> pattern() const { return grid_of_pattern(grid_); }
  std::string explain() const { return exchange_.explain(); }

 protected:
  bound_pattern(const boollist<N>& periods, MPI_Comm comm, std::vector<wherry::halo_field> fields)
      : words("halo exchange"),
        grid_(periods.template permute<ProcLayout>(), comm),
        exchange_(grid_.grid(), options<Version>(ProcLayout::axes(), false), std::move(fields)) {}

 private:
  friend words;
  void begin() {
    const in_order<Arch> now;
    exchange_.start();
  }
  void end() {
    const in_order<Arch> now;
    exchange_.wait();
  }

  grid_type grid_;
  wherry::halo_exchange exchange_;
};

}  // namespace detail

/// A halo exchange of fields of one type and halo structure, with sizes and pointers known when it is made: the fastest
/// of all.
template <class DataLayout, class ProcLayout, class T, int N, class Arch = gcl_cpu, int Version = version_manual>
class halo_exchange_ut : public detail::bound_pattern<ProcLayout, N, Arch, Version> {
  using base = detail::bound_pattern<ProcLayout, N, Arch, Version>;
  using field_type = field_on_the_fly<T, DataLayout, base::template traits>;

 public:
  /// Collective over `comm`.
  /// @param periods along the user's dimensions
  /// @param halo one descriptor for each dimension
  /// @param fields pointers to the elements with all indices 0
  halo_exchange_ut(const boollist<N>& periods, MPI_Comm comm, std::span<const halo_descriptor> halo,
                   const std::vector<T*>& fields)
      : base(periods, comm, erase(halo, fields)) {}
  template <class... Pointers>
  halo_exchange_ut(const boollist<N>& periods, MPI_Comm comm, std::span<const halo_descriptor> halo, T* first,
                   Pointers*... others)
      : halo_exchange_ut(periods, comm, halo, std::vector<T*>{first, others...}) {}

 private:
  static std::vector<wherry::halo_field> erase(std::span<const halo_descriptor> halo, const std::vector<T*>& fields) {
    std::vector<wherry::halo_field> result;
    for (T* pointer : fields) result.push_back(field_type(pointer, halo).erased());
    return result;
  }
};

/// A halo exchange of one list of fields of any types, layouts and sizes.
template <class ProcLayout, int N, class Arch = gcl_cpu, int Version = version_manual>
class halo_exchange_generic_list : public detail::bound_pattern<ProcLayout, N, Arch, Version> {
  using base = detail::bound_pattern<ProcLayout, N, Arch, Version>;

 public:
  /// Collective over `comm`.
  /// @param periods along the user's dimensions
  template <class... T, class... Layout>
    requires(sizeof...(T) > 0)
  halo_exchange_generic_list(const boollist<N>& periods, MPI_Comm comm,
                             const field_on_the_fly<T, Layout, base::template traits>&... fields)
      : base(periods, comm, {fields.erased()...}) {}
};

}  // namespace GCL
