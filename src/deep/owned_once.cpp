#include "wherry/deep/detail/owned_once.hpp"

#include <memory>

#include "wherry/core/settings.hpp"
#include "wherry/deep/detail/tokens.hpp"
#include "wherry/deep/pointer_map.hpp"

namespace wherry::deep {

owned_once::owned_once() = default;
owned_once::~owned_once() = default;

void owned_once::look_closer(const void* object) {
  if (checks_ && !all_) {
    checks_ = current_settings().check;
    if (checks_) all_ = std::make_unique<pointer_map>();
  }
  const auto is_new = [&] {
    const auto before = all_->size();
    return all_->find_or_insert(object, before) == before && all_->size() > before;
  };
  if (object == watched_ || (all_ && !is_new()))
    refuse(
        "an object is owned twice, or owns itself: use m.owned for the one pointer that owns an object, m.shared for "
        "several, m.observed for others");
}

}  // namespace wherry::deep
