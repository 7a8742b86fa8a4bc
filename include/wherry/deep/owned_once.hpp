/// @file
/// Finds objects that are owned twice, among them those that own themselves, through which a walk would never end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "wherry/core/settings.hpp"
#include "wherry/deep/pointer_map.hpp"
#include "wherry/deep/tokens.hpp"

namespace wherry::deep {

/// Is shown every object that a walk meets by a pointer that owns it. Each is compared with one before it, which is
/// replaced after 1, 2, 4... steps (Brent 1980): a walk in a circle ends after at most three times its length, for the
/// price of a comparison. With WHERRY_CHECK it is compared with all before it.
class owned_once {
 public:
  owned_once() {
    if (current_settings().check) all_ = std::make_unique<pointer_map>();
  }

  /// @throws error(argument) for one that is known to have been met
  void meet(const void* object) {
    if (object == watched_ || (all_ && !is_new(object)))
      refuse(
          "an object is owned twice, or owns itself: m.owned is for the one pointer that owns an object, m.shared "
          "for several, m.observed for others");
    if (--steps_left_ > 0) return;
    watched_ = object;
    steps_left_ = steps_ *= 2;
  }

 private:
  bool is_new(const void* object) {
    const auto before = all_->size();
    return all_->find_or_insert(object, before) == before && all_->size() > before;
  }

  const void* watched_ = nullptr;
  std::uint64_t steps_ = 1, steps_left_ = 1;
  std::unique_ptr<pointer_map> all_;
};

}  // namespace wherry::deep
