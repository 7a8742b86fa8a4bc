// The exchanges of one `ghost_layers`: each is bound when it is first needed, and one of them can be in flight.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/halo/ghost_layers.hpp"

#include "core/terms.hpp"
#include "layer_core.hpp"

namespace wherry {

struct ghost_layers::state {
  using way = detail::layered_way;

  std::shared_ptr<const detail::layer_core> core;
  layer_options options;
  detail::layered_call call{};
  bool started = false, given_up = false;

  state(std::shared_ptr<const detail::layer_core> layers, const layer_options& given);

  void start(int depth, way which);
  bool test();
  void wait();
  void abandon() noexcept;
  std::string explain() const;
  exchange_statistics statistics() const;
  /// The pattern and its name, for errors.
  std::string where() const;
  int rank() const { return core->comm.rank(); }

 private:
  [[noreturn]] void fail(error_kind kind, const std::string& what) const;

  /// The properties of an array that an exchange depends on, and the first layer that moves.
  struct array_kind {
    int first_layer = 1;
    index_t element = 1, stride = 1;
    plans::element_type type{};
    bool on_device = false;
    bool operator==(const array_kind&) const = default;
  };
  struct bound_layers {
    int depth;
    bool reverse;
    std::vector<array_kind> kinds;
    wherry::exchange carried;
    std::vector<void*> table;  // the addresses for the next start
  };
  /// An array of the call that moves, and the field that it belongs to: numbers.
  struct moving_array {
    std::size_t array, field;
  };
  /// A field that will be clean when the exchange in flight is complete.
  struct arrival {
    std::shared_ptr<detail::layer_marks> marks;
    std::uint64_t writes, hash;  // those at start
  };

  void check_call(int depth) const;
  void check_arrays(int depth, const bound_layers* bound) const;
  terms terms_of(int depth, way which, bool is_bound) const;
  void refuse_changed(int depth, way which) const;
  void choose(int depth);
  bound_layers* find(int depth, bool reverse);
  bound_layers& bind(int depth, way which);
  void await(int depth, way which);
  void finish();
  std::size_t arrays_end(std::size_t argument) const;
  std::uint64_t hash_of(std::size_t argument) const;
  std::string name_of(std::size_t argument) const;

  std::vector<moving_array> moving_;
  std::vector<array_kind> kinds_;  // of the moving arrays
  std::vector<std::unique_ptr<bound_layers>> bound_;
  bound_layers* in_flight_ = nullptr;  // null though `started`: all layers were clean
  int depth_in_flight_ = 0;
  std::vector<arrival> arrivals_;
};

}  // namespace wherry
