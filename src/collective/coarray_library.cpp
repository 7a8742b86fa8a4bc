#include "coarray_library.hpp"

#include <dlfcn.h>

#include <cstring>
#include <optional>
#include <string>

namespace wherry::collective {
namespace {

/// The library, or null if it is not found. It is never unloaded, because MPI has windows in it.
void* open_library() {
  constexpr const char* name = WHERRY_COARRAYS_SONAME;
  if (dlsym(RTLD_DEFAULT, "wherry_coarray_make") != nullptr) return RTLD_DEFAULT;
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&load_coarrays), &here) != 0 && here.dli_fname != nullptr) {
    std::string beside(here.dli_fname);
    beside.resize(beside.find_last_of('/') + 1);  // npos + 1 is 0: no folder
    if (void* const found = dlopen((beside + name).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) return found;
  }
  return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

template <class Function> bool look_up(void* library, const char* name, Function*& found) {
  void* const place = dlsym(library, name);
  std::memcpy(&found, &place, sizeof place);
  return place != nullptr;
}

std::optional<coarray_library> loaded() {
  if (!built_without_coarrays().empty()) return {};
  void* const library = open_library();
  coarray_library found{};
  const bool all =
      (library != nullptr || RTLD_DEFAULT == nullptr) && look_up(library, "wherry_coarray_make", found.make) &&
      look_up(library, "wherry_coarray_put", found.put) && look_up(library, "wherry_coarray_count", found.count) &&
      look_up(library, "wherry_coarray_bytes", found.bytes) &&
      look_up(library, "wherry_coarray_counters", found.counters);
  return all ? std::optional(found) : std::nullopt;
}

}  // namespace

std::string_view built_without_coarrays() { return WHERRY_NO_COARRAYS; }

const coarray_library* load_coarrays() {
  static const auto library = loaded();
  return library ? &*library : nullptr;
}

}  // namespace wherry::collective
