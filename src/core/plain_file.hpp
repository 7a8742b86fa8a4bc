// Files of one process, with errors that give the reason. The errors do not contain the name of the file, because the
// caller adds the name that its user knows. `where` is the public call in errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace wherry {

/// Owns a file descriptor and closes it.
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

/// The result of opening a file: the file, or the reason against it.
struct opened_file {
  file_descriptor file;
  std::string problem{};
  int reason = 0;  ///< a value of errno
};
/// Opens an ordinary file. It refuses pipes, at the other end of which nobody might ever come, and devices, sockets and
/// folders; nothing here waits. A file to be written is not opened through a symbolic link, because whoever places the
/// link could choose the file that is overwritten. Every file whose name a user or the environment gives is opened
/// here.
/// @param how the flags of open(2)
opened_file open_ordinary(const std::string& path, int how);

/// False if a file may not become so long here (ulimit -f): a write up to there would end the program by SIGXFSZ.
bool fits_file_limit(std::int64_t bytes);

/// The whole text of a file that people write; nothing if there is no such file.
/// @throws error(argument) if the file cannot be read, is no ordinary file, or has more than `most` bytes
std::optional<std::string> text_in_file(const std::string& path, std::int64_t most, const char* where);

/// A file to be read.
class plain_file {
 public:
  /// @throws error(argument) if it cannot be read or is no ordinary file
  plain_file(const std::string& path, const char* where);
  plain_file(file_descriptor opened, const char* where);

  file_descriptor release() && { return std::move(handle_); }
  /// The size in bytes when the file was opened.
  std::int64_t size() const { return size_; }
  /// @throws error(argument) at the end of the file
  void read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  const char* where_;
  file_descriptor handle_;
  std::int64_t size_ = 0;
};

/// A file that exists and is empty, to be written.
class plain_output {
 public:
  /// @throws error(argument)
  plain_output(const std::string& path, const char* where);
  plain_output(file_descriptor opened, const char* where);

  /// Writes behind the last write. @throws error(resource) for a full disk
  void write(std::span<const std::byte> bytes);
  /// Writes at any place. @throws error(resource) for a full disk
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  /// Returns when everything is on the disk. @throws error(resource)
  void sync();
  /// Closes the file. Network file systems report some errors only now. @throws error(resource)
  void close();

 private:
  const char* where_;
  file_descriptor handle_;
  std::int64_t end_ = 0;
};

}  // namespace wherry
