/// @file
/// Copies objects in MEL's order: the objects that one call in a deep-copy function names have arrived, with everything
/// that they lead to, before the next call. Wherry's own passes take a whole object first and the objects behind it
/// later; so a deep-copy function runs as one rule of these passes, over the passes below.
///
/// The format: the object's bytes, with a mark in the place of each pointer and container that says whether there is
/// anything; then, for each call, a token and its data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "wherry/core/error.hpp"
#include "wherry/deep/pack.hpp"

namespace MEL::Deep::detail {

/// At this depth of nested objects, objects behind pointers are deferred, so that no structure is too deep for the call
/// stack.
inline constexpr int most_at_once = 64;

/// True if the next objects are copied at once. Both sides decide alike.
bool at_once(const auto& writer_or_reader) { return writer_or_reader.nested() < most_at_once; }

/// First pass of writing: puts marks into the copy of the object's bytes.
template <class Writer> class marking_pass {
 public:
  marking_pass(wherry::deep::slot_pass<Writer>& slots, wherry::deep::object_bytes whole)
      : slots_(slots), whole_(whole) {}

  template <class T> void operator()(T& x) { slots_.skip(x); }
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

/// The reading pass: reads members in the order of the calls.
class in_turn_read_pass {
 public:
  /// @param replaceable true if Wherry can make a new object when this one cannot be finished
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
    // Then all objects count as arrived, and are zeros: the function may look at them.
    if (r_.failed() && (whole_.have(std::addressof(x)) || std::is_pointer_v<T>)) token = rule.token_of(mark);
    rule.arrive(r_, token, whole_.have(std::addressof(x)));
    if (r_.failed() && rule.token_of(mark) != 0 && rule.mark() == 0) stop();
  }

 private:
  /// The function must not look at objects that have not arrived. Wherry makes a new object; the objects behind the old
  /// one's pointers are lost.
  void stop() const {
    if (replaceable_)
      throw wherry::error(wherry::error_kind::mismatch, "MEL::Deep",
                          "the incoming message ends before the object is complete");
  }

  wherry::deep::reader& r_;
  wherry::deep::object_bytes whole_;
  bool replaceable_;
};

/// The rule for a whole object. `Embedded`: the object may be a part of one that Wherry describes; its shared objects
/// must then be numbered together with the other members, at the price of a copy.
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
  /// Frees the members of a complete object.
  void destroy(wherry::deep::detail::destroyer& destroyer) const {
    wherry::deep::detail::destroy_pass pass(destroyer);
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

/// Describes `object` by the calls that `run` makes on a pass.
template <bool Embedded, class Pass, class T, class Run> void describe_in_turn(Pass& pass, T& object, Run run) {
  const wherry::deep::object_bytes whole{reinterpret_cast<const std::byte*>(&object), sizeof(T)};
  char outside = 0;  // gives the rule a place outside the object
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
