#include "motion/mpi/oracle.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <sstream>

#include "wherry/device/device.hpp"

namespace wherry_test {

namespace {

std::uint64_t number_of(int array, int box, const place& p, int component, int round) {
  return hash(array, box, p[0], p[1], p[2], p[3], p[4], p[5], component, round);
}

}  // namespace

std::byte* grid_memory::at(const place& p, int component) const {
  long offset = component * component_stride;
  for (std::size_t d = 0; d < p.size(); ++d) offset += (p[d] - whole.lower[d]) * strides[d];
  return first + offset;
}

cell_values any_bytes(int element) {
  return {[element](std::uint64_t random, std::byte* cell) {
            for (int i = 0; i < element; ++i) {
              if (i % 8 == 0 && i > 0) random = scramble(random);
              cell[i] = static_cast<std::byte>(random >> (i % 8 * 8));
            }
          },
          nullptr};
}

const grid_memory* array_memory::find(int number) const {
  const auto found = std::ranges::find(grids, number, &grid_memory::number);
  return found == grids.end() ? nullptr : &*found;
}

void array_memory::to_device() const {
  for (std::size_t i = 0; i < on_device.size(); ++i)
    wherry::copy_on_device(on_device[i], pieces[i].data(), pieces[i].size());
}

void array_memory::from_device() const {
  for (std::size_t i = 0; i < on_device.size(); ++i)
    wherry::copy_on_device(pieces[i].data(), on_device[i], pieces[i].size());
}

void array_memory::fill(int round, const cell_values& values) const {
  for (const auto& piece : pieces)
    for (std::size_t i = 0; i < piece.size(); ++i)
      piece[i] = static_cast<std::byte>((i * 37 + static_cast<std::size_t>(round)) * 2654435761u >> 8);
  for (const auto& g : grids)
    for_each_place(g.whole, [&](const place& p) {
      for (int c = 0; c < components; ++c) values.put(number_of(id, g.number, p, c, round), g.at(p, c));
    });
  to_device();
}

expected_bytes::expected_bytes(const array_memory& array) : array_(array) {
  for (const auto& piece : array.pieces) images_.emplace_back(piece.begin(), piece.end());
}

std::byte* expected_bytes::image_of(const std::byte* real) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const auto& piece = array_.pieces[i];
    if (real >= piece.data() && real < piece.data() + piece.size()) return images_[i].data() + (real - piece.data());
  }
  throw std::logic_error("a cell is outside its array's memory");
}

void expected_bytes::apply(const std::vector<cell_move>& moves, int source_id, int round, const cell_values& values) {
  std::vector<std::byte> arriving(static_cast<std::size_t>(array_.element));
  for (const auto& m : moves) {
    const auto* grid = array_.find(m.to);
    if (grid == nullptr) continue;
    for (int c = 0; c < array_.components; ++c) {
      values.put(number_of(source_id, m.from, m.source, c, round), arriving.data());
      auto* const cell = image_of(grid->at(m.destination, c));
      if (values.combine)
        values.combine(cell, arriving.data());
      else
        std::memcpy(cell, arriving.data(), arriving.size());
    }
  }
}

std::optional<std::string> expected_bytes::difference() const {
  array_.from_device();
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const auto& piece = array_.pieces[i];
    if (piece.empty() || std::memcmp(images_[i].data(), piece.data(), piece.size()) == 0) continue;
    const auto differs = std::ranges::mismatch(images_[i], piece).in1 - images_[i].begin();
    std::ostringstream out;
    out << "array " << array_.id << ", piece " << i << ", byte " << differs << " of " << piece.size() << " is "
        << std::to_integer<int>(piece[static_cast<std::size_t>(differs)]) << ", expected "
        << std::to_integer<int>(images_[i][static_cast<std::size_t>(differs)]);
    for (const auto& g : array_.grids)
      for_each_place(g.whole, [&](const place& p) {
        for (int c = 0; c < array_.components; ++c) {
          const auto inside = piece.data() + differs - g.at(p, c);
          if (inside < 0 || inside >= array_.element) return;
          out << ": box " << g.number << ", cell";
          for (const long x : p) out << ' ' << x;
          out << ", component " << c << ", its byte " << inside;
        }
      });
    return std::move(out).str();
  }
  return std::nullopt;
}

}  // namespace wherry_test
