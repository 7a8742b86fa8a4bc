// A file of many arrays: for each a record, and behind it the image of an array file.
//
//   record   192 bytes, the last eight their checksum: step, bytes of the image, the checksum of the record before,
//   name image    as array_file_format.hpp says
//
// A record is written last, when its image is on the disk; until then there are zeros in its place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/blocks/array_series.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {
namespace array_file {

inline constexpr index_t record_bytes = 192;
using record_image = std::array<std::byte, static_cast<std::size_t>(record_bytes)>;

struct record {
  std::string name;
  index_t step = 0;
  index_t begin = 0, bytes = 0;  // in the file; of the image

  index_t image() const { return begin + record_bytes; }
  index_t end() const { return image() + bytes; }
};

/// @param before  the checksum of the record before, 0 for the first one
record_image encode(const record& facts, std::uint64_t before);

}  // namespace array_file

struct array_series::state {
  static constexpr const char* handle = "array_series";

  communicator comm;
  std::string path;
  std::vector<entry> entries;
  index_t end = 0;         // of what is complete
  std::uint64_t last = 0;  // checksum of the last record
  bool busy = false;       // an array is being written

  /// Before an array is added: to be called inside of a collective step. On rank 0 what is behind the end goes.
  void prepare(const std::string& name, index_t step) const;
  void add(const array_file::record& record, const array_file::record_image& image);
};

}  // namespace wherry
