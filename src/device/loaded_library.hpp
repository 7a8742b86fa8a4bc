// Tells whether the program has loaded a library. It can be asked repeatedly, at little cost.
#pragma once

namespace wherry {

class loaded_library {
 public:
  /// @param name a part of the library's file name; must live as long as this object
  explicit loaded_library(const char* name) : name_(name) {}

  /// True if the library is loaded, or was once. The call examines the libraries only if the program has loaded another
  /// one since the last call. Not thread-safe.
  bool is_here();

 private:
  const char* name_;
  unsigned long long loaded_before_ = 0;  // the number of libraries that had been loaded
  bool is_here_ = false;
};

}  // namespace wherry
