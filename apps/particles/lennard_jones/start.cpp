#include "start.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include "common/random_numbers.hpp"

namespace liquid {
namespace {

/// Draws numbers of a normal distribution, by the method of Box and Muller.
void draw(apps::random_numbers& random, std::vector<double>& velocities) {
  for (auto& v : velocities)
    v = std::sqrt(-2 * std::log(random.next())) * std::cos(2 * 3.14159265358979323846 * random.next());
}

void remove_mean(std::vector<double>& velocities) {
  double sum = 0;
  for (const double v : velocities) sum += v;
  for (auto& v : velocities) v -= sum / static_cast<double>(velocities.size());
}

}  // namespace

double box_of_liquid::side() const { return std::cbrt(count() / density); }

particles crystal(const box_of_liquid& box) {
  constexpr std::array<std::array<double, 3>, 4> sites{
      {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}}};
  const double width = box.side() / box.cells;
  particles all;
  for (int k = 0; k < box.cells; ++k)
    for (int j = 0; j < box.cells; ++j)
      for (int i = 0; i < box.cells; ++i)
        for (const auto& site : sites) {
          all.x.push_back((i + site[0]) * width);
          all.y.push_back((j + site[1]) * width);
          all.z.push_back((k + site[2]) * width);
          all.id.push_back(static_cast<int>(all.id.size()));
        }
  apps::random_numbers random(static_cast<std::uint64_t>(box.seed) << 24);
  double square = 0;
  for (auto* velocities : {&all.vx, &all.vy, &all.vz}) {
    velocities->resize(all.x.size());
    draw(random, *velocities);
    remove_mean(*velocities);
    for (const double v : *velocities) square += v * v;
  }
  const double factor = std::sqrt(3 * (box.count() - 1) * box.temperature / square);
  for (auto* velocities : {&all.vx, &all.vy, &all.vz})
    for (auto& v : *velocities) v *= factor;
  return all;
}

}  // namespace liquid
