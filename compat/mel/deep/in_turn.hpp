/// @file
/// Objects in the paper's order: what one call of a deep-copy function names has arrived, with all that it leads to,
/// before the next call. Wherry's own passes take a whole object first and what it leads to later; so an object's
/// function runs as one rule of theirs, over the passes that are here.
///
/// On the wire: the object's bytes, in the place of each pointer and container a mark of whether anything is there,
/// then a token a call, each with what belongs to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "wherry/core/error.hpp"
#include "wherry/deep/pack.hpp"

namespace MEL::Deep::detail {

/// Beyond so many objects inside one another what a pointer leads to waits, so that no structure is too deep for the
/// call stack.
inline constexpr int most_at_once = 64;

/// Whether what comes next does so at once. The same on both sides.
bool at_once(const auto& writer_or_reader) { return writer_or_reader.nested() < most_at_once; }

/// Writing, first: marks, in the copy of the object's bytes.
template <class Writer> class marking_pass {
 public:
  marking_pass(wherry::deep::slot_pass<Writer>& slots, wherry::deep::object_bytes whole)
      : slots_(slots), whole_(whole) {}

  template <class T> void operator()(T& x) { slots_.local(x); }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    if (whole_.have(std::addressof(x))) slots_.by(x, mark{rule.mark()});
  }

 private:
  struct mark {
    std::uint64_t value;
    std::uint64_t token(auto&) const { return value; }
  };

  wherry::deep::slot_pass<Writer>& slots_;
  wherry::deep::object_bytes whole_;
};

/// Reading: one thing after the other.
class in_turn_read_pass {
 public:
  /// @param replaceable  Wherry can make another object when this one cannot be finished
  in_turn_read_pass(wherry::deep::reader& r, wherry::deep::object_bytes whole, bool replaceable)
      : r_(r), whole_(whole), replaceable_(replaceable) {
    if (r.failed()) stop();
  }

  template <class T> void operator()(T& x) {
    if (whole_.have(std::addressof(x)))
      r_.value(std::addressof(x));
    else
      r_.value_again(x);
    if (r_.failed()) stop();
  }
  template <class T, class Rule> void by(T& x, const Rule& rule) {
    std::uint64_t mark = 0;
    std::memcpy(&mark, static_cast<const void*>(&x), sizeof mark);
    std::uint64_t token = r_.count();
    // Then it is as if all that was there had come, of zeros: the function may look at it.
    if (r_.failed() && (whole_.have(std::addressof(x)) || std::is_pointer_v<T>)) token = rule.token_of(mark);
    rule.arrive(r_, token, whole_.have(std::addressof(x)));
    if (r_.failed() && rule.token_of(mark) != 0 && rule.mark() == 0) stop();
  }

 private:
  /// The function must not look at what is not there. Wherry makes the object anew; what its pointers led to is lost.
  void stop() const {
    if (replaceable_) throw wherry::error(wherry::error_kind::mismatch, "MEL::Deep", "what arrives ends too early");
  }

  wherry::deep::reader& r_;
  wherry::deep::object_bytes whole_;
  bool replaceable_;
};

/// A whole object as one rule. `Embedded`: it may be a part of an object that Wherry describes, and what it shares must
/// be numbered while that one's other members are, at the price of a copy.
template <bool Embedded, class Run> struct in_turn_rule {
  wherry::deep::object_bytes whole;
  bool replaceable;
  Run run;

  std::uint64_t token(auto&) const { return 0; }
  void contents(auto& writer) const
    requires(!Embedded)
  {
    write(writer);
  }
  void objects(auto& writer, std::uint64_t) const
    requires Embedded
  {
    write(writer);
  }
  void arrive(wherry::deep::reader& reader, std::uint64_t, bool) const {
    in_turn_read_pass pass(reader, whole, replaceable);
    run(pass);
  }
  /// Of an object that is whole.
  void destroy(wherry::deep::destroyer& destroyer) const {
    wherry::deep::destroy_pass pass(destroyer);
    run(pass);
  }

 private:
  template <class Writer> void write(Writer& writer) const {
    wherry::deep::stream_pass<Writer> pass(writer);
    run(pass);
  }
};

template <class Pass> constexpr bool is_first_pass = false;
template <class Writer> constexpr bool is_first_pass<wherry::deep::slot_pass<Writer>> = true;
template <class Pass>
constexpr bool is_second_pass =
    std::is_same_v<Pass, wherry::deep::read_pass> || std::is_same_v<Pass, wherry::deep::undo_pass>;
template <class Writer> constexpr bool is_second_pass<wherry::deep::content_pass<Writer>> = true;

/// The description of `object` by what `run` does with a pass.
template <bool Embedded, class Pass, class T, class Run> void describe_in_turn(Pass& pass, T& object, Run run) {
  const wherry::deep::object_bytes whole{reinterpret_cast<const std::byte*>(&object), sizeof(T)};
  char outside = 0;  // so that the rule has no place in the object
  if constexpr (is_first_pass<Pass>) {
    marking_pass marks(pass, whole);
    run(marks);
  }
  if constexpr (is_first_pass<Pass> || is_second_pass<Pass>)
    pass.by(outside, in_turn_rule<Embedded, Run>{whole, std::is_default_constructible_v<T>, run});
  else
    run(pass);
}

}  // namespace MEL::Deep::detail
