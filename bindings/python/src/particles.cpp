#include "particles.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bound_ghosts.hpp"
#include "particle_request.hpp"

namespace wherry_python {
namespace {

constexpr std::string_view in_move = "particles";
using numbers = std::vector<wherry::index_t>;
using reals = std::vector<double>;

/// A space as Python describes it: its corners, and the vectors along its sides or none.
struct given_space {
  reals lower, upper;
  std::vector<reals> edges;

  template <int N> wherry::particle_space<N> described() const {
    wherry::particle_space<N> result;
    for (std::size_t d = 0; d < N; ++d) {
      result.lower[d] = lower.at(d);
      result.upper[d] = upper.at(d);
      for (std::size_t e = 0; e < N && !edges.empty(); ++e) result.edges[d][e] = edges.at(d).at(e);
    }
    return result;
  }
};

struct given_options {
  std::string order, algorithm;
  bool neighbors_only = false;

  wherry::particle_options described() const {
    if (order != "stable" && order != "fill_holes")
      refuse(in_move, "'order' is '", order, "', expected 'fill_holes' or 'stable'");
    wherry::particle_options result;
    if (order == "stable") result.order = wherry::particle_order::stable;
    result.neighbors_only = neighbors_only;
    result.algorithm = algorithm;
    return result;
  }
};

template <int N> wherry::point<N> point_of(const numbers& given) {
  wherry::point<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = given.at(d);
  return result;
}
template <int N> wherry::box<N> box_of(const std::pair<numbers, numbers>& corners) {
  return {point_of<N>(corners.first), point_of<N>(corners.second)};
}

template <class T> nb::object owned_array(std::vector<T> values, std::vector<std::size_t> shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  auto* const data = kept->data();
  const nb::capsule owner(kept.release(), [](void* made) noexcept { delete static_cast<std::vector<T>*>(made); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner));
}

}  // namespace

/// An exchange, and the move that is under way.
class particle_mover {
 public:
  explicit particle_mover(any_particle_exchange made)
      : exchange_(std::make_unique<any_particle_exchange>(std::move(made))) {}
  particle_mover(const particle_mover&) = delete;
  particle_mover& operator=(const particle_mover&) = delete;
  ~particle_mover() { end_without_gil(std::move(exchange_)); }

  /// Starts a move. An error in the arguments is one of all ranks, which `wait` raises.
  void start(const nb::list& arrays, const nb::list& coordinates, bool is_float, nb::object owners, nb::object cells,
             nb::object leavers, bool in_place) {
    auto made = std::make_unique<particle_request>(pool_);
    begin(std::move(made), [&](particle_request& request) {
      request.copy_arrays(arrays, in_place, in_move);
      if (!owners.is_none())
        request.set_owners(owners);
      else if (!cells.is_none())
        request.set_cells(cells);
      else
        request.set_positions(coordinates, is_float);
      if (!leavers.is_none()) request.set_leavers(leavers, in_move);
    });
  }
  /// Takes part in a move with an error, which all ranks get.
  void start_with_error(const std::string& text) {
    begin(std::make_unique<particle_request>(pool_), [&](particle_request&) { refuse(in_move, text); });
  }
  bool test() {
    const only_call one(busy_, in_move);
    return advance<bool>([](auto& exchange) { return exchange.test(); });
  }
  nb::tuple wait() {
    const only_call one(busy_, in_move);
    const auto moved = advance<wherry::particle_move>([](auto& exchange) { return exchange.wait(); });
    const auto ended = std::move(request_);
    return nb::make_tuple(moved.left, moved.arrived, moved.count, ended->shown());
  }

  nb::object permutation() {
    const only_call one(busy_, in_move);
    const auto all = std::visit([](const auto& exchange) { return exchange.permutation(); }, *exchange_);
    return owned_array(std::vector<std::int64_t>(all.begin(), all.end()), {all.size()});
  }
  std::vector<int> neighbors() const {
    require_no_child(in_move);
    return std::visit([](const auto& exchange) { return exchange.neighbors(); }, *exchange_);
  }
  /// Of positions in rows of doubles, one behind the other.
  nb::object owners_of(nb::handle positions) const {
    const held_array held(positions, false, in_move, "'positions'");
    const auto count = static_cast<std::size_t>(held.shape({}, {}).extents[0]);
    std::vector<int> result(count);
    visit_positions(held, count, [&](const auto& exchange, std::size_t i, const auto& position) {
      result[i] = exchange.owner_of(position);
    });
    return owned_array(std::move(result), {count});
  }
  nb::object cells_of(nb::handle positions) const {
    const held_array held(positions, false, in_move, "'positions'");
    const auto shape = held.shape({}, {});
    const auto count = static_cast<std::size_t>(shape.extents[0]), each = static_cast<std::size_t>(shape.extents[1]);
    std::vector<std::int64_t> result;
    result.reserve(count * each);
    visit_positions(held, count, [&](const auto& exchange, std::size_t, const auto& position) {
      const auto cell = exchange.cell_of(position);
      result.insert(result.end(), cell.begin(), cell.end());
    });
    return owned_array(std::move(result), {count, each});
  }
  std::unique_ptr<bound_ghosts> ghosts(double cutoff, const nb::dict& carry) const {
    return make_ghosts(*exchange_, pool_, cutoff, carry);
  }

 private:
  template <class Read> void begin(std::unique_ptr<particle_request> made, Read&& read) {
    const only_call one(busy_, in_move);
    const auto& comm = std::visit([](auto& exchange) -> const auto& { return exchange.comm(); }, *exchange_);
    made->read(comm, in_move, [&] { read(*made); });
    {
      const nb::gil_scoped_release others_run;
      std::visit([&](auto& exchange) { exchange.start(made->call()); }, *exchange_);
    }
    request_ = std::move(made);
  }
  /// Calls `call` without the GIL. If its error ends the move, the arguments of the move are given up.
  template <class Result, class Call> Result advance(Call&& call) {
    try {
      const nb::gil_scoped_release others_run;
      return std::visit(call, *exchange_);
    } catch (const wherry::error& failure) {
      if (failure.kind() != wherry::error_kind::timeout && !is_under_way()) request_.reset();
      throw;
    }
  }
  /// A move goes on after an error if it only lacks memory for what has arrived.
  bool is_under_way() {
    try {
      std::visit([](auto& exchange) { return exchange.test(); }, *exchange_);
      return true;
    } catch (const wherry::error&) {
      return false;
    }
  }
  template <class Visit> void visit_positions(const held_array& held, std::size_t count, Visit&& visit) const {
    const auto* const all = reinterpret_cast<const double*>(held.data());
    std::visit(
        [&]<int N>(const wherry::particle_exchange<N>& exchange) {
          for (std::size_t i = 0; i < count; ++i) {
            std::array<double, N> position;
            for (std::size_t d = 0; d < N; ++d) position[d] = all[i * N + d];
            visit(exchange, i, position);
          }
        },
        *exchange_);
  }

  std::shared_ptr<memory_pool> pool_ = std::make_shared<memory_pool>();
  std::unique_ptr<particle_request> request_;
  std::unique_ptr<any_particle_exchange> exchange_;
  bool busy_ = false;
};

namespace {

std::unique_ptr<particle_mover> on_grid(const wherry::process_grid& grid, const numbers& cells,
                                        const given_space& space, const given_options& options) {
  require_no_child(in_move);
  const auto how = options.described();
  const nb::gil_scoped_release others_run;
  return with_particle_dimensions(cells.size(), in_move, [&]<int N>() {
    return std::make_unique<particle_mover>(
        wherry::particle_exchange<N>(grid, point_of<N>(cells), space.described<N>(), how));
  });
}

std::unique_ptr<particle_mover> on_plan(const wherry::communicator& comm,
                                        const std::vector<std::pair<numbers, numbers>>& boxes,
                                        const std::vector<int>& owners, const std::pair<numbers, numbers>& cells,
                                        const std::vector<bool>& periodic, const given_space& space,
                                        const given_options& options) {
  require_no_child(in_move);
  const auto how = options.described();
  const nb::gil_scoped_release others_run;
  return with_particle_dimensions(cells.first.size(), in_move, [&]<int N>() {
    std::vector<wherry::box<N>> all;
    all.reserve(boxes.size());
    for (const auto& one : boxes) all.push_back(box_of<N>(one));
    wherry::domain<N> domain{box_of<N>(cells), {}};
    for (std::size_t d = 0; d < N; ++d) domain.periodic[d] = periodic.at(d);
    return std::make_unique<particle_mover>(wherry::particle_exchange<N>(
        comm, wherry::floor_plan<N>(std::move(all), owners), domain, space.described<N>(), how));
  });
}

std::unique_ptr<particle_mover> by_owner(const wherry::communicator& comm, const given_options& options) {
  require_no_child(in_move);
  const auto how = options.described();
  const nb::gil_scoped_release others_run;
  return std::make_unique<particle_mover>(wherry::particle_exchange<1>(comm, how));
}

}  // namespace

void bind_particles(nb::module_& m) {
  nb::class_<given_space>(m, "ParticleSpace")
      .def(
          "__init__",
          [](given_space* self, reals lower, reals upper, std::vector<reals> edges) {
            new (self) given_space{std::move(lower), std::move(upper), std::move(edges)};
          },
          nb::arg("lower"), nb::arg("upper"), nb::arg("edges"));
  nb::class_<given_options>(m, "ParticleOptions")
      .def(
          "__init__",
          [](given_options* self, std::string order, std::string algorithm, bool neighbors_only) {
            new (self) given_options{std::move(order), std::move(algorithm), neighbors_only};
            static_cast<void>(self->described());
          },
          nb::arg("order"), nb::arg("algorithm"), nb::arg("neighbors_only"));
  nb::class_<particle_mover>(m, "ParticleMover")
      .def("start", &particle_mover::start, nb::arg("arrays"), nb::arg("coordinates"), nb::arg("is_float"),
           nb::arg("owners").none(), nb::arg("cells").none(), nb::arg("leavers").none(), nb::arg("in_place"))
      .def("start_with_error", &particle_mover::start_with_error, nb::arg("text"))
      .def("test", &particle_mover::test)
      .def("wait", &particle_mover::wait)
      .def("permutation", &particle_mover::permutation)
      .def_prop_ro("neighbors", &particle_mover::neighbors)
      .def("owners_of", &particle_mover::owners_of, nb::arg("positions"))
      .def("cells_of", &particle_mover::cells_of, nb::arg("positions"))
      .def("ghosts", &particle_mover::ghosts, nb::arg("cutoff"), nb::arg("carry"));
  m.def("particles_on_grid", &on_grid, nb::arg("grid"), nb::arg("cells"), nb::arg("space"), nb::arg("options"));
  m.def("particles_on_plan", &on_plan, nb::arg("comm"), nb::arg("boxes"), nb::arg("owners"), nb::arg("cells"),
        nb::arg("periodic"), nb::arg("space"), nb::arg("options"));
  m.def("particles_by_owner", &by_owner, nb::arg("comm"), nb::arg("options"));
}

}  // namespace wherry_python
