#include "wherry/particles/ghost_particles.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "wherry/c/particles.h"

#include "convert.hpp"
#include "objects.hpp"
#include "particle_objects.hpp"
#include "program_functions.hpp"

namespace wherry_c {
namespace {

ghost_particles_object& ghosts_of(wherry_ghost_particles ghosts, std::string_view where) {
  return object_of<ghost_particles_object>(ghosts, where, "ghosts");
}

template <int N> int dimensions_of(const wherry::ghost_particles<N>&) { return N; }
int dimensions_of(const ghost_particles_object& one) {
  return std::visit([](const auto& ghosts) { return dimensions_of(ghosts); }, one.ghosts);
}

/// Runs a call for arrays with ghosts, of which an error is one of this rank: `step(ghosts, arguments)`.
/// @param positions null: the arrays have no positions
template <class Step>
wherry_status with_ghost_arrays(wherry_ghost_particles ghosts, const wherry_positions* positions, int array_count,
                                wherry_particle_array* arrays, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] {
    auto& ours = ghosts_of(ghosts, where);
    refuse_in_program_function(where);
    ours.arguments.call = {};
    ours.arguments.set_arrays(arrays, array_count, true, where);
    if (positions != nullptr) ours.arguments.set_positions(*positions, dimensions_of(ours), where);
    std::visit([&](auto& one) { step(one, ours.arguments); }, ours.ghosts);
  });
}

/// Positions in the first arrays.
constexpr wherry_positions in_first_arrays{};
const wherry_positions* or_first_arrays(const wherry_positions* positions) {
  return positions != nullptr ? positions : &in_first_arrays;
}

constexpr auto start_fill = [](auto& ghosts, const particle_arguments& all) { ghosts.start_fill(all.call); };
constexpr auto start_sum_back = [](auto& ghosts, const particle_arguments& all) { ghosts.start_sum_back(all.call); };
constexpr auto fill_ghosts = [](auto& ghosts, const particle_arguments& all) {
  ghosts.start_fill(all.call);
  ghosts.wait();
};
constexpr auto sum_ghosts_back = [](auto& ghosts, const particle_arguments& all) {
  ghosts.start_sum_back(all.call);
  ghosts.wait();
};

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_ghost_particles_create(wherry_particle_exchange exchange, double cutoff,
                                            const wherry_ghost_particle_options* options,
                                            wherry_ghost_particles* result) {
  constexpr auto where = "wherry_ghost_particles_create";
  return creating(result, where, [&] {
    const auto& ours = particles_of(exchange, where);
    return std::visit(
        [&]<int N>(const wherry::particle_exchange<N>& one) {
          wherry::carry_options carry;
          wherry::detail::collectively(one.comm(), where, [&] {
            require_result(result, where, "result");
            carry = carry_of(options_of(options, where).carry, where);
          });
          return std::make_shared<ghost_particles_object>(wherry::ghost_particles<N>(one, cutoff, carry));
        },
        ours.exchange);
  });
}
wherry_status wherry_ghost_particles_free(wherry_ghost_particles* ghosts) {
  constexpr auto where = "wherry_ghost_particles_free";
  return guarded(where, [&] { free_handle<ghost_particles_object>(ghosts, where, "ghosts"); });
}

wherry_status wherry_ghost_particles_plan(wherry_ghost_particles ghosts, const wherry_positions* positions,
                                          int array_count, wherry_particle_array* arrays) {
  constexpr auto where = "wherry_ghost_particles_plan";
  return guarded(where, [&] {
    auto& ours = ghosts_of(ghosts, where);
    refuse_in_program_function(where);
    const int dimensions = dimensions_of(ours);
    std::visit(
        [&](auto& one) {
          one.plan(read_call(ours.arguments, one.comm(), where, [&] {
            ours.arguments.set_arrays(arrays, array_count, true, where);
            ours.arguments.set_positions(*or_first_arrays(positions), dimensions, where);
          }));
        },
        ours.ghosts);
  });
}
wherry_status wherry_ghost_particles_count(wherry_ghost_particles ghosts, int64_t* owned, int64_t* count) {
  constexpr auto where = "wherry_ghost_particles_count";
  return guarded(where, [&] {
    const auto& ours = ghosts_of(ghosts, where);
    std::visit(
        [&](const auto& one) {
          if (owned != nullptr) *owned = static_cast<int64_t>(one.owned());
          if (count != nullptr) *count = static_cast<int64_t>(one.count());
        },
        ours.ghosts);
  });
}
wherry_status wherry_ghost_particles_owner_of(wherry_ghost_particles ghosts, int64_t k, int* rank) {
  constexpr auto where = "wherry_ghost_particles_owner_of";
  return guarded(where, [&] {
    const auto& ours = ghosts_of(ghosts, where);
    require_result(rank, where, "rank");
    if (k < 0) refuse(where, "'k' is ", k);
    *rank = std::visit([&](const auto& one) { return one.owner_of(static_cast<std::size_t>(k)); }, ours.ghosts);
  });
}

wherry_status wherry_ghost_particles_fill(wherry_ghost_particles ghosts, int array_count,
                                          wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, nullptr, array_count, arrays, "wherry_ghost_particles_fill", fill_ghosts);
}
wherry_status wherry_ghost_particles_fill_positions(wherry_ghost_particles ghosts, const wherry_positions* positions,
                                                    int array_count, wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, or_first_arrays(positions), array_count, arrays,
                           "wherry_ghost_particles_fill_positions", fill_ghosts);
}
wherry_status wherry_ghost_particles_sum_back(wherry_ghost_particles ghosts, int array_count,
                                              wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, nullptr, array_count, arrays, "wherry_ghost_particles_sum_back", sum_ghosts_back);
}
wherry_status wherry_ghost_particles_start_fill(wherry_ghost_particles ghosts, int array_count,
                                                wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, nullptr, array_count, arrays, "wherry_ghost_particles_start_fill", start_fill);
}
wherry_status wherry_ghost_particles_start_fill_positions(wherry_ghost_particles ghosts,
                                                          const wherry_positions* positions, int array_count,
                                                          wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, or_first_arrays(positions), array_count, arrays,
                           "wherry_ghost_particles_start_fill_positions", start_fill);
}
wherry_status wherry_ghost_particles_start_sum_back(wherry_ghost_particles ghosts, int array_count,
                                                    wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, nullptr, array_count, arrays, "wherry_ghost_particles_start_sum_back",
                           start_sum_back);
}
wherry_status wherry_ghost_particles_test(wherry_ghost_particles ghosts, int* done) {
  constexpr auto where = "wherry_ghost_particles_test";
  return guarded(where, [&] {
    auto& ours = ghosts_of(ghosts, where);
    refuse_in_program_function(where);
    require_result(done, where, "done");
    *done = 0;
    *done = std::visit([](auto& one) { return one.test(); }, ours.ghosts) ? 1 : 0;
  });
}
wherry_status wherry_ghost_particles_wait(wherry_ghost_particles ghosts) {
  constexpr auto where = "wherry_ghost_particles_wait";
  return guarded(where, [&] {
    refuse_in_program_function(where);
    std::visit([](auto& one) { one.wait(); }, ghosts_of(ghosts, where).ghosts);
  });
}

wherry_status wherry_ghost_particles_resize(wherry_ghost_particles ghosts, int array_count,
                                            wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, nullptr, array_count, arrays, "wherry_ghost_particles_resize",
                           [](auto& one, const particle_arguments& all) {
                             one.resize(std::span<const wherry::detail::particle_column>(all.columns));
                           });
}
wherry_status wherry_ghost_particles_drop(wherry_ghost_particles ghosts, int array_count,
                                          wherry_particle_array* arrays) {
  return with_ghost_arrays(ghosts, nullptr, array_count, arrays, "wherry_ghost_particles_drop",
                           [](auto& one, const particle_arguments& all) {
                             one.drop(std::span<const wherry::detail::particle_column>(all.columns));
                           });
}
}
