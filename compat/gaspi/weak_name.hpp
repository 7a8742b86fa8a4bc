// Each procedure is defined by its pgaspi_ name; the gaspi_ one is weak, so that a tool may define it and call the
// other.
// (`#pragma weak` would do for GCC; Clang takes no notice of it here.)
#pragma once

/// In the file that defines p##name, after its declaration.
#define WHERRY_WEAK_NAME(name) extern "C" [[gnu::weak, gnu::alias("p" #name)]] decltype(p##name) name
