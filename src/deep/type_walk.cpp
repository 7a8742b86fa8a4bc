#include "wherry/deep/detail/type_walk.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "wherry/deep/detail/class_registry.hpp"
#include "wherry/deep/detail/tokens.hpp"

#include "type_names.hpp"

namespace wherry::deep {

std::string name_of(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    &std::free);
  return name != nullptr ? name.get() : type.name();
}

bool type_walk::is_new(const char* mark) {
  const auto found = std::find(met_.begin(), met_.end(), mark);
  add(static_cast<std::uint64_t>(found - met_.begin()));
  if (found != met_.end()) return false;
  met_.push_back(mark);
  return true;
}

void type_walk::report(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

void type_walk::must_be_complete() const {
  if (!problem_.empty()) refuse(problem_);
  for (const auto* base : bases_) look_over_classes(*base);
}

}  // namespace wherry::deep
