#include "wherry/deep/detail/reader.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wherry/core/allocation.hpp"
#include "wherry/core/checked.hpp"
#include "wherry/deep/device.hpp"

namespace wherry::deep {

reader::reader(byte_source& source, const read_options& options) : source_(source), arena_(options.arena) {}
reader::~reader() = default;

void reader::drain(std::size_t mark) {
  while (stack_.size() > mark) stack_.top().run(*this);
}

void reader::fail(std::string_view why) {
  if (!failed()) guarded([&] { throw error(error_kind::mismatch, "deep copy", why); });
}

void reader::fail_by_exception(std::size_t bytes) noexcept {
  try {
    wherry::detail::allocating("deep copy", "the incoming data", bytes, [] { throw; });
  } catch (...) {
    source_.fail(std::current_exception());
  }
}

bool reader::may_still_come(std::uint64_t n, std::size_t each) {
  const std::size_t most = source_.remaining();
  const bool may = most == byte_source::unknown ? n <= most / 4 / std::max<std::size_t>(each, 16) : n <= most / each;
  if (!may && n > 0) fail("the stream announces ", n, " objects, for which it is too short");
  return may;
}

bool reader::destroy_with_arena(void* object, void (*destroy)(void*)) {
  return guarded([=, this] { arena_->destroy_later(object, destroy); });
}

void reader::finish() {
  for (auto& works : late_)
    while (!failed() && !works.empty()) {
      guarded([&] { works.back()->finish(*this); });
      if (!failed()) works.pop_back();
    }
  if (!failed()) check_holders();
}

void reader::visit_rest(detail::destroyer& d) {
  for (auto& works : late_)
    for (const auto& work : works) work->visit(d);
  table_.visit_unheld(d);
  for (auto& each : left_behind_) each.visit(d, each);
}

void reader::check_holders() {
  if (!table_.all_held())
    fail("an observed object is owned by nothing in the structure: describe its owner by m.shared");
  if (observes_ && table_.any_only_weakly_held())
    fail(
        "an object that only weak pointers point to would be destroyed while others may observe the objects that it "
        "owns: describe the weak pointer by m.local");
}

copy_statistics reader::figures() const { return {table_.size(), stack_.peak(), stack_.bytes() + table_.bytes()}; }

void reader::make_again(void* raw, std::size_t bytes, std::size_t mark, std::size_t named,
                        void (*undo)(reader&, void*, std::size_t named), void (*construct)(void*)) noexcept {
  const bool before = in_arena_;
  drain(mark);  // deferred objects still belong to the old object
  in_arena_ = before;
  undo(*this, raw, named);
  std::memset(raw, 0, bytes);
  construct(raw);
}

}  // namespace wherry::deep
