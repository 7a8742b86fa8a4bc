// The header of every file of ours: what it is, the format's version and the writer's byte order come first, the
// header's own checksum last, eight bytes each. What lies between is the format's. Pure; no MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "wherry/core/error.hpp"

namespace wherry {

/// A format, as its headers and the errors about them tell.
struct file_kind {
  /// As PNG's: the first byte is no text, and line ends that somebody has "repaired" show.
  std::array<unsigned char, 8> magic;
  std::uint64_t version;
  std::string_view reader;  ///< who reads it, for errors
  std::string_view alike;   ///< "as ... does", for errors
  std::uint64_t (*checksum)(std::span<const std::byte>);

  /// @throws error(argument) in the reader's name
  [[noreturn]] void damaged(std::string_view what) const { throw error(error_kind::argument, reader, what); }
};

/// Where the format's own numbers begin.
inline constexpr std::size_t sealed_header_facts = 24;

/// Writes the first three numbers, and the checksum of all into the last eight bytes.
void seal(const file_kind& kind, std::span<std::byte> header);
/// @throws error(argument) for what is no header of this kind, of this version and of this machine's byte order
void check_seal(const file_kind& kind, std::span<const std::byte> header);
/// The header's checksum, as it says.
std::uint64_t seal_of(std::span<const std::byte> header);

}  // namespace wherry
