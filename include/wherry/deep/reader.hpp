/// @file
/// The reading side of a deep copy: from bytes to a structure, without recursion on its depth and without trust.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/arena.hpp"
#include "wherry/deep/class_registry.hpp"
#include "wherry/deep/containers/make.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/destroy.hpp"
#include "wherry/deep/device.hpp"
#include "wherry/deep/item_stack.hpp"
#include "wherry/deep/shared_table.hpp"
#include "wherry/deep/tokens.hpp"
#include "wherry/transport/byte_stream.hpp"

namespace wherry::deep {

/// How a structure is to arrive.
struct read_options {
  /// Where objects behind raw pointers are made; null: each by itself, for `delete`.
  deep::arena* arena = nullptr;
};

class reader;

/// What can be done only when all objects are there.
class late_work {
 public:
  virtual ~late_work() = default;
  virtual void finish(reader& r) = 0;
  /// Instead, when it cannot be done.
  virtual void visit(destroyer& d) = 0;
};

/// Reads objects from a source. After the source's first failure everything that is still to be made is made of zeros:
/// null pointers, empty containers.
class reader {
 public:
  using item = pending<reader>;

  explicit reader(byte_source& source, const read_options& options = {}) : source_(source), arena_(options.arena) {}

  byte_source& source() { return source_; }
  bool failed() const { return source_.failure() != nullptr; }
  /// The first failure stays. @param why pieces of a text
  template <class... Pieces> [[gnu::noinline, gnu::cold]] void fail(const Pieces&... why) {
    if (!failed()) guarded([&] { throw error(error_kind::mismatch, "deep copy", text(why...)); });
  }
  /// Runs what may throw, for want of memory of about so many `bytes` too; that is a failure of the stream then.
  template <class Do> bool guarded(Do run, std::size_t bytes = 0) {
    try {
      run();
      return true;
    } catch (...) {
      fail_by_exception(bytes);
      return false;
    }
  }

  /// Works until no more than `mark` items wait.
  void drain(std::size_t mark = 0) {
    while (stack_.size() > mark) stack_.top().run(*this);
  }

  /// Makes an object of any kind in raw memory.
  template <class T> void value(T* raw) {
    must_be_copyable<T>();
    constexpr kind k = kind_of<T>();
    if constexpr (k == kind::flat) {
      source_.read(raw, sizeof(T));
    } else if constexpr (k == kind::pointer) {
      *::new (static_cast<void*>(raw)) T = shared<detail::pointee<T>>(count(), {});
    } else if constexpr (k == kind::described || k == kind::polymorphic) {
      object(raw);
    } else if constexpr (k == kind::known) {
      known<T>::read(*this, raw, count());
    } else {
      for_each_part(*raw, [this](auto& part) {
        using member = std::remove_cvref_t<decltype(part)>;
        must_not_be_bare_pointer<member, T>();
        this->value(const_cast<member*>(&part));
      });
    }
  }
  /// The same where an object is already, which is destroyed first. It is nobody's in the arena: something owns it.
  template <class T> void value_again(T& x) {
    auto* const resource = std::exchange(resource_, nullptr);
    if constexpr (with_memory_resource<T>) resource_ = x.get_allocator().resource();
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy_at(&x);
    value_by_itself(&x);
    resource_ = resource;
  }
  /// In raw memory that something outside the arena owns.
  template <class T> void value_by_itself(T* raw) {
    const bool before = std::exchange(in_arena_, false);
    value(raw);
    in_arena_ = before;
  }
  /// An object with a description. The members of a polymorphic one are read where it has been made already.
  template <class T> void object(T* raw);
  template <class T> void members(T& x);
  template <class T> void make_again(T* raw, std::size_t mark);

  std::uint64_t count() {
    std::uint64_t n;
    source_.read(&n, sizeof n);
    return n;
  }
  /// A count of objects that take at least `bytes` each; 0 and a failure when so many cannot come.
  std::size_t plausible(std::uint64_t n, std::size_t bytes) {
    const std::size_t each = std::max<std::size_t>(bytes, 1);
    return n <= source_.ready() / each || may_still_come(n, each) ? static_cast<std::size_t>(n) : 0;
  }

  /// Makes objects in raw memory, later.
  template <class T> void defer(T* raw, std::size_t n, bool in_arena) {
    if (n > 0 && !push({&run_values<T, false>, raw, n, in_arena ? this : nullptr}))
      make_of_zeros<T, false>(raw, n, in_arena);
  }
  /// Objects that are there already are made again, later.
  template <class T> void defer_again(T* first, std::size_t n) {
    if (n > 0 && !push({&run_values<T, true>, first, n, nullptr})) make_of_zeros<T, true>(first, n, false);
  }
  /// What is valid as it is, if nothing becomes of it.
  void defer(const item& what) { push(what); }
  std::size_t waiting() const { return stack_.size(); }
  item& top() { return stack_.top(); }
  void pop() { stack_.pop(); }

  // Pointers, from their tokens: memory is made at once, and what comes into it is deferred. `now`: it comes at once.
  template <class T> T* owned(std::uint64_t token, extent n, bool now = false);
  template <class T> T* owned_on_device(std::uint64_t token, extent n);
  template <class T> T* owned_by_itself(std::uint64_t token);
  template <class T> T* shared(std::uint64_t token, extent n, bool now = false);
  template <class T> T* observed(std::uint64_t token);
  template <class T> T* smart(std::uint64_t token);
  template <class T> std::shared_ptr<T> shared_owner(std::uint64_t token);

  /// The root is shared object number 0.
  template <class T> void remember_root(T& root) { table_.add(&root, shared_table::type_of<T>(), holder::root); }
  /// Comes when nothing waits any more; before what has been added before, which it may lie in, and before all that is
  /// `last`.
  template <class Work> Work& at_the_end(std::unique_ptr<Work> work, bool last) {
    Work& added = *work;
    late_[last].push_back(std::move(work));
    return added;
  }
  /// To be called when nothing waits any more.
  void finish() {
    for (auto& works : late_)
      while (!failed() && !works.empty()) {
        guarded([&] { works.back()->finish(*this); });
        if (!failed()) works.pop_back();
      }
    if (!failed()) check_holders();
  }
  /// What has not become a part of the structure, because of a failure.
  void visit_rest(destroyer& d) {
    for (auto& works : late_)
      for (const auto& work : works) work->visit(d);
    table_.visit_unheld(d);
  }

  deep::arena* arena() { return arena_; }
  /// Whether the object that is being made lies in the arena, so that nobody will destroy it.
  bool in_arena() const { return in_arena_; }
  /// Where a std::pmr container that is being made takes its memory.
  std::pmr::memory_resource* resource() const {
    return resource_ != nullptr ? resource_ : in_arena_ ? arena_ : std::pmr::get_default_resource();
  }

  statistics figures() const { return {table_.size(), stack_.peak(), stack_.bytes() + table_.bytes()}; }

 private:
  void check_holders() {
    if (!table_.all_held())
      fail("an observed object is owned by nothing in the structure: its owner is to be named with m.shared");
    if (observes_ && table_.any_only_weakly_held())
      fail(
          "an object to which only weak pointers lead would be gone while others may observe what it owns: "
          "m.local(the weak pointer)");
  }
  // Out of the way of what is frequent.
  void fail_by_exception(std::size_t bytes) noexcept;
  bool may_still_come(std::uint64_t n, std::size_t each);
  bool push(const item& what) {
    return guarded([&] { stack_.push(what); });
  }
  /// What lies outside the arena can be given to it.
  bool make_room_in_arena() {
    return arena_ == nullptr || guarded([this] { arena_->make_room_for_owner(); });
  }
  template <class T, bool Again> void make_of_zeros(T* first, std::size_t n, bool in_arena);
  template <class T> std::shared_ptr<T> shared_owner_of_known(std::uint64_t number);
  void report_wrong_count(std::uint64_t arrived, std::uint64_t expected);
  template <class T> T* wrong_count(std::uint64_t arrived, extent expected);
  template <class T> T* make(extent n, bool in_arena, bool now);
  template <class T> void defer_members(T* object);
  template <class T> void now_in_place(T* p, std::size_t n);
  template <class T> T* make_class(std::uint64_t payload, const class_entry*& entry);
  template <class T> T* make_shared_object(std::uint64_t payload, extent n, holder who, bool in_arena, bool now);
  template <class T> T* known_object(std::uint64_t number, extent n);

  template <class T, bool Again> static void run_values(reader& r);
  template <class T> void next_pointers();
  template <class Token, class T> void from_tokens(T** to, std::size_t n);

  byte_source& source_;
  deep::arena* arena_;
  bool in_arena_ = false;
  bool observes_ = false;  // there are pointers that observe
  int nested_ = 0;         // of what is read now
  std::pmr::memory_resource* resource_ = nullptr;
  item_stack<item> stack_;
  shared_table table_;
  std::vector<std::unique_ptr<late_work>> late_[2];
};

}  // namespace wherry::deep
