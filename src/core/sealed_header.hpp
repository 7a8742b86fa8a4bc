// The header and the checksum (XXH3) that all our files share. A header begins with its kind, the version of the format
// and the byte order of the writer; then come the facts of the format, and last its checksum, eight bytes each. The
// checksum of every other part of a file begins with that of the previous part. No MPI.
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

/// A kind of file, with the words for its errors.
struct file_kind {
  /// As in PNG: the first byte is no text, and converted line ends show.
  std::array<unsigned char, 8> magic;
  std::uint64_t version;
  std::string_view reader;  ///< the reader, for errors
  std::string_view alike;   ///< "like ...", for errors

  /// @throws error(argument) in the name of the reader
  [[noreturn]] void damaged(std::string_view what) const { throw error(error_kind::argument, reader, what); }
};

/// The place at which the facts of the format begin.
inline constexpr std::size_t sealed_header_facts = 24;

/// Makes a header with these facts. The bytes between them and the checksum stay as they are.
void seal(const file_kind& kind, std::span<std::byte> header, std::initializer_list<std::uint64_t> facts);
/// @throws error(argument) unless it is a header of this kind, of this version, and in this machine's byte order
void check_seal(const file_kind& kind, std::span<const std::byte> header);
/// The first facts of a header. @throws as `check_seal`
template <std::size_t Count>
std::array<std::uint64_t, Count> facts_of(const file_kind& kind, std::span<const std::byte> header) {
  check_seal(kind, header);
  std::array<std::uint64_t, Count> facts;
  for (std::size_t i = 0; i < Count; ++i) facts[i] = get_number(header.data() + sealed_header_facts + 8 * i);
  return facts;
}
/// The checksum that the header contains.
std::uint64_t seal_of(std::span<const std::byte> header);

/// "(fingerprint 12ab, expected 34cd)"
std::string other_fingerprint(std::uint64_t found, std::uint64_t expected);

/// The checksum of another part of a file. It reveals parts that are missing, repeated, misplaced or from another file.
/// @param before the checksum of the header, or of the previous part
/// @param what   a word for the kind or the place of this part
std::uint64_t checksum_of(std::uint64_t before, std::uint64_t what, std::span<const std::byte> part);

}  // namespace wherry
