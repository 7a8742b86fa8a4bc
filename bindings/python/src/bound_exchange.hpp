// An exchange that is bound, and the arrays that it works on. The arrays stay as long as the library has their
// addresses; the interpreter runs other threads while the library works.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/transport/bound_pattern.hpp"

#include "arrays.hpp"
#include "field.hpp"

namespace wherry {
class halo_exchange;
}  // namespace wherry

namespace wherry_python {

/// An array that an exchange works on, and what keeps it.
class kept_array {
 public:
  kept_array() = default;
  /// @throws error(argument) if the array is none, or has another shape than `wanted`, unless that is null
  kept_array(nb::handle object, bool written, const array_shape* wanted, std::string_view where, std::size_t number);

  /// Another reference to the same array.
  kept_array again() const;
  std::byte* data() const;
  array_shape shape(std::string_view where) const;

 private:
  const field_base* field_ = nullptr;
  nb::object owner_;  // the field
  held_array buffer_;
};

class bound_exchange {
 public:
  /// Where a field of the library begins: so many bytes behind the address of an array.
  struct place {
    std::size_t array = 0;
    std::ptrdiff_t offset = 0;
  };
  struct parts {
    std::string name;  ///< in errors
    std::vector<array_shape> shapes;
    std::vector<bool> written;                    ///< for each array
    std::vector<place> fields;                    ///< for each of the library's fields
    std::shared_ptr<wherry::halo_exchange> halo;  ///< the pattern, if it is a halo exchange of all its fields
    std::vector<kept_array> first;                ///< the arrays of a start without arguments; may be empty

    parts() = default;
    parts(parts&&) = default;
    parts& operator=(parts&&) = default;
  };

  bound_exchange(std::shared_ptr<wherry::bound_pattern> pattern, parts of);
  ~bound_exchange();
  bound_exchange(const bound_exchange&) = delete;
  bound_exchange& operator=(const bound_exchange&) = delete;

  void start(const nb::args& arrays, bool in_parts = false);
  /// Any thread may call it, while others wait.
  void ready(int part);
  void wait();
  bool test();
  void run(const nb::args& arrays);
  void abandon();

  bool in_flight() const { return in_flight_; }
  const wherry::bound_pattern& pattern() const { return *pattern_; }
  wherry::bound_pattern& pattern() { return *pattern_; }

  /// The exchange of some of the arrays of a halo exchange, and of at most `depth` layers. Collective the first time.
  std::unique_ptr<bound_exchange> only(std::vector<std::size_t> arrays, std::optional<wherry::index_t> depth);

 private:
  class call;
  /// Puts the addresses into the table, and returns what keeps the arrays.
  std::vector<kept_array> take(const nb::args& arrays);
  void set_table(const std::vector<kept_array>& arrays);
  void require_addresses() const;

  std::shared_ptr<wherry::bound_pattern> pattern_;
  parts of_;
  std::vector<kept_array> kept_;
  std::vector<void*> table_;
  bool in_flight_ = false, busy_ = false, has_addresses_ = false;
};

void bind_exchange(nb::module_& m);

}  // namespace wherry_python
