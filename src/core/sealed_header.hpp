// What all files of ours have in common: the header and the checksum, which is XXH3. A header says first what it is,
// the format's version and the writer's byte order; then come the format's own facts, and last its checksum, eight
// bytes each. Each other part of a file has a checksum that begins with the one before it. Pure; no MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "wherry/core/error.hpp"

#include "stored_numbers.hpp"

namespace wherry {

/// A format, as its headers and the errors about them tell.
struct file_kind {
  /// As PNG's: the first byte is no text, and line ends that somebody has "repaired" show.
  std::array<unsigned char, 8> magic;
  std::uint64_t version;
  std::string_view reader;  ///< who reads it, for errors
  std::string_view alike;   ///< "as ... does", for errors

  /// @throws error(argument) in the reader's name
  [[noreturn]] void damaged(std::string_view what) const { throw error(error_kind::argument, reader, what); }
};

/// Where the format's own facts begin.
inline constexpr std::size_t sealed_header_facts = 24;

/// Makes a header with these facts. What lies between them and the checksum stays as it is.
void seal(const file_kind& kind, std::span<std::byte> header, std::initializer_list<std::uint64_t> facts);
/// @throws error(argument) for what is no header of this kind, of this version and of this machine's byte order
void check_seal(const file_kind& kind, std::span<const std::byte> header);
/// The first facts of a header. @throws as `check_seal`
template <std::size_t Count>
std::array<std::uint64_t, Count> facts_of(const file_kind& kind, std::span<const std::byte> header) {
  check_seal(kind, header);
  std::array<std::uint64_t, Count> facts;
  for (std::size_t i = 0; i < Count; ++i) facts[i] = get_number(header.data() + sealed_header_facts + 8 * i);
  return facts;
}
/// The header's checksum, as it says.
std::uint64_t seal_of(std::span<const std::byte> header);

/// "(fingerprint 12ab, expected 34cd)"
std::string other_fingerprint(std::uint64_t found, std::uint64_t expected);

/// The checksum of another part of a file, so that what is missing, twice, elsewhere or of another file is found out.
/// @param before that of the header, or of the part before
/// @param what   a word that says what this part is, or where
std::uint64_t checksum_of(std::uint64_t before, std::uint64_t what, std::span<const std::byte> part);

}  // namespace wherry
