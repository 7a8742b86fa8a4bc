/// @file
/// Command lines of the applications: `--name value` and `--name`.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace apps {

/// A command line that is wrong; the text says what would be right.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Takes options one by one; `finish` complains about what nobody took.
class arguments {
 public:
  arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  /// True when `--name` stands there.
  bool flag(std::string_view name);
  /// The value after `--name`, or `fallback`.
  std::string text(std::string_view name, std::string_view fallback = {});
  /// @throws usage_error for what is no number from `least` to `most`
  long integer(std::string_view name, long fallback, long least, long most);
  double number(std::string_view name, double fallback, double least, double most);
  /// @throws usage_error for words that are left
  void finish() const;

 private:
  std::vector<std::string> words_;
};

/// Runs `body(arguments)` between MPI_Init and MPI_Finalize. A wrong command line prints the text and the usage once
/// and returns 2; `--help` returns 0; any other exception ends the job.
int run_app(int argc, char** argv, const char* usage, int (*body)(arguments&));

}  // namespace apps
