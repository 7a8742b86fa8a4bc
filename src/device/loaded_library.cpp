#include "loaded_library.hpp"

#include <link.h>

#include <cstddef>
#include <cstring>

namespace wherry {
namespace {

struct look {
  const char* name;
  unsigned long long loaded_before, loaded = 0;
  bool found = false;
};

/// Called for each library. A result other than 0 ends the round.
int look_at(dl_phdr_info* library, std::size_t, void* what) {
  auto& now = *static_cast<look*>(what);
  now.loaded = library->dlpi_adds;
  if (now.loaded == now.loaded_before) return 1;
  now.found = library->dlpi_name != nullptr && std::strstr(library->dlpi_name, now.name) != nullptr;
  return now.found ? 1 : 0;
}

}  // namespace

bool loaded_library::is_here() {
  if (is_here_) return true;
  look now{name_, loaded_before_};
  dl_iterate_phdr(look_at, &now);
  loaded_before_ = now.loaded;
  return is_here_ = now.found;
}

}  // namespace wherry
