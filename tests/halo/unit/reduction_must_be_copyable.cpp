// And for a reduction.
#include <functional>
#include <string>

#include "wherry/plan/functions.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using element = std::string;
#else
using element = double;
#endif

wherry::reduction use() { return wherry::make_reduction<element>("add", std::plus<>{}); }
