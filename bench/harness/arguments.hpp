/// @file
/// Command lines of applications and benchmarks: `--name value` and `--name`.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// An error in the command line. Its text gives the correct form.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Takes options one by one; `finish` reports options that were not taken.
class arguments {
 public:
  arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  /// True if `--name` is given.
  bool flag(std::string_view name);
  /// The value after `--name`, or `fallback`.
  std::string text(std::string_view name, std::string_view fallback = {});
  /// @throws usage_error if the value is not a number from `least` to `most`
  long integer(std::string_view name, long fallback, long least, long most);
  double number(std::string_view name, double fallback, double least, double most);
  /// Returns a list such as "32,64"; an Element is std::string, int or long. @throws usage_error for an entry that is
  /// not a number greater than 0
  template <class Element> std::vector<Element> list(std::string_view name, std::vector<Element> fallback);
  /// Returns the entry of `all` whose `name` is the value after `--name`. @throws usage_error that lists the existing
  /// names
  template <class All> const auto& one_of(const All& all, std::string_view name, std::string_view fallback) {
    const auto asked = text(name, fallback);
    std::string names;
    for (const auto& one : all) {
      if (one.name == asked) return one;
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    throw usage_error(std::string(name) + " is '" + asked + "', expected one of: " + names);
  }
  /// Opens the file for records: the file after `--out`, or stdout without that option; null on ranks other than 0.
  /// Collective. @throws usage_error on all ranks if the file cannot be written
  std::FILE* output(int rank);
  /// Collective. Returns the name of a file that rank 0 can write to later; empty if the option is missing and
  /// `fallback` is empty.
  /// @throws usage_error on all ranks if rank 0 cannot write to it
  std::string writable(std::string_view name, std::string_view fallback, int rank);
  /// @throws usage_error for options that were not taken
  void finish() const;

 private:
  std::vector<std::string> words_;
};

/// Runs `body(arguments)` between MPI_Init and MPI_Finalize. A wrong command line prints the text and the usage once
/// and returns 2; `--help` returns 0; any other exception ends the job.
int run_app(int argc, char** argv, const char* usage, int (*body)(arguments&));
/// Runs `body(arguments)` in the same way, without MPI.
int run_alone(int argc, char** argv, const char* usage, int (*body)(arguments&));
/// Runs `body` on this rank, independently of MPI; exceptions other than `usage_error` leave the function.
int run_with(arguments& words, const char* usage, int rank, int (*body)(arguments&));

}  // namespace bench
