/// @file
/// Ghosts of an unstructured mesh in several layers: one plan for all depths, element types and fields.
///
///     wherry::ghost_layers mesh(comm, wherry::resolve_layers(comm, rows, {near, far}));
///     wherry::layered_field pressure(mesh, p), velocity(mesh, v);
///     mesh.exchange(1, pressure, velocity);       // the first layer of both, in one message for each peer
///     mesh.exchange_if_needed(2, pressure);       // moves the second layer only
///     pressure.mark_written();                    // after its owned elements were written
///     mesh.exchange_if_needed(1, pressure, velocity);  // moves the first layer of `pressure` only
///
/// Use `index_exchange` if there is one depth and if the arrays that travel together are always the same.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wherry/halo/layered_field.hpp"
#include "wherry/halo/resolve_layers.hpp"

namespace wherry {

/// Options of ghost layers. All but `carry.team` and `carry.name` must be the same on all ranks.
struct layer_options {
  /// The operation by which `reduce_to_owners` combines an element with its ghosts.
  reduction update = std::plus<>{};
  carry_options carry{};
};

namespace detail {

/// The arrays of one call, with erased types, and the accounts of those that have one.
struct layered_call {
  struct argument {
    const std::shared_ptr<layer_marks>* marks = nullptr;  ///< null: an array without an account
    std::size_t first = 0;                                ///< number of its first array
    int first_layer = 1;                                  ///< number of the first layer that moves
  };
  std::vector<erased_array> arrays;
  std::vector<argument> arguments;
};

/// The layers that a call moves, and their direction.
enum class layered_way { all, missing, to_owners };

}  // namespace detail

/// The layers of a rank's ghosts, and the exchanges that fill them. Layer 1 is next to the rank's own elements, and an
/// exchange of depth d fills layers 1 to d. Any number of arrays of any element types and numbers of components travel
/// together, in one message for each peer.
///
/// A field is a `layered_field`, which knows how deep it is clean, or any array that an `index_exchange` takes: a
/// vector, a span, or a view of one or two dimensions. It has at least `elements(depth)` elements. Views of device
/// memory say so by their `space`.
///
/// All exchanges are collective: all ranks make the same calls with the same depths and the same kinds of arrays, and
/// mark the same fields. The first call for a depth, a combination of element types, strides and memory spaces, and
/// missing layers binds an exchange, which takes as long as the constructor of an `index_exchange`; after that a call
/// with any arrays of these kinds allocates nothing and communicates with its peers only. With WHERRY_CHECK all ranks
/// agree before each call: if they do not mean the same, all get error(mismatch).
///
/// One exchange can be in flight. A copy has the same layers and fields, and exchanges of its own: use one for each
/// exchange in flight. Copying is local.
class ghost_layers {
 public:
  /// Collective over `comm`.
  /// @param layers the index lists of each layer, from `resolve_layers` or your own
  /// @throws error(argument) on all ranks alike without layers, for a peer that is not a rank, a negative index, or an
  ///         element that is received twice; error(mismatch) if the number of layers or options differ between ranks
  ghost_layers(const communicator& comm, std::vector<index_lists> layers, const layer_options& options = {});
  ghost_layers(const ghost_layers& other);
  ghost_layers& operator=(const ghost_layers& other);
  ghost_layers(ghost_layers&&) noexcept;
  ghost_layers& operator=(ghost_layers&&) noexcept;
  /// Waits for an exchange in flight, or abandons it, as `exchange`'s destructor does.
  ~ghost_layers();

  const communicator& comm() const;
  /// The number of layers.
  int depth() const;
  /// The number of elements that an array must have for an exchange of this depth.
  /// @throws error(argument) unless `depth` is from 1 to `depth()`
  index_t elements(int depth) const;
  /// The index lists of one layer. @throws error(argument) unless `layer` is from 1 to `depth()`
  const index_lists& lists(int layer) const;

  /// Begins to fill the ghosts of layers 1 to `depth` of all fields. Until the exchange is complete, elements that are
  /// sent must not be written, and those ghosts must not be read. When it is complete, the fields are clean to `depth`
  /// at least, unless they were marked as written meanwhile.
  /// @throws error(argument), before anything moves, for another depth, an array that is too short or in device memory
  ///         without saying so, or a field of other layers: on all ranks alike when the exchange is bound, and
  ///         otherwise on this rank. error(mismatch) on all ranks alike if ranks disagree when the exchange is bound.
  ///         error(state) if an exchange is in flight, or after a move or `abandon`; with WHERRY_CHECK on all ranks
  ///         also if a field that is clean beyond `depth` was written but not marked
  template <layered_array... Fields>
    requires(sizeof...(Fields) > 0)
  void start(int depth, Fields&&... fields) {
    gather(fields...);
    begin(depth, detail::layered_way::all);
  }
  /// Begins as `start`, but moves only layers that are not clean. If all are clean, nothing moves, and the rank
  /// communicates with no other.
  /// @throws as `start`; with WHERRY_CHECK error(state) on all ranks if a field that has a clean layer was written but
  ///         not marked: the rank's own error names the field
  template <class... Fields>
    requires(sizeof...(Fields) > 0 && ((any_layered_field<Fields> || detail::is_erased<Fields>) && ...))
  void start_if_needed(int depth, Fields&&... fields) {
    gather(fields...);
    begin(depth, detail::layered_way::missing);
  }
  /// Begins to combine the ghosts of layers 1 to `depth` with the elements of which they are copies, at their owners,
  /// by `layer_options::update` and in a fixed order. The ghosts keep their values. The fields count as written.
  /// @throws as `start`; error(argument) on all ranks alike if the update has no meaning for an array's elements
  template <layered_array... Fields>
    requires(sizeof...(Fields) > 0)
  void start_reduce_to_owners(int depth, Fields&&... fields) {
    gather(fields...);
    begin(depth, detail::layered_way::to_owners);
  }
  /// Makes progress. Returns true when the exchange is complete, and if none is in flight. @throws as `wait`, except
  /// error(timeout)
  bool test();
  /// Returns when the exchange in flight is complete. @throws as `exchange::wait`
  void wait();
  /// Gives up the exchange in flight, if there is one, as `exchange::abandon`. Then every call except copying and
  /// assignment throws error(state); a copy works.
  void abandon() noexcept;

  /// `start` and `wait`.
  template <layered_array... Fields>
    requires(sizeof...(Fields) > 0)
  void exchange(int depth, Fields&&... fields) {
    start(depth, fields...);
    wait();
  }
  /// `start_if_needed` and `wait`.
  template <class... Fields>
    requires(sizeof...(Fields) > 0 && ((any_layered_field<Fields> || detail::is_erased<Fields>) && ...))
  void exchange_if_needed(int depth, Fields&&... fields) {
    start_if_needed(depth, fields...);
    wait();
  }
  /// `start_reduce_to_owners` and `wait`.
  template <layered_array... Fields>
    requires(sizeof...(Fields) > 0)
  void reduce_to_owners(int depth, Fields&&... fields) {
    start_reduce_to_owners(depth, fields...);
    wait();
  }

  /// A text that lists the layers and every exchange that has been bound.
  std::string explain() const;
  /// The sums of the figures of all exchanges that have been bound.
  exchange_statistics statistics() const;

 private:
  friend std::shared_ptr<detail::layer_marks> detail::make_marks(const ghost_layers&, std::string);
  struct state;

  state& live() const;
  /// An empty call, in memory that is kept. @throws error(state) if an exchange is in flight
  detail::layered_call& fresh_call() const;
  template <class... Fields> void gather(Fields&... fields) const {
    auto& call = fresh_call();
    (append(call, fields), ...);
  }
  template <class Field> static void append(detail::layered_call& call, Field& field) {
    const auto take = [&call](const detail::index_field& one) { call.arrays.emplace_back(one); };
    if constexpr (detail::is_erased<Field>) {
      for (const auto& one : field.all) {
        call.arguments.push_back({one.marks, call.arrays.size()});
        for (const auto& array : one.arrays) take(array);
      }
    } else if constexpr (any_layered_field<Field>) {
      detail::live(field.marks_);
      call.arguments.push_back({&field.marks_, call.arrays.size()});
      detail::visit_indexed(field.values_, take);
    } else {
      call.arguments.push_back({nullptr, call.arrays.size()});
      detail::visit_indexed(field, take);
    }
  }
  /// Begins the call that was gathered.
  void begin(int depth, detail::layered_way way);

  std::unique_ptr<state> state_;
};

}  // namespace wherry
