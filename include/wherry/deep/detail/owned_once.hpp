/// @file
/// Finds objects that two pointers own, in particular objects that own themselves, which a walk would follow without
/// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace wherry::deep {

class pointer_map;

/// A walk shows this every object that it meets through an owning pointer. Each object is compared with one earlier
/// object, which is replaced after 1, 2, 4, … steps (Brent 1980): a walk in a circle ends after at most three times the
/// length of the circle, for the price of one comparison a step. With WHERRY_CHECK each object is compared with all
/// earlier ones.
class owned_once {
 public:
  owned_once();
  ~owned_once();
  owned_once(const owned_once&) = delete;
  owned_once& operator=(const owned_once&) = delete;

  /// Takes note of an object.
  /// @throws error(argument) if the object is known to have been met before
  void meet(const void* object) {
    if (is_to_be_looked_at(object)) look_closer(object);
    pass(object);
  }
  // The steps of `meet`, for a walk that does more if an object must be compared.
  bool is_to_be_looked_at(const void* object) const { return object == watched_ || checks_; }
  [[gnu::cold]] void look_closer(const void* object);
  void pass(const void* object) {
    if (--steps_left_ > 0) return;
    watched_ = object;
    steps_left_ = steps_ *= 2;
  }

 private:
  const void* watched_ = nullptr;
  bool checks_ = true;  // until the settings have been read
  std::uint64_t steps_ = 1, steps_left_ = 1;
  std::unique_ptr<pointer_map> all_;
};

}  // namespace wherry::deep
