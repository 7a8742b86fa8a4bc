#include <charconv>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "mesh.hpp"

namespace ray_scene {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Reads one line, and reports an error that names the line.
class obj_line {
 public:
  obj_line(const std::string& text, const std::string& name, long number)
      : words_(text), name_(name), number_(number) {}

  std::string word() {
    std::string found;
    words_ >> found;
    return found;
  }
  vec three_numbers() {
    vec v;
    if (!(words_ >> v.x >> v.y >> v.z) || !std::isfinite(v.x + v.y + v.z)) complain("three numbers are expected");
    return v;
  }
  /// Converts an index of the file, which counts from 1, or backwards from -1 (the last one so far). The result counts
  /// from 0.
  std::size_t place(const std::string& text, std::size_t so_far) const {
    long given = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), given);
    const long found = given > 0 ? given - 1 : static_cast<long>(so_far) + given;
    if (status != std::errc{} || end != text.data() + text.size() || given == 0 || found < 0 ||
        found >= static_cast<long>(so_far))
      complain("there is no '" + text + "'");
    return static_cast<std::size_t>(found);
  }
  [[noreturn]] void complain(const std::string& what) const {
    throw std::runtime_error(name_ + ", line " + std::to_string(number_) + ": " + what);
  }

 private:
  std::istringstream words_;
  const std::string& name_;
  long number_;
};

/// "7", "7/2", "7//3" or "7/2/3": point, texture, normal.
mesh::corner read_corner(const obj_line& line, const std::string& word, const mesh& so_far) {
  const auto first = word.find('/'), second = first == word.npos ? word.npos : word.find('/', first + 1);
  mesh::corner found{line.place(word.substr(0, first), so_far.points.size()), none};
  if (second != word.npos) found.normal = line.place(word.substr(second + 1), so_far.normals.size());
  return found;
}

void read_face(obj_line& line, mesh& result) {
  std::vector<mesh::corner> polygon;
  for (auto word = line.word(); !word.empty(); word = line.word()) polygon.push_back(read_corner(line, word, result));
  if (polygon.size() < 3) line.complain("a face has at least three corners");
  for (std::size_t k = 2; k < polygon.size(); ++k) result.faces.push_back({polygon[0], polygon[k - 1], polygon[k]});
}

void add_missing_normals(mesh& m) {
  std::vector<vec> mean(m.points.size());
  for (const auto& f : m.faces) {
    const vec& at = m.points[f[0].point];
    const vec n = cross(m.points[f[1].point] - at, m.points[f[2].point] - at);
    for (const auto& c : f) mean[c.point] = mean[c.point] + n;
  }
  const std::size_t given = m.normals.size();
  for (const auto& n : mean) m.normals.push_back(length(n) > 0 ? unit(n) : vec{0, 0, 1});
  for (auto& f : m.faces)
    for (auto& c : f)
      if (c.normal == none) c.normal = given + c.point;
}

}  // namespace

mesh read_obj(std::istream& from, const std::string& name) {
  mesh result;
  std::string text;
  for (long number = 1; std::getline(from, text); ++number) {
    obj_line line(text, name, number);
    const auto kind = line.word();
    if (kind == "v") result.points.push_back(line.three_numbers());
    if (kind == "vn") result.normals.push_back(line.three_numbers());
    if (kind == "f") read_face(line, result);
  }
  if (result.faces.empty()) throw std::runtime_error(name + " has no faces, expected a Wavefront OBJ mesh");
  add_missing_normals(result);
  return result;
}

void write_obj(std::ostream& to, const mesh& what) {
  to.precision(17);
  for (const auto& p : what.points) to << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
  for (const auto& n : what.normals) to << "vn " << n.x << ' ' << n.y << ' ' << n.z << '\n';
  for (const auto& f : what.faces) {
    to << 'f';
    for (const auto& c : f) to << ' ' << c.point + 1 << "//" << c.normal + 1;
    to << '\n';
  }
}

}  // namespace ray_scene
