#include "replaced_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "wherry/core/error.hpp"

#include "plain_file.hpp"

namespace wherry {
namespace {

[[noreturn]] void cannot(std::string_view what, const std::string& path, const char* where) {
  const int reason = errno;
  throw error(reason == ENOSPC || reason == EDQUOT ? error_kind::resource : error_kind::argument, where,
              detail::text("cannot ", what, " '", path, "': ", std::strerror(reason)));
}

}  // namespace

std::string part_of(const std::string& path) { return path + ".part"; }

void make_part(const std::string& path, const char* where) {
  const auto part = part_of(path);
  struct stat there{};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    errno = S_ISDIR(there.st_mode) ? EISDIR : EEXIST;
    cannot("write", path, where);
  }
  if (unlink(part.c_str()) != 0 && errno != ENOENT) cannot("replace", part, where);
  const file_descriptor made(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!made) cannot("write", part, where);
}

void put_part_in_place(const std::string& path, bool for_good, const char* where) {
  if (std::rename(part_of(path).c_str(), path.c_str()) != 0) cannot("rename to", path, where);
  if (!for_good) return;
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const file_descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) fsync(opened.number());  // a folder may allow searching but not reading
}

void remove_part(const std::string& path) noexcept { unlink(part_of(path).c_str()); }

}  // namespace wherry
