// Particles that change their owner, and their ghosts.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <variant>

#include "wherry/particles/ghost_particles.hpp"
#include "wherry/particles/particle_exchange.hpp"

#include "errors.hpp"
#include "particle_memory.hpp"

namespace wherry_python {

/// The exchange for particles of 1 to 3 dimensions.
using any_particle_exchange =
    std::variant<wherry::particle_exchange<1>, wherry::particle_exchange<2>, wherry::particle_exchange<3>>;
using any_ghost_particles =
    std::variant<wherry::ghost_particles<1>, wherry::ghost_particles<2>, wherry::ghost_particles<3>>;

/// Calls `what.operator()<N>()` for the dimensions that particles may have.
template <class What> auto with_particle_dimensions(std::size_t dimensions, std::string_view where, What&& what) {
  switch (dimensions) {
    case 1:
      return what.template operator()<1>();
    case 2:
      return what.template operator()<2>();
    case 3:
      return what.template operator()<3>();
    default:
      refuse(where, "there are ", dimensions, " dimensions, expected 1 to 3");
  }
}

/// While a call works, others on the same object are refused; they would come from other threads.
class only_call {
 public:
  only_call(bool& busy, std::string_view where) : busy_(busy) {
    require_no_child(where);
    if (busy) throw wherry::error(wherry::error_kind::state, where, "another thread is in a call of this object");
    busy = true;
  }
  ~only_call() { busy_ = false; }
  only_call(const only_call&) = delete;
  only_call& operator=(const only_call&) = delete;

 private:
  bool& busy_;
};

/// Ends an object of the library without the GIL. In a child of fork() it stays as it is.
template <class Object> void end_without_gil(std::unique_ptr<Object> object) {
  if (is_in_child()) {
    static_cast<void>(object.release());
    return;
  }
  const nb::gil_scoped_release others_run;
  object.reset();
}

void bind_particles(nb::module_& m);

}  // namespace wherry_python
