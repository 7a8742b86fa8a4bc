// Elements travel as bytes: a field of strings must not compile, and the message must say why.
#include <string>

#include "wherry/halo/field.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using element = std::string;
#else
using element = double;
#endif

wherry::field<element, 2> use(const wherry::communicator& comm) { return {comm, {4, 4}, 1}; }
