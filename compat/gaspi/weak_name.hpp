// Each procedure is defined under its pgaspi_ name. The gaspi_ name is weak, so that a tool may define it and call the
// pgaspi_ name. (`#pragma weak` would do for GCC; Clang ignores it here.)
#pragma once

/// For use in the file that defines p##name, after its declaration.
#define WHERRY_WEAK_NAME(name) extern "C" [[gnu::weak, gnu::alias("p" #name)]] decltype(p##name) name
