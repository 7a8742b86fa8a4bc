// A file of many arrays: for each a record, and behind it the image of an array file.
//
//   record   192 bytes, the last eight their checksum: step, bytes of the image, the checksum of the record before,
//   name image    as array_file_format.hpp says
//
// A record is written last, when its image is on the disk. Until then one that only says so stands in its place, by
// which a file whose first array was never finished is known for a series, too.
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
  index_t begin = 0, bytes = 0;  // in the file; of the image

  index_t image() const { return begin + record_bytes; }
  index_t end() const { return image() + bytes; }
};

enum class record_state { begun, finished };

/// @param before  the checksum of the record before, 0 for the first one
record_image encode(const record& facts, std::uint64_t before, record_state now);

}  // namespace array_file

struct array_series::state {
  static constexpr const char* handle = "array_series";

  communicator comm;
  std::string path;
  std::vector<entry> entries;
  index_t end = 0;         // of what is complete
  std::uint64_t last = 0;  // checksum of the last record
  bool busy = false;       // an array is being written
  file_descriptor locked;  // meanwhile, on rank 0

  /// Before an array is added: to be called inside of a collective step. Changes nothing.
  void check(const std::string& name, index_t step) const;
  /// Then, inside of another one: on rank 0 nobody else writes to the file until `release`, and what somebody began and
  /// did not finish goes.
  /// @throws error(state) where somebody else is writing, or has changed the file since it was read
  void claim(const array_file::record& next);
  void release() noexcept;
  void add(const array_file::record& record, const array_file::record_image& image);
};

}  // namespace wherry
