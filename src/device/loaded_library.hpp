// Whether this program has loaded a library, asked again and again while it has not.
#pragma once

namespace wherry {

class loaded_library {
 public:
  /// @param name a part of its file's name; lives as long as this does
  explicit loaded_library(const char* name) : name_(name) {}

  /// By now, or it was once. Looks only at whether others have been loaded since it looked last. Not from two threads
  /// at a time.
  bool is_here();

 private:
  const char* name_;
  unsigned long long loaded_before_ = 0;  // libraries, in all
  bool is_here_ = false;
};

}  // namespace wherry
