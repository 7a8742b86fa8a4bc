// The ghosts of the particles of an exchange.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "particle_memory.hpp"
#include "particle_request.hpp"
#include "particles.hpp"

namespace wherry_python {

class bound_ghosts {
 public:
  bound_ghosts(std::unique_ptr<any_ghost_particles> made, std::shared_ptr<memory_pool> pool)
      : pool_(std::move(pool)), ghosts_(std::move(made)) {}
  bound_ghosts(const bound_ghosts&) = delete;
  bound_ghosts& operator=(const bound_ghosts&) = delete;
  ~bound_ghosts();

  /// Copies the arrays, appends ghosts, and returns the memory of each. Collective.
  /// After a timeout, `wait` goes on and returns the memory.
  nb::list plan(const nb::list& arrays, const nb::list& coordinates, bool is_float, bool in_place);
  /// Takes part in a plan with an error, which all ranks get.
  void plan_with_error(const std::string& text);
  /// Starts to fill the ghosts in these arrays, or to sum them back. @param coordinates empty: there are no positions
  /// @param fault not empty: takes part with this error, which all ranks get if the call is the first with such arrays
  void start(const nb::list& arrays, const nb::list& coordinates, bool is_float, bool back, const std::string& fault);
  bool test();
  /// Returns the memory of each array of a plan that ends here.
  nb::list wait();
  void drop();

  std::size_t owned() const;
  std::size_t count() const;
  std::vector<int> owners() const;

 private:
  template <class Read> nb::list make_plan(Read&& read);
  /// Calls `call` without the GIL. After an error the exchange is over, unless it goes on.
  template <class Call> auto end_in_flight(Call&& call);

  std::shared_ptr<memory_pool> pool_;
  std::vector<std::unique_ptr<particle_request>> in_flight_;  // the last is the one of now
  std::unique_ptr<any_ghost_particles> ghosts_;
  bool busy_ = false;
};

/// @throws as `wherry::ghost_particles`
std::unique_ptr<bound_ghosts> make_ghosts(const any_particle_exchange& of, std::shared_ptr<memory_pool> pool,
                                          double cutoff, const nb::dict& carry);
void bind_ghost_particles(nb::module_& m);

}  // namespace wherry_python
