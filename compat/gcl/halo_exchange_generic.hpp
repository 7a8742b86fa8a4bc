/// @file
/// `halo_exchange_generic`: fields of any types, layouts and sizes, named at each exchange (paper 1, figure 5).
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "wherry/core/settings.hpp"

#include "gcl/detail/split_phase.hpp"
#include "gcl/field_on_the_fly.hpp"
#include "gcl/proc_grids.hpp"

namespace GCL {

/// A list of fields whose types and halo structures are seen for the first time is bound then, which is collective, and
/// kept; from then on it costs what `halo_exchange_dynamic_ut` costs. A list must be new on all ranks or on none;
/// WHERRY_CHECK=1 makes sure.
template <class ProcLayout, int N, class Arch = gcl_cpu, class Version = version_manual> class halo_exchange_generic {
 public:
  static_assert(ProcLayout::length == N, "the layout_map and N differ in dimensions");
  using grid_type = MPI_process_grid_t<N>;
  using traits = generic_traits<N, Arch>;

  /// Collective. @param periods along the user's dimensions
  halo_exchange_generic(const typename grid_type::period_type& periods, MPI_Comm comm)
      : grid_(periods.template permute<ProcLayout>(), comm), phase_("halo_exchange_generic") {
    detail::require_available<Arch>();
  }
  halo_exchange_generic(const halo_exchange_generic&) = delete;
  halo_exchange_generic& operator=(const halo_exchange_generic&) = delete;

  /// Takes what leaves out of the fields, which may be overwritten at once.
  template <class... T, class... Layout>
    requires(sizeof...(T) > 0)
  void pack(const field_on_the_fly<T, Layout, traits>&... fields) {
    pack_fields(std::array<const wherry::halo_field*, sizeof...(T)>{&fields.erased()...});
  }
  template <class T, class Layout> void pack(const std::vector<field_on_the_fly<T, Layout, traits>>& fields) {
    pack_fields(pointers(fields));
  }

  void exchange() {
    start_exchange();
    wait();
  }
  void start_exchange() { phase_.start(); }
  void wait() { phase_.wait(); }

  /// Puts what has arrived into the fields, at the addresses that the descriptors have now.
  template <class... T, class... Layout>
    requires(sizeof...(T) > 0)
  void unpack(const field_on_the_fly<T, Layout, traits>&... fields) {
    unpack_fields(std::array<const wherry::halo_field*, sizeof...(T)>{&fields.erased()...});
  }
  template <class T, class Layout> void unpack(const std::vector<field_on_the_fly<T, Layout, traits>>& fields) {
    unpack_fields(pointers(fields));
  }

  /// Lists of fields bound so far.
  std::size_t bound_lists() const { return known_.size(); }
  const grid_type& comm() const { return grid_; }

 private:
  using field_list = std::span<const wherry::halo_field* const>;
  struct bound_list {
    std::vector<wherry::halo_field> shapes;
    std::unique_ptr<wherry::halo_exchange> exchange;

    bool fits(field_list fields) const {
      return std::equal(shapes.begin(), shapes.end(), fields.begin(), fields.end(),
                        [](const wherry::halo_field& a, const wherry::halo_field* b) {
                          return a.element == b->element && a.type == b->type && a.halo == b->halo &&
                                 a.stride == b->stride && a.space == b->space;
                        });
    }
  };

  template <class Fields> const std::vector<const wherry::halo_field*>& pointers(const Fields& fields) {
    pointers_.clear();
    for (const auto& f : fields) pointers_.push_back(&f.erased());
    return pointers_;
  }
  std::span<void* const> addresses(field_list fields) {
    table_.clear();
    for (const auto* f : fields) table_.push_back(f->data);
    return table_;
  }

  void pack_fields(field_list fields) {
    if (fields.empty())
      throw wherry::error(wherry::error_kind::argument, "halo_exchange_generic", "pack names no fields", grid_.pid());
    packed_ = &list_of(fields);
    phase_.pack(*packed_->exchange, addresses(fields));
  }
  void unpack_fields(field_list fields) {
    if (packed_ != nullptr && packed_->shapes.size() == fields.size() && !packed_->fits(fields))
      throw wherry::error(wherry::error_kind::argument, "halo_exchange_generic",
                          "unpack names fields of other types or halo structures than pack", grid_.pid());
    phase_.unpack(addresses(fields));
  }

  const bound_list& list_of(field_list fields) {
    auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& list) { return list->fits(fields); });
    if (wherry::current_settings().check)
      wherry::agree_or_throw(grid_.grid().comm(), "halo_exchange_generic", nullptr,
                             static_cast<std::uint32_t>(found - known_.begin()),
                             "this list of fields is known on some ranks and new on others, or another one");
    if (found == known_.end()) {
      auto fresh = std::make_unique<bound_list>();
      for (const auto* f : fields) fresh->shapes.push_back(*f);
      fresh->exchange = std::make_unique<wherry::halo_exchange>(
          grid_.grid(), detail::options<Version>(ProcLayout::axes(), true), fresh->shapes);
      found = known_.insert(known_.end(), std::move(fresh));
    }
    return **found;
  }

  grid_type grid_;
  detail::split_phase phase_;
  std::vector<std::unique_ptr<bound_list>> known_;
  const bound_list* packed_ = nullptr;
  std::vector<const wherry::halo_field*> pointers_;
  std::vector<void*> table_;
};

}  // namespace GCL
