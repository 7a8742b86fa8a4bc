// A library that says when it is loaded.
#include <cstdio>

namespace {

[[gnu::constructor]] void say() { std::puts("a driver has been loaded"); }

}  // namespace
