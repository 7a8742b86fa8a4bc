// Files as one process reads and writes them, with errors that say why. They do not name the file: who calls knows best
// how. `where` is the public call that they name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wherry {

/// Closes itself.
class file_descriptor {
 public:
  file_descriptor() = default;
  explicit file_descriptor(int number) : number_(number) {}
  file_descriptor(file_descriptor&& other) noexcept;
  file_descriptor& operator=(file_descriptor&& other) noexcept;
  ~file_descriptor();

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// One that is read.
class plain_file {
 public:
  /// @throws error(argument) for what cannot be read or is no ordinary file
  plain_file(const std::string& path, const char* where);

  /// In bytes, when it was opened.
  std::int64_t size() const { return size_; }
  /// @throws error(argument) at the end of the file
  void read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  const char* where_;
  file_descriptor handle_;
  std::int64_t size_ = 0;
};

/// One that is there and empty, and is written from one end to the other.
class plain_output {
 public:
  /// @throws error(argument)
  plain_output(const std::string& path, const char* where);

  /// Where the last write ended. @throws error(resource) for a full disk
  void write(std::span<const std::byte> bytes);
  /// Anywhere. @throws error(resource) for a full disk
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  /// Returns when all that was written is on the disk. @throws error(resource)
  void sync();
  /// Network file systems say only now what went wrong. @throws error(resource)
  void close();

 private:
  const char* where_;
  file_descriptor handle_;
  std::int64_t end_ = 0;
};

}  // namespace wherry
