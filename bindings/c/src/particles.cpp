#include "wherry/c/particles.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "wherry/particles/particle_exchange.hpp"

#include "blocks.hpp"
#include "boxes.hpp"
#include "convert.hpp"
#include "objects.hpp"
#include "particle_objects.hpp"
#include "program_functions.hpp"

namespace wherry_c {

namespace {

constexpr int most_dimensions = WHERRY_MAX_PARTICLE_DIMENSIONS;
static_assert(most_dimensions == wherry::detail::most_particle_dimensions);

template <int N> int dimensions_of(const wherry::particle_exchange<N>&) { return N; }
int dimensions_of(const particle_exchange_object& one) {
  return std::visit([](const auto& exchange) { return dimensions_of(exchange); }, one.exchange);
}
wherry::particle_options particle_options_of(const wherry_particle_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::particle_options result;
  if (options.order != WHERRY_PARTICLES_FILL_HOLES && options.order != WHERRY_PARTICLES_STABLE)
    refuse(where, "'options.order' is ", options.order, ", which does not exist");
  if (options.order == WHERRY_PARTICLES_STABLE) result.order = wherry::particle_order::stable;
  result.neighbors_only = options.neighbors_only != 0;
  if (options.algorithm != nullptr) result.algorithm = options.algorithm;
  return result;
}

template <int N> wherry::particle_space<N> particle_space_of(const wherry_particle_space& given) {
  wherry::particle_space<N> result;
  for (std::size_t d = 0; d < N; ++d) {
    result.lower[d] = given.lower[d];
    result.upper[d] = given.upper[d];
    for (std::size_t e = 0; e < N; ++e) result.edges[d][e] = given.edges[d][e];
  }
  if (given.fractions != nullptr)
    result.fractions = [function = given.fractions,
                        context = given.context](const typename wherry::particle_space<N>::position& x) {
      typename wherry::particle_space<N>::position f{};
      call_program(function, x.data(), f.data(), context);
      return f;
    };
  return result;
}

void check_space(const wherry_particle_space* space, std::string_view where) {
  require_result(space, where, "space");
  if (space->dimensions < 1 || space->dimensions > most_dimensions)
    refuse(where, "'space' has ", space->dimensions, " dimensions, expected 1 to ", most_dimensions);
}
/// The number of dimensions, which ranks compare; a space that makes no sense is refused besides.
std::uint32_t dimensions_in(const wherry_particle_space* space) {
  return static_cast<std::uint32_t>(space != nullptr ? space->dimensions : 0);
}

template <int N> std::array<double, N> position_of(const double* position, std::string_view where) {
  require_result(position, where, "position");
  std::array<double, N> result;
  for (std::size_t d = 0; d < N; ++d) result[d] = position[d];
  return result;
}

void begin(particle_exchange_object& ours, const wherry_particle_choice* choice, int array_count,
           wherry_particle_array* arrays, std::string_view where) {
  refuse_in_program_function(where);
  const int dimensions = dimensions_of(ours);
  std::visit(
      [&](auto& exchange) {
        exchange.start(read_call(ours.arguments, exchange.comm(), where, [&] {
          ours.arguments.set_arrays(arrays, array_count, false, where);
          ours.arguments.set_choice(choice, dimensions, where);
        }));
      },
      ours.exchange);
}
void end(particle_exchange_object& ours, wherry_particle_move* result, std::string_view where) {
  refuse_in_program_function(where);
  const auto moved = std::visit([](auto& exchange) { return exchange.wait(); }, ours.exchange);
  if (result != nullptr)
    *result = {static_cast<int64_t>(moved.left), static_cast<int64_t>(moved.arrived),
               static_cast<int64_t>(moved.count)};
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_particle_exchange_create(wherry_process_grid grid, const int64_t* cells,
                                              const wherry_particle_space* space,
                                              const wherry_particle_options* options,
                                              wherry_particle_exchange* result) {
  constexpr auto where = "wherry_particle_exchange_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::process_grid>(grid, where, "grid");
    wherry::particle_options wanted;
    const auto check = [&] {
      require_result(result, where, "result");
      check_space(space, where);
      wanted = particle_options_of(options, where);
    };
    wherry::detail::collectively(ours.comm(), where, check, 2 * dimensions_in(space) + (cells != nullptr ? 1 : 0),
                                 "ranks disagree in the dimensions of 'space', or in whether there are 'cells'");
    return with_dimensions<most_dimensions>(space->dimensions, where, [&]<int N>() {
      auto made = cells == nullptr
                      ? wherry::particle_exchange<N>(ours, particle_space_of<N>(*space), wanted)
                      : wherry::particle_exchange<N>(ours, point_of<N>(cells), particle_space_of<N>(*space), wanted);
      return std::make_shared<particle_exchange_object>(std::move(made));
    });
  });
}
wherry_status wherry_particle_exchange_create_on_plan(wherry_communicator comm, wherry_floor_plan plan,
                                                      const wherry_domain* cells, const wherry_particle_space* space,
                                                      const wherry_particle_options* options,
                                                      wherry_particle_exchange* result) {
  constexpr auto where = "wherry_particle_exchange_create_on_plan";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::particle_options wanted;
    const auto check = [&] {
      require_result(result, where, "result");
      check_space(space, where);
      require_result(cells, where, "cells");
      with_dimensions<most_dimensions>(space->dimensions, where, [&]<int N>() {
        plan_in<N>(plan, where, "plan");
        box_in<N>(cells->cells, where, "cells");
      });
      wanted = particle_options_of(options, where);
    };
    wherry::detail::collectively(ours, where, check, dimensions_in(space),
                                 "ranks disagree in the dimensions of 'space'");
    return with_dimensions<most_dimensions>(space->dimensions, where, [&]<int N>() {
      wherry::particle_exchange<N> made(ours, plan_in<N>(plan, where, "plan"), domain_in<N>(cells, where),
                                        particle_space_of<N>(*space), wanted);
      return std::make_shared<particle_exchange_object>(std::move(made));
    });
  });
}
wherry_status wherry_particle_exchange_create_by_owner(wherry_communicator comm, const wherry_particle_options* options,
                                                       wherry_particle_exchange* result) {
  constexpr auto where = "wherry_particle_exchange_create_by_owner";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::particle_options wanted;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      wanted = particle_options_of(options, where);
    });
    return std::make_shared<particle_exchange_object>(wherry::particle_exchange<1>(ours, wanted));
  });
}
wherry_status wherry_particle_exchange_free(wherry_particle_exchange* exchange) {
  constexpr auto where = "wherry_particle_exchange_free";
  return guarded(where, [&] { free_handle<particle_exchange_object>(exchange, where, "exchange"); });
}

void* wherry_reallocate(void* data, size_t bytes, void* context) {
  static_cast<void>(context);
  return std::realloc(data, bytes > 0 ? bytes : 1);
}

wherry_status wherry_particle_exchange_run(wherry_particle_exchange exchange, const wherry_particle_choice* choice,
                                           int array_count, wherry_particle_array* arrays,
                                           wherry_particle_move* result) {
  constexpr auto where = "wherry_particle_exchange_run";
  return guarded(where, [&] {
    auto& ours = particles_of(exchange, where);
    begin(ours, choice, array_count, arrays, where);
    end(ours, result, where);
  });
}
wherry_status wherry_particle_exchange_start(wherry_particle_exchange exchange, const wherry_particle_choice* choice,
                                             int array_count, wherry_particle_array* arrays) {
  constexpr auto where = "wherry_particle_exchange_start";
  return guarded(where, [&] { begin(particles_of(exchange, where), choice, array_count, arrays, where); });
}
wherry_status wherry_particle_exchange_test(wherry_particle_exchange exchange, int* done) {
  constexpr auto where = "wherry_particle_exchange_test";
  return guarded(where, [&] {
    auto& ours = particles_of(exchange, where);
    refuse_in_program_function(where);
    require_result(done, where, "done");
    *done = 0;
    *done = std::visit([](auto& one) { return one.test(); }, ours.exchange) ? 1 : 0;
  });
}
wherry_status wherry_particle_exchange_wait(wherry_particle_exchange exchange, wherry_particle_move* result) {
  constexpr auto where = "wherry_particle_exchange_wait";
  return guarded(where, [&] { end(particles_of(exchange, where), result, where); });
}

wherry_status wherry_particle_exchange_permutation(wherry_particle_exchange exchange, const int64_t** order,
                                                   int64_t* count) {
  constexpr auto where = "wherry_particle_exchange_permutation";
  return guarded(where, [&] {
    auto& ours = particles_of(exchange, where);
    require_result(order, where, "order");
    require_result(count, where, "count");
    const auto all = std::visit([](const auto& one) { return one.permutation(); }, ours.exchange);
    ours.order.assign(all.begin(), all.end());
    *order = ours.order.data();
    *count = static_cast<int64_t>(ours.order.size());
  });
}
wherry_status wherry_particle_exchange_neighbors(wherry_particle_exchange exchange, const int** ranks, int* count) {
  constexpr auto where = "wherry_particle_exchange_neighbors";
  return guarded(where, [&] {
    auto& ours = particles_of(exchange, where);
    require_result(ranks, where, "ranks");
    require_result(count, where, "count");
    ours.neighbors = std::visit([](const auto& one) { return one.neighbors(); }, ours.exchange);
    *ranks = ours.neighbors.data();
    *count = static_cast<int>(ours.neighbors.size());
  });
}
wherry_status wherry_particle_exchange_owner_of(wherry_particle_exchange exchange, const double* position, int* rank) {
  constexpr auto where = "wherry_particle_exchange_owner_of";
  return guarded(where, [&] {
    const auto& ours = particles_of(exchange, where);
    require_result(rank, where, "rank");
    *rank = std::visit(
        [&]<int N>(const wherry::particle_exchange<N>& one) { return one.owner_of(position_of<N>(position, where)); },
        ours.exchange);
  });
}
wherry_status wherry_particle_exchange_cell_of(wherry_particle_exchange exchange, const double* position,
                                               int64_t* cell) {
  constexpr auto where = "wherry_particle_exchange_cell_of";
  return guarded(where, [&] {
    const auto& ours = particles_of(exchange, where);
    require_result(cell, where, "cell");
    std::visit(
        [&]<int N>(const wherry::particle_exchange<N>& one) {
          const auto found = one.cell_of(position_of<N>(position, where));
          for (std::size_t d = 0; d < N; ++d) cell[d] = found[d];
        },
        ours.exchange);
  });
}
}
