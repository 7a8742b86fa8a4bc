/// @file
/// Finds objects that are owned twice, among them those that own themselves, through which a walk would never end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace wherry::deep {

class pointer_map;

/// Is shown every object that a walk meets by a pointer that owns it. Each is compared with one before it, which is
/// replaced after 1, 2, 4... steps (Brent 1980): a walk in a circle ends after at most three times its length, for the
/// price of a comparison. With WHERRY_CHECK it is compared with all before it.
class owned_once {
 public:
  owned_once();
  ~owned_once();
  owned_once(const owned_once&) = delete;
  owned_once& operator=(const owned_once&) = delete;

  /// @throws error(argument) for one that is known to have been met
  void meet(const void* object) {
    if (is_to_be_looked_at(object)) look_closer(object);
    pass(object);
  }
  // The same in steps, for who has more to look at then.
  bool is_to_be_looked_at(const void* object) const { return object == watched_ || checks_; }
  [[gnu::cold]] void look_closer(const void* object);
  void pass(const void* object) {
    if (--steps_left_ > 0) return;
    watched_ = object;
    steps_left_ = steps_ *= 2;
  }

 private:
  const void* watched_ = nullptr;
  bool checks_ = true;  // as long as nobody has asked the settings
  std::uint64_t steps_ = 1, steps_left_ = 1;
  std::unique_ptr<pointer_map> all_;
};

}  // namespace wherry::deep
