#include "bound_ghosts.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "options.hpp"

namespace wherry_python {
namespace {

constexpr std::string_view in_ghosts = "ghosts";

/// True if the exchange may still write to the arrays.
bool goes_on_after(const wherry::error& failure) {
  return failure.kind() == wherry::error_kind::timeout || failure.kind() == wherry::error_kind::lost;
}

}  // namespace

bound_ghosts::~bound_ghosts() { end_without_gil(std::move(ghosts_)); }

template <class Read> nb::list bound_ghosts::make_plan(Read&& read) {
  const only_call one(busy_, in_ghosts);
  auto made = std::make_unique<particle_request>(pool_);
  const auto& comm = std::visit([](auto& ghosts) -> const auto& { return ghosts.comm(); }, *ghosts_);
  made->read(comm, in_ghosts, [&] { read(*made); });
  try {
    const nb::gil_scoped_release others_run;
    std::visit([&](auto& ghosts) { ghosts.plan(made->call()); }, *ghosts_);
  } catch (const wherry::error& failure) {
    // The exchange may still write to these arrays, and one that was started before to the earlier ones.
    if (goes_on_after(failure)) in_flight_.push_back(std::move(made));
    throw;
  }
  in_flight_.clear();
  return made->shown();
}

template <class Call> auto bound_ghosts::end_in_flight(Call&& call) {
  try {
    const nb::gil_scoped_release others_run;
    return std::visit(call, *ghosts_);
  } catch (const wherry::error& failure) {
    if (!goes_on_after(failure)) in_flight_.clear();
    throw;
  }
}

nb::list bound_ghosts::plan(const nb::list& arrays, const nb::list& coordinates, bool is_float, bool in_place) {
  return make_plan([&](particle_request& request) {
    request.copy_arrays(arrays, in_place, in_ghosts);
    request.set_positions(coordinates, is_float);
  });
}

void bound_ghosts::plan_with_error(const std::string& text) {
  make_plan([&](particle_request&) { refuse(in_ghosts, text); });
}

void bound_ghosts::start(const nb::list& arrays, const nb::list& coordinates, bool is_float, bool back,
                         const std::string& fault) {
  const only_call one(busy_, in_ghosts);
  auto made = std::make_unique<particle_request>(pool_);
  made->refer_to_arrays(arrays, in_ghosts);
  const auto& comm = std::visit([](auto& ghosts) -> const auto& { return ghosts.comm(); }, *ghosts_);
  made->read(comm, in_ghosts, [&] {
    if (!fault.empty()) refuse(in_ghosts, fault);
    made->use_arrays(arrays, in_ghosts);
    if (!coordinates.empty()) made->set_positions(coordinates, is_float);
  });
  {
    const nb::gil_scoped_release others_run;
    std::visit([&](auto& ghosts) { back ? ghosts.start_sum_back(made->call()) : ghosts.start_fill(made->call()); },
               *ghosts_);
  }
  const auto mine = owned();
  made->set_written(back ? 0 : mine, back ? mine : mine + count());
  in_flight_.clear();
  in_flight_.push_back(std::move(made));
}

bool bound_ghosts::test() {
  const only_call one(busy_, in_ghosts);
  const bool has_ended = end_in_flight([](auto& ghosts) { return ghosts.test(); });
  if (has_ended && !in_flight_.empty()) in_flight_.back()->unpack();
  return has_ended;
}

nb::list bound_ghosts::wait() {
  const only_call one(busy_, in_ghosts);
  end_in_flight([](auto& ghosts) { ghosts.wait(); });
  const auto ended = std::move(in_flight_.back());
  in_flight_.clear();
  ended->unpack();
  return ended->shown();
}

void bound_ghosts::drop() {
  const only_call one(busy_, in_ghosts);
  std::visit([](auto& ghosts) { ghosts.drop(std::span<const wherry::detail::particle_column>{}); }, *ghosts_);
}

std::size_t bound_ghosts::owned() const {
  return std::visit([](const auto& ghosts) { return ghosts.owned(); }, *ghosts_);
}
std::size_t bound_ghosts::count() const {
  return std::visit([](const auto& ghosts) { return ghosts.count(); }, *ghosts_);
}
std::vector<int> bound_ghosts::owners() const {
  return std::visit(
      [](const auto& ghosts) {
        std::vector<int> result(ghosts.count());
        for (std::size_t k = 0; k < result.size(); ++k) result[k] = ghosts.owner_of(k);
        return result;
      },
      *ghosts_);
}

std::unique_ptr<bound_ghosts> make_ghosts(const any_particle_exchange& of, std::shared_ptr<memory_pool> pool,
                                          double cutoff, const nb::dict& carry) {
  require_no_child(in_ghosts);
  const auto how = carry_of(carry, in_ghosts);
  std::unique_ptr<any_ghost_particles> made;
  {
    const nb::gil_scoped_release others_run;
    made = std::visit(
        [&]<int N>(const wherry::particle_exchange<N>& exchange) {
          return std::make_unique<any_ghost_particles>(wherry::ghost_particles<N>(exchange, cutoff, how));
        },
        of);
  }
  return std::make_unique<bound_ghosts>(std::move(made), std::move(pool));
}

void bind_ghost_particles(nb::module_& m) {
  nb::class_<bound_ghosts>(m, "BoundGhosts")
      .def("plan", &bound_ghosts::plan, nb::arg("arrays"), nb::arg("coordinates"), nb::arg("is_float"),
           nb::arg("in_place"))
      .def("plan_with_error", &bound_ghosts::plan_with_error, nb::arg("text"))
      .def("start", &bound_ghosts::start, nb::arg("arrays"), nb::arg("coordinates"), nb::arg("is_float"),
           nb::arg("back"), nb::arg("fault"))
      .def("test", &bound_ghosts::test)
      .def("wait", &bound_ghosts::wait)
      .def("drop", &bound_ghosts::drop)
      .def_prop_ro("owned", &bound_ghosts::owned)
      .def_prop_ro("count", &bound_ghosts::count)
      .def_prop_ro("owners", &bound_ghosts::owners);
}

}  // namespace wherry_python
