// The format and the state of a file of many arrays: for each array a record, followed by the image of an array file.
//
//   record   192 bytes, the last 8 of which are their checksum:
//            step, bytes of the image, checksum of the record before, name
//   image    see array_file_format.hpp
//
// A record is written last, when its image is on the disk. Until then a record that marks the array as unfinished
// stands in its place, so that a file is known to be a series even if its first array was never finished.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/blocks/array_series.hpp"
#include "wherry/core/communicator.hpp"

#include "core/plain_file.hpp"

namespace wherry {
namespace array_file {

inline constexpr index_t record_bytes = 192;
using record_image = std::array<std::byte, static_cast<std::size_t>(record_bytes)>;

struct record {
  std::string name;
  index_t step = 0;
  index_t begin = 0, bytes = 0;  // offset in the file; size of the image

  index_t image() const { return begin + record_bytes; }
  index_t end() const { return image() + bytes; }
};

enum class record_state { begun, finished };

/// @param before the checksum of the record before; 0 for the first record
record_image encode(const record& facts, std::uint64_t before, record_state now);

}  // namespace array_file

struct array_series::state {
  static constexpr const char* handle = "array_series";

  communicator comm;
  std::string path;
  std::vector<entry> entries;
  index_t end = 0;         // end of the last complete array
  std::uint64_t last = 0;  // checksum of the last record
  bool busy = false;       // an array is being written
  file_descriptor locked;  // held by rank 0 while an array is being written

  /// Checks that an array can be added. Call it inside a collective step; it changes nothing.
  void check(const std::string& name, index_t step) const;
  /// Locks the file on rank 0 until `release`, and removes an unfinished array. Call it inside another collective step.
  /// @throws error(state) if another writer is at work, or has changed the file since it was read
  void claim(const array_file::record& next);
  void release() noexcept;
  void add(const array_file::record& record, const array_file::record_image& image);
};

}  // namespace wherry
