/// @file
/// The reading side of a deep copy: from bytes to a structure, without recursion on its depth and without trust.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/deep/allocate.hpp"
#include "wherry/deep/arena.hpp"
#include "wherry/deep/describe.hpp"
#include "wherry/deep/destroy.hpp"
#include "wherry/deep/detail/class_registry.hpp"
#include "wherry/deep/detail/containers/make.hpp"
#include "wherry/deep/detail/item_stack.hpp"
#include "wherry/deep/detail/object_type.hpp"
#include "wherry/deep/detail/shared_table.hpp"
#include "wherry/deep/detail/tokens.hpp"
#include "wherry/deep/statistics.hpp"
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

  explicit reader(byte_source& source, const read_options& options = {});
  ~reader();

  byte_source& source() { return source_; }
  bool failed() const { return source_.failure() != nullptr; }
  /// The first failure stays. @param why pieces of a text
  template <class... Pieces> [[gnu::noinline, gnu::cold]] void fail(const Pieces&... why) {
    if (!failed()) guarded([&] { fail(std::string_view(wherry::detail::text(why...))); });
  }
  [[gnu::cold]] void fail(std::string_view why);
  [[gnu::cold]] void fail(const char* why) { fail(std::string_view(why)); }
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
  void drain(std::size_t mark = 0);

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
    } else if constexpr (k == kind::composite) {
      for_each_part(*raw, [this](auto& part) { this->value(std::addressof(part)); });
    }
  }
  /// The same where an object is already, which is destroyed first. It is nobody's in the arena: something owns it.
  template <class T> void value_again(T& x) {
    auto* const resource = std::exchange(resource_, nullptr);
    if constexpr (with_memory_resource<T>) resource_ = x.get_allocator().resource();
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy_at(std::addressof(x));
    value_by_itself(std::addressof(x));
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

  std::uint64_t count() {
    std::uint64_t n;
    source_.read(&n, sizeof n);
    return n;
  }
  /// A count of objects that take at least `bytes` each; 0 and a failure when so many cannot come.
  std::size_t plausible(std::uint64_t n, std::size_t bytes) {
    const std::size_t each = bytes > 0 ? bytes : 1;
    return n <= source_.ready() / each || may_still_come(n, each) ? static_cast<std::size_t>(n) : 0;
  }

  /// Makes objects in raw memory, later. Without memory to remember them: nothing more comes, and so they have nothing
  /// in them and are ready at once.
  template <class T> void defer(T* raw, std::size_t n, bool in_arena) {
    defer_objects(raw, n, in_arena, &run_values<T, false>, &make_at_once<T, false>);
  }
  /// Objects that are there already are made again, later.
  template <class T> void defer_again(T* first, std::size_t n) {
    defer_objects(first, n, false, &run_values<T, true>, &make_at_once<T, true>);
  }
  /// What is valid as it is, if nothing becomes of it.
  void defer(const item& what) { push(what); }
  std::size_t waiting() const { return stack_.size(); }
  item& top() { return stack_.top(); }
  void pop() { stack_.pop(); }

  // Pointers, from their tokens: memory is made at once, and what comes into it is deferred. `now`: it comes at once.
  template <class T> T* owned(std::uint64_t token, extent n, bool now = false) {
    return token != 0 ? static_cast<T*>(owned_objects(type_of<T>, token, n, now)) : nullptr;
  }
  template <class T> T* shared(std::uint64_t token, extent n, bool now = false) {
    return static_cast<T*>(shared_objects(type_of<T>, token, n, now));
  }
  template <class T> T* observed(std::uint64_t token) { return static_cast<T*>(observed_object(type_of<T>, token)); }
  /// For a unique_ptr, whose object is never in the arena: one of its own, or one that others observe.
  template <class T> T* owned_by_itself(std::uint64_t token) { return static_cast<T*>(own_object(type_of<T>, token)); }
  template <class T> T* smart(std::uint64_t token) { return static_cast<T*>(smart_object(type_of<T>, token)); }
  template <class T> std::shared_ptr<T> shared_owner(std::uint64_t token);
  void* owned_on_device(std::uint64_t token, extent n, std::size_t each, std::size_t alignment);

  /// The root is shared object number 0.
  template <class T> void remember_root(T& root) {
    table_.add(std::addressof(root), shared_table::type_of<T>(), holder::root);
  }
  /// Comes when nothing waits any more; before what has been added before, which it may lie in, and before all that is
  /// `last`.
  template <class Work> Work& at_the_end(std::unique_ptr<Work> work, bool last) {
    Work& added = *work;
    late_[last].push_back(std::move(work));
    return added;
  }
  /// To be called when nothing waits any more.
  void finish();
  /// What has not become a part of the structure, because of a failure.
  void visit_rest(destroyer& d);

  deep::arena* arena() { return arena_; }
  /// Whether the object that is being made lies in the arena, so that nobody will destroy it.
  bool in_arena() const { return in_arena_; }
  /// Calls `destroy(object)` when the arena is cleared. @return false, and a failure, without memory to remember it
  bool destroy_with_arena(void* object, void (*destroy)(void*));
  /// Where a std::pmr container that is being made takes its memory.
  std::pmr::memory_resource* resource() const {
    return resource_ != nullptr ? resource_ : in_arena_ ? arena_ : std::pmr::get_default_resource();
  }

  /// Throughout the reading of objects that come `now`.
  class nesting {
   public:
    explicit nesting(reader& r) : r_(r) { ++r_.nested_; }
    ~nesting() { --r_.nested_; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;

   private:
    reader& r_;
  };
  /// How many of them are read now, one inside another.
  int nested() const { return nested_; }

  statistics figures() const;

 private:
  void check_holders();
  // Out of the way of what is frequent.
  void fail_by_exception(std::size_t bytes) noexcept;
  bool may_still_come(std::uint64_t n, std::size_t each);
  bool push(const item& what);
  /// What lies outside the arena can be given to it.
  bool make_room_in_arena();
  bool make_room_for_shared();
  bool make_room_for_owner(std::uint64_t number);

  using at_once = void (*)(reader&, void* first, std::size_t n);
  void defer_objects(void* first, std::size_t n, bool in_arena, item::step values, at_once make);

  // What a token becomes, and whose it is.
  std::nullptr_t wrong_count(std::uint64_t arrived, extent expected);
  /// @param number  of a shared object: others find it while what comes `now` is read
  void* make(const object_type& type, extent n, bool in_arena, bool now, const std::uint64_t* number = nullptr);
  void* memory_for(const object_type& type, std::size_t n, bool is_array, bool in_arena);
  /// @param token not 0
  void* owned_objects(const object_type& type, std::uint64_t token, extent n, bool now);
  void* owned_of_class(const object_type& type, std::uint64_t payload);
  void* own_object(const object_type& type, std::uint64_t token);
  void* shared_objects(const object_type& type, std::uint64_t token, extent n, bool now);
  void* observed_object(const object_type& type, std::uint64_t token);
  void* smart_object(const object_type& type, std::uint64_t token);
  void* make_shared_object(const object_type& type, std::uint64_t payload, extent n, holder who, bool in_arena,
                           bool now);
  void* new_object(const object_type& type);
  void* known_object(const object_type& type, std::uint64_t number, extent n);
  /// An object of a registered class, whose members wait.
  struct classified {
    void* part = nullptr;  ///< that the pointer points to; null after a failure
    void* whole = nullptr;
    const class_entry* entry = nullptr;
  };
  static bool is_classified(const object_type& type, std::uint64_t payload) {
    return type.base != nullptr && (payload & tokens::by_class) != 0;
  }
  classified make_class(const object_type& type, std::uint64_t payload);
  template <class T> std::shared_ptr<T> shared_owner_of_known(std::uint64_t number);

  /// Tokens are no pointers: what its description has not brought to an end becomes an object without anything; what
  /// that had named by then is freed, or left behind where others may share it. Where there is no object without
  /// anything, or making it throws, the program ends.
  void make_again(void* raw, std::size_t bytes, std::size_t mark, std::size_t named,
                  void (*undo)(reader&, void*, std::size_t named), void (*make)(void*)) noexcept;
  template <class T> static void undo_named(reader& r, void* object, std::size_t named);
  template <class T> void defer_members(T* object);

  template <class T, bool Again> static void run_values(reader& r);
  template <class T, bool Again> static void make_at_once(reader& r, void* first, std::size_t n);
  void next_pointers(const object_type& type);
  template <class Token> void from_tokens(void** to, std::size_t n, const object_type& type);

  template <class T> static constexpr object_type describe_type();
  template <class T> static const object_type type_of;
  static std::uintptr_t mark_of(const object_type& type) { return reinterpret_cast<std::uintptr_t>(type.mark); }

  byte_source& source_;
  deep::arena* arena_;
  bool in_arena_ = false;
  bool observes_ = false;  // there are pointers that observe
  int nested_ = 0;         // of what is read now
  std::pmr::memory_resource* resource_ = nullptr;
  item_stack<item> stack_;
  shared_table table_;
  std::vector<std::unique_ptr<late_work>> late_[2];
  std::vector<left_behind> left_behind_;
};

}  // namespace wherry::deep
