/// @file
/// The part of the writer that depends neither on its pointer map nor on the types that it writes: compiled once.
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

/// The facts that a writer needs about a type behind pointers. The address of this object represents the type.
struct alignas(16) type_behind {
  const std::type_info* type;
  std::size_t bytes;
};
template <class T> inline constexpr type_behind type_behind_pointer{&typeid(T), sizeof(T)};
/// Represents all classes with virtual functions, because pointers to different bases may share an object; the reader
/// tells these classes apart.
inline constexpr type_behind any_class{nullptr, 0};

/// The base class of all writers.
class writer_base {
 public:
  writer_base(const writer_base&) = delete;
  writer_base& operator=(const writer_base&) = delete;

  byte_sink& sink() { return *sink_; }

  void count(std::uint64_t n) {
    std::memcpy(sink_->reserve(sizeof n), &n, sizeof n);
    sink_->advance(sizeof n);
  }

  /// The first pass over an object lays bytes aside here for the second pass. It is a stack, because objects that are
  /// bounded by their type are nested.
  std::size_t aside() const { return aside_.size(); }
  void lay_aside(const void* bytes, std::size_t n);
  void forget_aside(std::size_t since) { aside_.resize(since); }
  /// Writes `n` of the bytes laid aside, from `at` on.
  void write_aside(std::size_t at, std::size_t n) { sink_->write(aside_.data() + at, n); }
  std::uint64_t aside_word(std::size_t at) const;

  /// Sends the bytes to another sink from now on.
  /// @return the sink before
  byte_sink* redirect(byte_sink* sink) { return std::exchange(sink_, sink); }

  /// Lives while objects of `owned_now` or `shared_now` are written.
  class nesting {
   public:
    /// @throws error(argument) if too many are nested in one another
    explicit nesting(writer_base& w);
    ~nesting() { --w_.nested_; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;

   private:
    writer_base& w_;
  };
  /// How many of these objects are being written, one inside another.
  int nested() const { return nested_; }

  /// True with WHERRY_CHECK.
  bool looks_at_memory() const { return met_ != nullptr; }

  virtual copy_statistics figures() const = 0;

 protected:
  explicit writer_base(byte_sink& sink);
  ~writer_base();

  /// Writes `n` objects of `each` bytes.
  /// @throws error(argument) if the bytes overflow
  void write_array(const void* first, std::size_t n, std::size_t each);
  /// The bytes of an array in device memory.
  /// @throws error(state) if no hooks or device reach it, error(argument) if the bytes overflow
  static std::size_t device_bytes(std::uint64_t n, std::size_t each);
  /// Writes `bytes` from device memory.
  void write_from_device(const void* first, std::size_t bytes);

  /// Gives the next number to an object that is met for the first time.
  void number(const void* object, extent n);
  /// As `number`, for an object behind a pointer.
  /// @throws error(argument) if the object is a part of another one that arrives by itself
  void number_pointee(const void* object, extent n, const type_behind& type) {
    if (reinterpret_cast<std::uintptr_t>(object) - looked_at_ < looked_at_bytes_) look_around(object, n, type);
    number(object, n);
  }
  [[gnu::cold]] void look_at_owned(const volatile void* first, extent n, const type_behind& type);
  [[gnu::cold]] void look_around(const void* object, extent n, const type_behind& type) const;
  [[noreturn, gnu::cold]] void refuse_type(const void* object, const type_behind& type) const;
  void has_root(const void* root, const type_behind& type);
  /// Takes note of objects that arrive without a pointer, if all objects are compared.
  void brought(const volatile void* first, std::size_t n, const type_behind& type) const {
    if (met_) look_at_brought(const_cast<const void*>(first), n, type);
  }
  void must_have_length(std::uint64_t number, extent n) const;
  std::size_t table_bytes() const { return order_.capacity() * sizeof(void*) + aside_.capacity(); }

  /// Writes a batch of tokens, in the shortest words that can hold the `largest`.
  void write_tokens(const std::uint64_t* token, std::size_t n, std::uint64_t largest);

  /// The entry of class `dynamic`, for a whole object that is reached through a pointer to `met_as`.
  static const class_entry& class_of(const std::type_info& dynamic, const std::type_info& met_as, const void* whole,
                                     extent n);

  byte_sink* sink_;
  std::uint64_t next_ = 0;
  std::vector<const void*> order_;  // shared objects by number
  owned_once owned_once_;
  std::unordered_map<std::uint64_t, std::uint64_t> lengths_;  // lengths of shared arrays by number
  std::unique_ptr<met_memory> met_;                           // with WHERRY_CHECK
  // Objects behind pointers are compared more closely in this memory: the root, or everywhere.
  std::uintptr_t looked_at_ = 0;
  std::size_t looked_at_bytes_ = 0;
  std::uintptr_t root_ = 0;
  type_behind root_type_{nullptr, 0};  // 0 bytes: the root is not an object
  std::size_t successor_ = 0;          // the number after that of the last object in an array of pointers
  bool in_order_ = false;              // that object's number followed the one before it

 private:
  [[gnu::cold]] void look_at_brought(const void* first, std::size_t n, const type_behind& type) const;

  std::vector<std::byte> aside_;
  int nested_ = 0;  // of the objects that are written now
};

}  // namespace wherry::deep
