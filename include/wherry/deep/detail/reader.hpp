/// @file
/// The reading side of a deep copy: from bytes to a structure, without recursion on its depth, and without trust in the
/// bytes.
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

class reader;

/// Work that must wait until all objects have arrived.
class late_work {
 public:
  virtual ~late_work() = default;
  virtual void finish(reader& r) = 0;
  /// Called instead of `finish` after a failure: frees the objects of this work.
  virtual void visit(detail::destroyer& d) = 0;
};

/// Reads objects from a source. After the first failure of the source, all remaining objects are made of zeros: null
/// pointers, empty containers.
class reader {
 public:
  using item = pending<reader>;

  explicit reader(byte_source& source, const read_options& options = {});
  ~reader();

  byte_source& source() { return source_; }
  bool failed() const { return source_.failure() != nullptr; }
  /// Reports a failure. Only the first one is kept.
  /// @param why pieces of a text
  template <class... Pieces> [[gnu::noinline, gnu::cold]] void fail(const Pieces&... why) {
    if (!failed()) guarded([&] { fail(std::string_view(wherry::detail::text(why...))); });
  }
  [[gnu::cold]] void fail(std::string_view why);
  [[gnu::cold]] void fail(const char* why) { fail(std::string_view(why)); }
  /// Runs `run`; an exception becomes a failure of the stream.
  /// @param bytes about the memory that `run` needs, for the text if it is missing
  template <class Do> bool guarded(Do run, std::size_t bytes = 0) {
    try {
      run();
      return true;
    } catch (...) {
      fail_by_exception(bytes);
      return false;
    }
  }

  /// Works off the stack until at most `mark` items are left.
  void drain(std::size_t mark = 0);

  /// Makes an object of any kind in raw memory.
  template <class T> void value(T* raw) {
    detail::must_be_copyable<T>();
    constexpr kind k = detail::kind_of<T>();
    if constexpr (k == kind::flat) {
      source_.read(raw, sizeof(T));
    } else if constexpr (k == kind::pointer) {
      *::new (static_cast<void*>(raw)) T = shared<detail::pointee<T>>(count(), {});
    } else if constexpr (k == kind::described || k == kind::polymorphic) {
      object(raw);
    } else if constexpr (k == kind::known) {
      known<T>::read(*this, raw, count());
    } else if constexpr (k == kind::composite) {
      detail::for_each_part(*raw, [this](auto& part) { this->value(std::addressof(part)); });
    }
  }
  /// Destroys an object and makes it again. The new object is outside the arena's care, because something else owns it.
  template <class T> void value_again(T& x) {
    auto* const resource = std::exchange(resource_, nullptr);
    if constexpr (with_memory_resource<T>) resource_ = x.get_allocator().resource();
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy_at(std::addressof(x));
    value_by_itself(std::addressof(x));
    resource_ = resource;
  }
  /// Makes an object in raw memory that something outside the arena owns.
  template <class T> void value_by_itself(T* raw) {
    const bool before = std::exchange(in_arena_, false);
    value(raw);
    in_arena_ = before;
  }
  /// Makes an object with a description.
  template <class T> void object(T* raw);
  /// Reads the members of a polymorphic object that has been made already.
  template <class T> void members(T& x);

  std::uint64_t count() {
    std::uint64_t n;
    source_.read(&n, sizeof n);
    return n;
  }
  /// Checks a count of objects that take at least `bytes` each in the stream; 0 and a failure if so many cannot arrive.
  std::size_t plausible(std::uint64_t n, std::size_t bytes) {
    const std::size_t each = bytes > 0 ? bytes : 1;
    return n <= source_.ready() / each || may_still_come(n, each) ? static_cast<std::size_t>(n) : 0;
  }

  /// Makes objects in raw memory later. If there is no memory to remember them, the stream fails, and they are made at
  /// once, of zeros.
  template <class T> void defer(T* raw, std::size_t n, bool in_arena) {
    defer_objects(raw, n, in_arena, &run_values<T, false>, &make_at_once<T, false>);
  }
  /// Makes existing objects again later.
  template <class T> void defer_again(T* first, std::size_t n) {
    defer_objects(first, n, false, &run_values<T, true>, &make_at_once<T, true>);
  }
  /// Defers an item whose object is valid also if the item is never performed.
  void defer(const item& what) { push(what); }
  std::size_t waiting() const { return stack_.size(); }
  item& top() { return stack_.top(); }
  void pop() { stack_.pop(); }

  // These turn tokens into pointers. Memory is allocated at once, and the objects in it are deferred, or read at once
  // with `now`.
  template <class T> T* owned(std::uint64_t token, extent n, bool now = false) {
    return token != 0 ? static_cast<T*>(owned_objects(type_of<T>, token, n, now)) : nullptr;
  }
  template <class T> T* shared(std::uint64_t token, extent n, bool now = false) {
    return static_cast<T*>(shared_objects(type_of<T>, token, n, now));
  }
  template <class T> T* observed(std::uint64_t token) { return static_cast<T*>(observed_object(type_of<T>, token)); }
  /// The object of a unique_ptr, never in the arena: one of its own, or (`smart`) one that other pointers observe.
  template <class T> T* owned_by_itself(std::uint64_t token) { return static_cast<T*>(own_object(type_of<T>, token)); }
  template <class T> T* smart(std::uint64_t token) { return static_cast<T*>(smart_object(type_of<T>, token)); }
  template <class T> std::shared_ptr<T> shared_owner(std::uint64_t token);
  void* owned_on_device(std::uint64_t token, extent n, std::size_t each, std::size_t alignment);

  /// Gives the root number 0 among the shared objects.
  template <class T> void remember_root(T& root) {
    table_.add(std::addressof(root), shared_table::type_of<T>(), holder::root);
  }
  /// Adds work to be done when the stack is empty: before all work that was added earlier, which it may be a part of,
  /// and before all work that is `last`.
  template <class Work> Work& at_the_end(std::unique_ptr<Work> work, bool last) {
    Work& added = *work;
    late_[last].push_back(std::move(work));
    return added;
  }
  /// Performs the late work. Call it when the stack is empty.
  void finish();
  /// After a failure: passes to a destroyer all objects that have not become a part of the structure.
  void visit_rest(detail::destroyer& d);

  deep::arena* arena() { return arena_; }
  /// True if the object that is being made lies in the arena, so that no owner destroys it.
  bool in_arena() const { return in_arena_; }
  /// Calls `destroy(object)` when the arena is cleared.
  /// @return false, and a failure, if there is no memory to remember it
  bool destroy_with_arena(void* object, void (*destroy)(void*));
  /// The memory resource of a std::pmr container that is being made.
  std::pmr::memory_resource* resource() const {
    return resource_ != nullptr ? resource_ : in_arena_ ? arena_ : std::pmr::get_default_resource();
  }

  /// Lives while objects of `owned_now` or `shared_now` are read.
  class nesting {
   public:
    explicit nesting(reader& r) : r_(r) { ++r_.nested_; }
    ~nesting() { --r_.nested_; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;

   private:
    reader& r_;
  };
  /// How many of these objects are being read, one inside another.
  int nested() const { return nested_; }

  copy_statistics figures() const;

 private:
  void check_holders();
  // Not inline, to keep them out of the frequent paths.
  void fail_by_exception(std::size_t bytes) noexcept;
  bool may_still_come(std::uint64_t n, std::size_t each);
  bool push(const item& what);
  /// Makes room in the arena's list of objects to destroy.
  bool make_room_in_arena();
  bool make_room_for_shared();
  bool make_room_for_owner(std::uint64_t number);

  using at_once = void (*)(reader&, void* first, std::size_t n);
  void defer_objects(void* first, std::size_t n, bool in_arena, item::step values, at_once make);

  // These turn a token into an object and record its owner.
  std::nullptr_t wrong_count(std::uint64_t arrived, extent expected);
  /// @param number of a shared object: nested pointers find it while it is being read `now`
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
  /// An object of a registered class; its members are deferred.
  struct classified {
    void* part = nullptr;  ///< the part that the pointer points to; null after a failure
    void* whole = nullptr;
    const class_entry* entry = nullptr;
  };
  static bool is_classified(const object_type& type, std::uint64_t payload) {
    return type.base != nullptr && (payload & tokens::by_class) != 0;
  }
  classified make_class(const object_type& type, std::uint64_t payload);
  template <class T> std::shared_ptr<T> shared_owner_of_known(std::uint64_t number);

  /// Replaces an object after its description has thrown: some of its members may still be tokens. It becomes an object
  /// from the default constructor, or zeros; the objects that it had named are freed, or left behind if others may
  /// share them. The program ends if the constructor throws, or if a type with a destructor has no default constructor.
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
  bool observes_ = false;  // there are observing pointers
  int nested_ = 0;         // of the objects that are read now
  std::pmr::memory_resource* resource_ = nullptr;
  item_stack<item> stack_;
  shared_table table_;
  std::vector<std::unique_ptr<late_work>> late_[2];
  std::vector<detail::left_behind> left_behind_;
};

}  // namespace wherry::deep
