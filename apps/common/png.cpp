#include "common/png.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace apps {
namespace {

using bytes = std::vector<std::uint8_t>;

// The picture is stored without compression, which PNG allows and which needs no library (RFC 1950, 1951 and 2083).

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

bytes png_of(int width, int height, const bytes& dots) {
  bytes header, rows;
  append(header, static_cast<std::uint32_t>(width));
  append(header, static_cast<std::uint32_t>(height));
  for (const int b : {8, 2, 0, 0, 0}) header.push_back(static_cast<std::uint8_t>(b));  // 8 bits, three colours
  const auto row = 3 * static_cast<std::ptrdiff_t>(width);
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

void write_png(const std::string& file, int width, int height, const std::vector<std::uint8_t>& dots) {
  const auto content = png_of(width, height, dots);
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write '" + file + "'");
}

}  // namespace apps
