/// @file
/// Something that an object makes of itself when it is first asked for. Programs do not need it.
#pragma once

#include <atomic>
#include <memory>

namespace wherry::detail {

/// Holds at most one object, whose type only its maker knows. A copy is empty and makes an object of its own.
class made_once {
 public:
  /// The base of what can be held.
  struct held {
    held() = default;
    held(const held&) = delete;
    held& operator=(const held&) = delete;
    virtual ~held() = default;
  };

  made_once() = default;
  made_once(const made_once&) {}
  made_once& operator=(const made_once&) {
    forget();
    return *this;
  }
  ~made_once() { forget(); }

  /// The object, or null if there is none. @pre as `get`
  template <class T> const T* find() const { return static_cast<const T*>(known_.load(std::memory_order_acquire)); }
  /// The object, which `make()` makes as a `std::unique_ptr<const T>` if there is none. Several threads may ask at
  /// once; more than one of them may then call `make`, and all get the same object.
  /// @pre Every call names the same T.
  template <class T, class Make> const T& get(Make&& make) const {
    const held* known = known_.load(std::memory_order_acquire);
    if (known == nullptr) {
      std::unique_ptr<const T> fresh = make();
      if (known_.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel, std::memory_order_acquire))
        known = fresh.release();
    }
    return static_cast<const T&>(*known);
  }
  /// Counts one question that is answered without the object. Returns the number of those before. Several threads may
  /// ask at once.
  int count_question() const { return questions_.fetch_add(1, std::memory_order_relaxed); }
  /// Empties it, and counts anew. No other thread may use it meanwhile.
  void forget() {
    delete known_.exchange(nullptr);
    questions_ = 0;
  }

 private:
  mutable std::atomic<int> questions_{0};
  mutable std::atomic<const held*> known_{nullptr};
};

}  // namespace wherry::detail
