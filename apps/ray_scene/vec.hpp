/// @file
/// Points, directions and colours.
#pragma once

#include <algorithm>
#include <cmath>

namespace ray_scene {

struct vec {
  double x = 0, y = 0, z = 0;

  double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  bool operator==(const vec&) const = default;
};

inline vec operator+(const vec& a, const vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline vec operator-(const vec& a, const vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline vec operator*(double s, const vec& a) { return {s * a.x, s * a.y, s * a.z}; }
inline vec operator*(const vec& a, const vec& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline double dot(const vec& a, const vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline vec cross(const vec& a, const vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const vec& a) { return std::sqrt(dot(a, a)); }
inline vec unit(const vec& a) { return (1 / length(a)) * a; }
inline vec smaller(const vec& a, const vec& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
inline vec larger(const vec& a, const vec& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

struct ray {
  vec origin, direction;
};

}  // namespace ray_scene
