/// @file
/// What a writer knows whatever its pointer map and the types it writes: compiled once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wherry/deep/detail/class_registry.hpp"
#include "wherry/deep/detail/owned_once.hpp"
#include "wherry/deep/detail/tokens.hpp"
#include "wherry/deep/statistics.hpp"
#include "wherry/transport/byte_stream.hpp"

namespace wherry::deep {

class met_memory;

/// What a writer must know of a type behind pointers. Its address stands for the type, as on the other side.
struct alignas(16) type_behind {
  const std::type_info* type;
  std::size_t bytes;
};
template <class T> inline constexpr type_behind type_behind_pointer{&typeid(T), sizeof(T)};
/// Pointers to different bases may share an object: all classes with virtual functions are one, which the other side
/// tells apart.
inline constexpr type_behind any_class{nullptr, 0};

class writer_base {
 public:
  writer_base(const writer_base&) = delete;
  writer_base& operator=(const writer_base&) = delete;

  byte_sink& sink() { return *sink_; }

  void count(std::uint64_t n) {
    std::memcpy(sink_->reserve(sizeof n), &n, sizeof n);
    sink_->advance(sizeof n);
  }

  /// What the first pass over an object has for the second one: a stack, as objects that are bounded by their type are
  /// nested.
  std::size_t aside() const { return aside_.size(); }
  void lay_aside(const void* bytes, std::size_t n);
  void forget_aside(std::size_t since) { aside_.resize(since); }
  /// Writes what was laid `at`.
  void write_aside(std::size_t at, std::size_t n) { sink_->write(aside_.data() + at, n); }
  std::uint64_t aside_word(std::size_t at) const;

  /// Where the bytes go instead, for a while. @return where they went before
  byte_sink* redirect(byte_sink* sink) { return std::exchange(sink_, sink); }

  /// Throughout the writing of objects that go `now`.
  class nesting {
   public:
    /// @throws error(argument) when too many are nested in one another
    explicit nesting(writer_base& w);
    ~nesting() { --w_.nested_; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;

   private:
    writer_base& w_;
  };
  /// How many of them are written now, one inside another.
  int nested() const { return nested_; }

  /// With WHERRY_CHECK.
  bool looks_at_memory() const { return met_ != nullptr; }

  virtual statistics figures() const = 0;

 protected:
  explicit writer_base(byte_sink& sink);
  ~writer_base();

  /// All `n` of them, of `each` bytes. @throws error(argument) for more bytes than there can be
  void write_array(const void* first, std::size_t n, std::size_t each);
  /// Of an array in device memory. @throws error(state) where nobody can reach that, error(argument)
  static std::size_t device_bytes(std::uint64_t n, std::size_t each);
  /// So many bytes from device memory.
  void write_from_device(const void* first, std::size_t bytes);

  /// Takes up the object that is met for the first time under the next number.
  void number(const void* object, extent n);
  /// The same of one that a pointer leads to. @throws error(argument) where it is a part of what arrives by itself
  void number_pointee(const void* object, extent n, const type_behind& type) {
    if (reinterpret_cast<std::uintptr_t>(object) - looked_at_ < looked_at_bytes_) look_around(object, n, type);
    number(object, n);
  }
  [[gnu::cold]] void look_at_owned(const volatile void* first, extent n, const type_behind& type);
  [[gnu::cold]] void look_around(const void* object, extent n, const type_behind& type) const;
  [[noreturn, gnu::cold]] void refuse_type(const void* object, const type_behind& type) const;
  void has_root(const void* root, const type_behind& type);
  /// What arrives by itself, where all is looked at.
  void brought(const volatile void* first, std::size_t n, const type_behind& type) const {
    if (met_) look_at_brought(const_cast<const void*>(first), n, type);
  }
  void must_have_length(std::uint64_t number, extent n) const;
  std::size_t table_bytes() const { return order_.capacity() * sizeof(void*) + aside_.capacity(); }

  /// A batch of tokens, in words as short as the `largest` allows.
  void write_tokens(const std::uint64_t* token, std::size_t n, std::uint64_t largest);

  /// The entry of the class `dynamic` of a whole object that is met through a pointer to a `met_as`.
  static const class_entry& class_of(const std::type_info& dynamic, const std::type_info& met_as, const void* whole,
                                     extent n);

  byte_sink* sink_;
  std::uint64_t next_ = 0;
  std::vector<const void*> order_;  // by number
  owned_once owned_once_;
  std::unordered_map<std::uint64_t, std::uint64_t> lengths_;  // of shared arrays, by number
  std::unique_ptr<met_memory> met_;                           // with WHERRY_CHECK
  // Where pointees are looked at more closely: in the root, or everywhere.
  std::uintptr_t looked_at_ = 0;
  std::size_t looked_at_bytes_ = 0;
  std::uintptr_t root_ = 0;
  type_behind root_type_{nullptr, 0};  // 0: it is no object
  std::size_t successor_ = 0;          // the number after the last one that was met in an array
  bool in_order_ = false;              // and that one followed the one before it

 private:
  [[gnu::cold]] void look_at_brought(const void* first, std::size_t n, const type_behind& type) const;

  std::vector<std::byte> aside_;
  int nested_ = 0;  // of what is written now
};

}  // namespace wherry::deep
