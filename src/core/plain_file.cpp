#include "plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

[[noreturn]] void cannot(const char* what, const char* where, error_kind kind) {
  throw error(kind, where, detail::text("cannot ", what, " it: ", std::strerror(errno)));
}

}  // namespace

file_descriptor::file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

file_descriptor& file_descriptor::operator=(file_descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

file_descriptor::~file_descriptor() {
  if (number_ >= 0) ::close(number_);
}

// Not blocking: a pipe must not make us wait for somebody who writes.
plain_file::plain_file(const std::string& path, const char* where)
    : where_(where), handle_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  struct stat facts{};
  if (!handle_ || fstat(handle_.number(), &facts) != 0) cannot("read", where_, error_kind::argument);
  if (!S_ISREG(facts.st_mode)) throw error(error_kind::argument, where_, "it is not an ordinary file");
  size_ = facts.st_size;
}

void plain_file::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const auto got = pread(handle_.number(), bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot("read", where_, error_kind::argument);
    if (got == 0) throw error(error_kind::argument, where_, detail::text("it ends at ", offset));
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

plain_output::plain_output(const std::string& path, const char* where)
    : where_(where), handle_(open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
  if (!handle_) cannot("write", where_, error_kind::argument);
}

void plain_output::write(std::span<const std::byte> bytes) {
  write_at(end_, bytes);
  end_ += static_cast<std::int64_t>(bytes.size());
}

void plain_output::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto put = pwrite(handle_.number(), bytes.data(), bytes.size(), offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) cannot("write", where_, error_kind::resource);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += put;
  }
}

void plain_output::sync() {
  if (fsync(handle_.number()) != 0) cannot("bring to the disk", where_, error_kind::resource);
}

void plain_output::close() {
  const file_descriptor last = std::exchange(handle_, file_descriptor());
  // What close says is asked of a copy, so that the number itself is closed once, whatever is said.
  const int copy = dup(last.number());
  if (copy < 0 || ::close(copy) != 0) cannot("close", where_, error_kind::resource);
}

}  // namespace wherry
