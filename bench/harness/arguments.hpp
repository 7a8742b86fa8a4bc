/// @file
/// Command lines of applications and benchmarks: `--name value` and `--name`.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

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
  /// "32,64"; an Element is std::string, int or long. @throws usage_error for what is no number greater than 0
  template <class Element> std::vector<Element> list(std::string_view name, std::vector<Element> fallback);
  /// The one of `all` that has the value after `--name` as its `name`. @throws usage_error that lists the names there
  /// are
  template <class All> const auto& one_of(const All& all, std::string_view name, std::string_view fallback) {
    const auto asked = text(name, fallback);
    std::string names;
    for (const auto& one : all) {
      if (one.name == asked) return one;
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    throw usage_error(std::string(name) + " is '" + asked + "', expected one of: " + names);
  }
  /// Where records go: the file after `--out`, opened; without one stdout; null on ranks other than 0.
  /// Collective. @throws usage_error on all of them when it cannot be written
  std::FILE* output(int rank);
  /// Collective: a file's name that rank 0 can write to later; empty where there is none, if `fallback` is empty.
  /// @throws usage_error on all ranks when it cannot
  std::string writable(std::string_view name, std::string_view fallback, int rank);
  /// @throws usage_error for words that are left
  void finish() const;

 private:
  std::vector<std::string> words_;
};

/// Runs `body(arguments)` between MPI_Init and MPI_Finalize. A wrong command line prints the text and the usage once
/// and returns 2; `--help` returns 0; any other exception ends the job.
int run_app(int argc, char** argv, const char* usage, int (*body)(arguments&));
/// The same of a program that has no need of MPI.
int run_alone(int argc, char** argv, const char* usage, int (*body)(arguments&));
/// The same on this rank, whatever MPI does; exceptions that are no `usage_error` leave it.
int run_with(arguments& words, const char* usage, int rank, int (*body)(arguments&));

}  // namespace bench
