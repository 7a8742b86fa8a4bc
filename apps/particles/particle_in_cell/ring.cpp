#include "ring.hpp"

#include <cmath>
#include <cstddef>

#include "common/random_numbers.hpp"

namespace charges {
namespace {

constexpr double pi = 3.14159265358979323846;

void add(particles& p, double x, double y, double vx, double vy, double charge) {
  p.id.push_back(static_cast<int>(p.id.size()));
  p.x.push_back(x), p.y.push_back(y);
  p.vx.push_back(vx), p.vy.push_back(vy);
  p.charge.push_back(charge);
}

}  // namespace

particles two_rings(int cells, int count, int turn) {
  constexpr double radius = 0.25, width = 0.06, apart = 0.2;  // parts of the side
  constexpr double reach = 0.05;                              // the mean radius of the orbits, likewise
  apps::random_numbers random(0);
  particles p;
  for (int i = 0; i < count; ++i) {
    const double charge = i % 2 == 0 ? 1 : -1, middle = 0.5 + charge * apart / 2;
    const double r = radius + width * (random.next() - 0.5), angle = 2 * pi * random.next();
    const double speed = reach * std::sqrt(-2 * std::log(random.next())) * cells * 2 * pi / turn;
    const double direction = 2 * pi * random.next();
    add(p, cells * (middle + r * std::cos(angle)), cells * (0.5 + r * std::sin(angle)), speed * std::cos(direction),
        speed * std::sin(direction), charge);
  }
  return p;
}

particles lattice(int cells) {
  particles p;
  for (int j = 0; j < 2 * cells; ++j)
    for (int i = 0; i < 2 * cells; ++i) add(p, i / 2.0 + 0.25, j / 2.0 + 0.25, 0, 0, 1);
  return p;
}

void push(particles& p, int turn) {
  const double c = std::cos(2 * pi / turn), s = std::sin(2 * pi / turn);
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const double vx = p.vx[i], vy = p.vy[i], side = p.charge[i] > 0 ? s : -s;
    p.vx[i] = c * vx + side * vy;
    p.vy[i] = c * vy - side * vx;
    p.x[i] += p.vx[i];
    p.y[i] += p.vy[i];
  }
}

}  // namespace charges
