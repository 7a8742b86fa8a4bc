#include "plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

[[noreturn]] void fail(std::string_view what) { throw error(error_kind::argument, "array_file", what); }

}  // namespace

plain_file::descriptor::~descriptor() {
  if (number >= 0) close(number);
}

// Not blocking: a pipe must not make us wait for somebody who writes.
plain_file::plain_file(const std::string& path) : handle_{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)} {
  struct stat facts{};
  if (handle_.number < 0 || fstat(handle_.number, &facts) != 0) fail(text("cannot read it: ", std::strerror(errno)));
  if (!S_ISREG(facts.st_mode)) fail("it is not an ordinary file");
  size_ = facts.st_size;
}

void plain_file::read(index_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const auto got = pread(handle_.number, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(text("cannot read it: ", std::strerror(errno)));
    if (got == 0) fail(text("it ends at ", offset));
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

}  // namespace wherry
