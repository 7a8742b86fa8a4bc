// A file as one process reads it, with errors that say why.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "wherry/geometry/point.hpp"

namespace wherry {

class plain_file {
 public:
  /// @throws error(argument) for what cannot be read or is no ordinary file
  explicit plain_file(const std::string& path);
  plain_file(const plain_file&) = delete;
  plain_file& operator=(const plain_file&) = delete;

  index_t size() const { return size_; }
  /// @throws error(argument) at the end of the file
  void read(index_t offset, std::span<std::byte> bytes) const;

 private:
  struct descriptor {
    int number;
    ~descriptor();
  } handle_;
  index_t size_ = 0;
};

}  // namespace wherry
