#include "plain_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

[[noreturn]] void cannot_open(const char* what, const char* where, const std::string& problem) {
  throw error(error_kind::argument, where, detail::text("cannot ", what, " it: ", problem));
}

file_descriptor opened(const char* what, const std::string& path, int how, const char* where) {
  auto made = open_ordinary(path, how);
  if (!made.file) cannot_open(what, where, made.problem);
  return std::move(made.file);
}

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

opened_file open_ordinary(const std::string& path, int how) {
  const int follows = (how & O_ACCMODE) == O_RDONLY ? 0 : O_NOFOLLOW;
  file_descriptor file(open(path.c_str(), how | follows | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666));
  struct stat facts{};
  if (!file || fstat(file.number(), &facts) != 0) {
    const int reason = errno;
    if (reason == ELOOP && follows != 0) return {{}, "it is a symbolic link, which is not followed", reason};
    if (reason == ENXIO) return {{}, "it is not an ordinary file", reason};  // a pipe without a reader
    return {{}, std::strerror(reason), reason};
  }
  if (!S_ISREG(facts.st_mode)) return {{}, "it is not an ordinary file", EINVAL};
  return {std::move(file)};
}

bool fits_file_limit(std::int64_t bytes) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         static_cast<std::uint64_t>(bytes) <= limit.rlim_cur;
}

std::optional<std::string> text_in_file(const std::string& path, std::int64_t most, const char* where) {
  auto made = open_ordinary(path, O_RDONLY);
  if (made.reason == ENOENT) return std::nullopt;
  if (!made.file) cannot_open("read", where, made.problem);
  const plain_file file(std::move(made.file), where);
  if (file.size() > most)
    throw error(error_kind::argument, where, detail::text("it has ", file.size(), " bytes, expected at most ", most));
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

plain_file::plain_file(const std::string& path, const char* where)
    : plain_file(opened("read", path, O_RDONLY, where), where) {}

plain_file::plain_file(file_descriptor opened, const char* where) : where_(where), handle_(std::move(opened)) {
  struct stat facts{};
  if (fstat(handle_.number(), &facts) != 0) cannot("read", where_, error_kind::argument);
  size_ = facts.st_size;
}

void plain_file::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const auto got = pread(handle_.number(), bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot("read", where_, error_kind::argument);
    if (got == 0)
      throw error(error_kind::argument, where_, detail::text("it ends at byte ", offset, ", expected more"));
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

plain_output::plain_output(const std::string& path, const char* where)
    : plain_output(opened("write", path, O_WRONLY, where), where) {}
plain_output::plain_output(file_descriptor opened, const char* where) : where_(where), handle_(std::move(opened)) {}

void plain_output::write(std::span<const std::byte> bytes) {
  write_at(end_, bytes);
  end_ += static_cast<std::int64_t>(bytes.size());
}

void plain_output::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  if (!fits_file_limit(offset + std::ssize(bytes)))
    throw error(error_kind::resource, where_, "cannot write it: File too large (ulimit -f)");
  while (!bytes.empty()) {
    const auto put = pwrite(handle_.number(), bytes.data(), bytes.size(), offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) cannot("write", where_, error_kind::resource);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += put;
  }
}

void plain_output::sync() {
  if (fsync(handle_.number()) != 0) cannot("flush", where_, error_kind::resource);
}

void plain_output::close() {
  const file_descriptor last = std::exchange(handle_, file_descriptor());
  // Errors of close are read from a copy of the descriptor, so that the number itself is closed exactly once.
  const int copy = dup(last.number());
  if (copy < 0 || ::close(copy) != 0) cannot("close", where_, error_kind::resource);
}

}  // namespace wherry
