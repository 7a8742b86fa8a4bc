#include "wherry/deep/destroy.hpp"

#include <cstring>

#include "wherry/core/allocation.hpp"
#include "wherry/deep/device.hpp"

namespace wherry::deep {

detail::destroyer::destroyer(bool frees) : frees_(frees) {}
detail::destroyer::~destroyer() = default;

void detail::destroyer::take_apart(void* root, void (*begin)(detail::destroyer&, void* root)) {
  wherry::detail::allocating("deep copy", "the list of objects to be freed", 0, [&] {
    begin(*this, root);
    drain();
  });
}

void detail::destroyer::drain() {
  while (!stack_.empty()) stack_.top().run(*this);
  // Prefetch: the objects have left the caches since they were visited.
  constexpr std::size_t ahead = 8;
  const auto buried = std::exchange(graves_, {});
  for (std::size_t i = 0; i < buried.size(); ++i) {
    if (i + ahead < buried.size()) __builtin_prefetch(buried[i + ahead].object);
    buried[i].free(buried[i].object, buried[i].n);
  }
}

bool detail::destroyer::is_new(const void* object) {
  const auto known_so_far = seen_.size();
  return seen_.find_or_insert(object, known_so_far) == known_so_far && seen_.size() > known_so_far;
}

bool detail::destroyer::is_to_be_freed(const volatile void* p, extent n) {
  if (p == nullptr || !frees_) return false;
  if (counted(n) > 0) owned_once_.meet(const_cast<const void*>(p));
  return true;
}
void detail::destroyer::free_on_device(void* p) {
  if (frees_) the_device_hooks().free(p);
}

void detail::destroyer::bury(const grave& g) { graves_.push_back(g); }
void detail::destroyer::keep(std::shared_ptr<void> owner) { kept_.push_back(std::move(owner)); }

void detail::destroyer::leave(detail::left_behind what) {
  if (what.object != nullptr || what.owner != nullptr) rest_->push_back(std::move(what));
}

void detail::destroyer::forget_later(void* member) { members_.push_back(member); }
void detail::destroyer::forget_members(std::size_t since) {
  for (; members_.size() > since; members_.pop_back()) std::memset(members_.back(), 0, sizeof(void*));
}

}  // namespace wherry::deep
