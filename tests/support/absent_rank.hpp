// A rank that stays away: it is in no call, of Wherry's or of MPI's, until all others have come back from theirs.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/notify/segment.hpp"

#include "harness/harness.hpp"
#include "harness/patient.hpp"

namespace wherry_test {

class absent_rank {
 public:
  explicit absent_rank(const context& test)
      : test_(test), come_back_(wherry::communicator(test.comm), 1), expected_(static_cast<std::size_t>(test.size), 0) {
    REQUIRE(come_back_.memory_of(test.size - 1) != nullptr);  // the ranks share memory
  }

  /// Collective: all but the rank `late` do this, and none of them hears of it meanwhile.
  void during(int late, const std::function<void()>& act) {
    auto& expected = expected_[static_cast<std::size_t>(late)];
    expected += test_.size - 1;
    if (test_.rank == late) {
      while (std::atomic_ref(come_back_[0]).load(std::memory_order_acquire) != expected)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    } else {
      act();
      auto& word = *come_back_.memory_of(late);
      std::atomic_ref(word).fetch_add(1, std::memory_order_release);
    }
    patient_barrier(test_.comm);
  }

 private:
  const context& test_;
  wherry::segment<int> come_back_;
  std::vector<int> expected_;  // of each rank: how often others have come back from a wait for it
};

/// A wait for that rank ends by WHERRY_TIMEOUT, and names it, among others that may be late, too; -1: a wait for
/// anybody. A wait that does not end is the watchdog's.
inline void ends_in_time(const std::string& title, int late, const std::function<void()>& wait) {
  try {
    wait();
    FAIL(title + ": has not waited");
  } catch (const wherry::error& failure) {
    pass();
    const std::string said = failure.what();
    if (fault(failure.kind() != wherry::error_kind::timeout)) FAIL(title + ": another kind of error: " + said);
    if (late < 0) return;
    bool is_named = false;
    for (const int peer : failure.peers()) is_named = is_named || peer == late;
    if (fault(!is_named)) FAIL(title + ": rank " + std::to_string(late) + " is not among the error's peers: " + said);
    if (fault(said.find(std::to_string(late)) == std::string::npos))
      FAIL(title + ": does not name rank " + std::to_string(late) + ": " + said);
  } catch (const std::exception& failure) {
    FAIL(title + ": " + failure.what());
  }
}

}  // namespace wherry_test
