#include "picture.hpp"

#include <fstream>
#include <stdexcept>
#include <string_view>

#include "trace.hpp"

namespace ray_scene {
namespace {

vec colour_of_dot(const scene& s, const picture_size& size, int x, int y) {
  vec sum;
  const int n = size.samples;
  for (int k = 0; k < n * n; ++k) {
    const double at_x = x + (k % n + 0.5) / n, at_y = y + (k / n + 0.5) / n;
    sum = sum + colour_along(s, ray_through(s.view, 2 * at_x / size.width - 1, 1 - 2 * at_y / size.height));
  }
  return 1.0 / (n * n) * sum;
}

/// As screens want it: not the light, but about its square root.
std::uint8_t level(double light) {
  return static_cast<std::uint8_t>(std::lround(255 * std::pow(std::clamp(light, 0.0, 1.0), 1 / 2.2)));
}

// ---------------------------------------------------------------------------------------------------------------- PNG
// Without compression: PNG allows it, and it needs no library (RFC 1950, 1951 and 2083).

void append(bytes& to, std::uint32_t number, int count = 4) {  // highest byte first
  for (int k = count - 1; k >= 0; --k) to.push_back(static_cast<std::uint8_t>(number >> (8 * k)));
}

std::uint32_t crc(const bytes& data) {
  std::uint32_t c = 0xffffffff;
  for (const auto b : data) {
    c ^= b;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1;
  }
  return ~c;
}

void append_chunk(bytes& to, std::string_view kind, const bytes& data) {
  append(to, static_cast<std::uint32_t>(data.size()));
  bytes checked(kind.begin(), kind.end());
  checked.insert(checked.end(), data.begin(), data.end());
  to.insert(to.end(), checked.begin(), checked.end());
  append(to, crc(checked));
}

/// A zlib stream of stored blocks.
bytes stored(const bytes& data) {
  constexpr std::size_t most = 65535;
  bytes result{0x78, 0x01};
  for (std::size_t at = 0; at < data.size(); at += most) {
    const auto size = std::min(most, data.size() - at);
    result.push_back(at + size == data.size() ? 1 : 0);
    for (const auto word : {size, ~size}) {  // lowest byte first
      result.push_back(static_cast<std::uint8_t>(word));
      result.push_back(static_cast<std::uint8_t>(word >> 8));
    }
    result.insert(result.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                  data.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
  std::uint32_t a = 1, b = 0;  // Adler's checksum
  for (const auto byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  append(result, (b << 16) | a);
  return result;
}

bytes png_of(const picture_size& size, const bytes& dots) {
  bytes header, rows;
  append(header, static_cast<std::uint32_t>(size.width));
  append(header, static_cast<std::uint32_t>(size.height));
  for (const int b : {8, 2, 0, 0, 0}) header.push_back(static_cast<std::uint8_t>(b));  // 8 bits, three colours
  const auto row = 3 * static_cast<std::ptrdiff_t>(size.width);
  for (auto from = dots.begin(); from != dots.end(); from += row) {
    rows.push_back(0);  // not predicted from its neighbours
    rows.insert(rows.end(), from, from + row);
  }
  bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", stored(rows));
  append_chunk(file, "IEND", {});
  return file;
}

}  // namespace

std::vector<tile> cut_into_tiles(const picture_size& size, int side) {
  std::vector<tile> all;
  for (int y = 0; y < size.height; y += side)
    for (int x = 0; x < size.width; x += side)
      all.push_back({x, y, std::min(side, size.width - x), std::min(side, size.height - y), {}});
  return all;
}

void render(const scene& s, const picture_size& size, tile& into) {
  into.dots.clear();
  for (int y = into.y; y < into.y + into.height; ++y)
    for (int x = into.x; x < into.x + into.width; ++x) {
      const vec light = colour_of_dot(s, size, x, y);
      for (const double part : {light.x, light.y, light.z}) into.dots.push_back(level(part));
    }
}

bytes put_together(const picture_size& size, const std::vector<tile>& tiles) {
  bytes all(3 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  for (const auto& t : tiles)
    for (int row = 0; row < t.height; ++row)
      std::copy_n(t.dots.begin() + 3 * row * t.width, 3 * t.width, all.begin() + 3 * ((t.y + row) * size.width + t.x));
  return all;
}

void write_png(const std::string& file, const picture_size& size, const bytes& dots) {
  const auto content = png_of(size, dots);
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write '" + file + "'");
}

}  // namespace ray_scene
