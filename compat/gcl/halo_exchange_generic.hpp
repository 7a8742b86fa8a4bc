/// @file
/// `halo_exchange_generic`: fields of any types, layouts and sizes, named at each exchange (GCL, figure 5).
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "wherry/core/settings.hpp"

#include "gcl/detail/split_phase.hpp"
#include "gcl/field_on_the_fly.hpp"
#include "gcl/proc_grids.hpp"

namespace GCL {

/// A halo exchange of a list of fields that may change with each exchange. A list with new types or halo structures is
/// bound when it is first packed, which is collective, and is kept; from then on an exchange costs what
/// `halo_exchange_dynamic_ut` costs. A list must be new on all ranks or on none; WHERRY_CHECK=1 checks this.
template <class ProcLayout, int N, class Arch = gcl_cpu, int Version = version_manual> class halo_exchange_generic {
 public:
  static_assert(ProcLayout::length == N, "the layout_map and N differ in dimensions");
  using grid_type = MPI_process_grid_t<N>;
  /// The facts that fields need about the pattern.
  template <class T> struct traits {
    static constexpr int dimensions = N;
    using arch_type = Arch;
  };
  template <class T, class Layout> using field_type = field_on_the_fly<T, Layout, traits>;

  /// Collective over `comm`.
  /// @param periods along the user's dimensions
  halo_exchange_generic(const typename grid_type::period_type& periods, MPI_Comm comm)
      : grid_(periods.template permute<ProcLayout>(), comm), phase_("halo_exchange_generic") {}
  /// Collective over an existing process grid, with its periodicity.
  explicit halo_exchange_generic(const grid_type& grid) : grid_(grid), phase_("halo_exchange_generic") {}
  halo_exchange_generic(const halo_exchange_generic&) = delete;
  halo_exchange_generic& operator=(const halo_exchange_generic&) = delete;

  /// Local. Wherry does not need this call, because buffers follow from the fields; but later exchanges are held to
  /// `max_fields`.
  /// @param max_fields the most fields of one exchange
  /// @param example a field with the widest halos
  /// @param sizes the bytes of the largest type, or of several types
  /// @throws wherry::error(argument) if `max_fields` is less than 1
  template <class T, class Layout, class Sizes>
  void setup(int max_fields, [[maybe_unused]] const field_on_the_fly<T, Layout, traits>& example,
             [[maybe_unused]] const Sizes& sizes) {
    if (max_fields < 1) fail(wherry::detail::text("'max_fields' is ", max_fields, ", expected 1 or more"));
    max_fields_ = static_cast<std::size_t>(max_fields);
  }

  /// Copies the data that leaves out of the fields, which may be overwritten at once. Collective for a new list of
  /// fields, else local.
  /// @throws wherry::error(argument) for no fields or too many, error(state) if the last exchange has not been unpacked
  template <class... T, class... Layout>
    requires(sizeof...(T) > 0)
  void pack(const field_on_the_fly<T, Layout, traits>&... fields) {
    collect(fields...);
    pack_fields();
  }
  template <class T, class Layout> void pack(const std::vector<field_on_the_fly<T, Layout, traits>>& fields) {
    collect_all(fields);
    pack_fields();
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

  /// Waits, and copies the data that has arrived into the fields, at the addresses that their descriptors have now.
  /// @throws wherry::error(argument) for other fields than `pack` has named, error(timeout)
  template <class... T, class... Layout>
    requires(sizeof...(T) > 0)
  void unpack(const field_on_the_fly<T, Layout, traits>&... fields) {
    collect(fields...);
    unpack_fields();
  }
  template <class T, class Layout> void unpack(const std::vector<field_on_the_fly<T, Layout, traits>>& fields) {
    collect_all(fields);
    unpack_fields();
  }

  /// The number of lists of fields bound so far.
  std::size_t bound_lists() const { return known_.size(); }
  const grid_type& comm() const { return grid_; }
  detail::grid_of_pattern<grid_type> pattern() const { return detail::grid_of_pattern(grid_); }

 private:
  struct bound_list {
    std::vector<wherry::halo_field> shapes;
    std::unique_ptr<wherry::halo_exchange> exchange;

    bool fits(std::span<const wherry::halo_field* const> fields) const {
      return std::equal(shapes.begin(), shapes.end(), fields.begin(), fields.end(),
                        [](const wherry::halo_field& a, const wherry::halo_field* b) {
                          return a.element == b->element && a.type == b->type && a.halo == b->halo &&
                                 a.stride == b->stride && a.space == b->space;
                        });
    }
  };

  template <class... Field> void collect(const Field&... fields) {
    forget();
    (add(fields), ...);
  }
  template <class Fields> void collect_all(const Fields& fields) {
    forget();
    for (const auto& f : fields) add(f);
  }
  void forget() {
    shapes_.clear();
    addresses_.clear();
  }
  template <class Field> void add(const Field& field) {
    shapes_.push_back(&field.shape());
    addresses_.push_back(const_cast<void*>(static_cast<const void*>(field.ptr)));
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw wherry::error(wherry::error_kind::argument, "halo_exchange_generic", what, grid_.pid());
  }

  void pack_fields() {
    if (shapes_.empty()) fail("'pack' names no fields");
    if (shapes_.size() > max_fields_)
      fail(wherry::detail::text("'pack' names ", shapes_.size(), " fields, expected 1 to ", max_fields_,
                                ", as 'setup' was told"));
    packed_ = &bound();
    const detail::in_order<Arch> now;
    phase_.pack(*packed_->exchange, addresses_);
  }
  void unpack_fields() {
    if (packed_ != nullptr && packed_->shapes.size() == shapes_.size() && !packed_->fits(shapes_))
      fail("'unpack' names fields of other types or halo structures than 'pack'");
    const detail::in_order<Arch> now;
    phase_.unpack(addresses_);
  }

  /// The exchange of the fields that were collected.
  const bound_list& bound() {
    auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& list) { return list->fits(shapes_); });
    if (wherry::current_settings().check)
      wherry::detail::agree_or_throw(
          grid_.grid().comm(), "halo_exchange_generic", nullptr, static_cast<std::uint32_t>(found - known_.begin()),
          "the ranks name different lists of fields, or only some ranks have used this list before");
    if (found == known_.end()) {
      auto fresh = std::make_unique<bound_list>();
      for (const auto* f : shapes_) fresh->shapes.push_back(*f);
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
  std::size_t max_fields_ = static_cast<std::size_t>(-1);  // no limit without setup
  std::vector<const wherry::halo_field*> shapes_;          // of the fields of this call
  std::vector<void*> addresses_;
};

}  // namespace GCL
