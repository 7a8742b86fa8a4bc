#include "system_text.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "plain_file.hpp"

namespace wherry {

std::string system_text(const std::string& path, std::size_t most) {
  const file_descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  constexpr std::size_t step = 4096;
  std::string text;
  while (file && text.size() < most) {
    const auto before = text.size();
    text.resize(before + std::min(step, most - before));
    const auto got = read(file.number(), text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0 || (got < 0 && errno != EINTR)) break;
  }
  return text;
}

}  // namespace wherry
