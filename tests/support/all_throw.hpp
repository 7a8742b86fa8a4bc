// Errors that every rank must report alike.
#pragma once

#include <functional>
#include <string>

#include "wherry/core/error.hpp"

#include "harness/harness.hpp"

namespace wherry_test {

// `act` must throw on every rank: this kind, with these words, and this rank's number, in the error and in its text.
inline void all_throw(const context& test, const std::string& title, wherry::error_kind kind, const std::string& words,
                      const std::function<void()>& act) {
  test.note(title);
  try {
    act();
    FAIL(title + ": no error; expected: " + words);
  } catch (const wherry::error& problem) {
    const std::string said = problem.what();
    pass();
    if (fault(problem.kind() != kind)) FAIL(title + ": another kind of error: " + said);
    if (fault(said.find(words) == std::string::npos)) FAIL(title + ": says: " + said + "\n    expected: " + words);
    if (problem.rank() != test.rank || said.find("rank " + std::to_string(test.rank)) == std::string::npos)
      FAIL(title + ": does not name rank " + std::to_string(test.rank) + ": " + said);
  }
}

}  // namespace wherry_test
