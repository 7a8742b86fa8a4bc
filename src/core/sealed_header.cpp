#include "sealed_header.hpp"

#include <bit>
#include <cstdio>
#include <cstring>

#include "xxhash3.hpp"

namespace wherry {
namespace {

constexpr std::uint64_t byte_order = std::endian::native == std::endian::little ? 1 : 2;
constexpr std::size_t at_version = 8, at_order = 16;

std::uint64_t seal_for(std::span<const std::byte> header) { return xxhash3(header.first(header.size() - 8)); }

}  // namespace

void seal(const file_kind& kind, std::span<std::byte> header, std::initializer_list<std::uint64_t> facts) {
  std::memcpy(header.data(), kind.magic.data(), kind.magic.size());
  put_number(header.data() + at_version, kind.version);
  put_number(header.data() + at_order, byte_order);
  auto* at = header.data() + sealed_header_facts;
  for (const auto fact : facts) {
    put_number(at, fact);
    at += 8;
  }
  put_number(header.last(8).data(), seal_for(header));
}

void check_seal(const file_kind& kind, std::span<const std::byte> header) {
  if (std::memcmp(header.data(), kind.magic.data(), kind.magic.size()) != 0)
    kind.damaged(detail::text("it does not begin like ", kind.alike));
  if (const auto found = get_number(header.data() + at_version); found != kind.version)
    kind.damaged(
        detail::text("it has version ", found, " of the format, and this library reads version ", kind.version));
  if (seal_of(header) != seal_for(header)) kind.damaged("its header is damaged: the checksum is wrong");
  if (const auto order = get_number(header.data() + at_order); order != byte_order)
    kind.damaged(detail::text("it was written on a machine of ", order == 2 ? "big-endian" : "unknown", " byte order"));
}

std::uint64_t seal_of(std::span<const std::byte> header) { return get_number(header.last(8).data()); }

std::string other_fingerprint(std::uint64_t found, std::uint64_t expected) {
  std::array<char, 80> said;
  std::snprintf(said.data(), said.size(), "(fingerprint %llx, expected %llx)", static_cast<unsigned long long>(found),
                static_cast<unsigned long long>(expected));
  return said.data();
}

std::uint64_t checksum_of(std::uint64_t before, std::uint64_t what, std::span<const std::byte> part) {
  return xxhash3(part, before ^ what);
}

}  // namespace wherry
