// The names of types as they stand in the source.
#pragma once

#include <string>
#include <typeinfo>

namespace wherry::deep {

std::string name_of(const std::type_info& type);

}  // namespace wherry::deep
