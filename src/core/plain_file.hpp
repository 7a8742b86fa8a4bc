// Files as one process reads and writes them, with errors that say why. The errors do not name the file, because the
// caller knows best how it is called. `where` is the public call that they name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

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

/// What opening a file has come to: the file, or why there is none.
struct opened_file {
  file_descriptor file;
  std::string problem{};
  int reason = 0;  ///< of errno
};
/// Opens an ordinary file: no pipe, at whose other end somebody might never come, no device, no socket and no folder.
/// Nothing here waits. A file that is to be written is not looked for behind a symbolic link, since whoever can place a
/// link could choose what we overwrite. Every file whose name a user or the environment gives is opened here.
/// @param how as of open(2)
opened_file open_ordinary(const std::string& path, int how);

/// False: a file may not become so long here (ulimit -f), and a write up to there would end the program by SIGXFSZ.
bool fits_file_limit(std::int64_t bytes);

/// The whole of a file that people write; nothing where there is no such file.
/// @throws error(argument) for a file that cannot be read, is no ordinary one, or has more than `most` bytes
std::optional<std::string> text_in_file(const std::string& path, std::int64_t most, const char* where);

/// One that is read.
class plain_file {
 public:
  /// @throws error(argument) for what cannot be read or is no ordinary file
  plain_file(const std::string& path, const char* where);
  plain_file(file_descriptor opened, const char* where);

  file_descriptor release() && { return std::move(handle_); }
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
  plain_output(file_descriptor opened, const char* where);

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
