/// @file
/// What a deep-copy function is given (paper 3, listing 6).
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include "wherry/deep/pack.hpp"

#include "mel/deep/box.hpp"
#include "mel/deep/in_turn.hpp"
#include "mel/deep/rules.hpp"

namespace MEL::Deep {

/// The transport API: a deep-copy function names the pointers and containers of its object in any order; all else of
/// the object has arrived before it runs. The same function is run while an object is written (twice), read, or freed.
///
/// As in the paper, what one line brings the next may use: behind a pointer of packPtr or packSharedPtr, in a
/// container, with all that this leads to. Where a cycle leads back to an object whose function is still at work, that
/// has what its function has named by then. More than 64 objects inside one another are more than the call stack should
/// hold: what lies deeper arrives later, and is zeros until then. So do the elements of containers in containers.
///
/// A last template argument is an external function for the objects: `msg.template packPtr<T, F>(p, n)`. (Paper 3's
/// listing 11 leaves the word `template` out; C++ wants it there where `msg` is of a template's type.)
template <class HASH_MAP> class Message<detail::traversal, HASH_MAP> {
 public:
  template <class T> using external = detail::external<T, HASH_MAP>;

  /// An object that is a member, of a type with a deep-copy function or one that Wherry knows by itself (strings, maps,
  /// smart pointers, …).
  template <class T, external<T> F = nullptr> void packVar(T& obj) {
    if constexpr (detail::is_given<F>) {
      F(obj, *this);
    } else if constexpr (detail::deep<T>) {
      static_assert(!std::is_polymorphic_v<T>,
                    "MEL: the bytes of a class with virtual functions cannot travel: describe it for Wherry");
      obj.DeepCopy(*this);
    } else {
      static_assert(!wherry::deep::flat<T>, "MEL: packVar is for deep objects; the others are transported already");
      on_pass([&](auto& pass) { pass(obj); });
    }
  }

  /// A pointer to `len` objects that nothing else points to. Nothing travels where it is null or `len` is not positive.
  template <class T, external<T> F = nullptr> void packPtr(T*& ptr, int len = 1) {
    pack_pointer<T, F, false>(ptr, len);
  }

  /// A pointer to `len` objects that other shared pointers may point to, too: they arrive once. All must give the same
  /// `len` and the same function.
  template <class T, external<T> F = nullptr> void packSharedPtr(T*& ptr, int len = 1) {
    pack_pointer<T, F, true>(ptr, len);
  }

  template <class T, external<T> F = nullptr> void packSTL(std::vector<T>& vec) { pack_sequence<T, F>(vec); }
  template <class T, external<T> F = nullptr> void packSTL(std::list<T>& lst) { pack_sequence<T, F>(lst); }

  template <class T> Message& operator&(T& obj) {
    packVar(obj);
    return *this;
  }
  template <class T> Message& operator&(std::vector<T>& vec) {
    packSTL(vec);
    return *this;
  }
  template <class T> Message& operator&(std::list<T>& lst) {
    packSTL(lst);
    return *this;
  }

  // Over one of Wherry's passes.
  template <class Pass> explicit Message(Pass& pass) : pass_(&pass) {}

 private:
  using writer = wherry::deep::writer<detail::map_of<HASH_MAP>>;

  template <class T, external<T> F, bool Shared> void pack_pointer(T*& ptr, int len) {
    using rule = detail::member_rule<detail::boxed<T, F>, T, Shared>;
    on_pass([&](auto& pass) { pass.by(ptr, rule{{ptr, len < 0 ? 0 : static_cast<std::uint64_t>(len)}}); });
  }

  template <class T, external<T> F, class Sequence> void pack_sequence(Sequence& elements) {
    using box = detail::boxed<T, F>;
    static_assert(!detail::is_sequence<T> || !std::is_pointer_v<detail::element_of<T>>,
                  "MEL: a container of containers of pointers: put the inner one in a struct with a DeepCopy function");
    // What Wherry does by itself, it does best.
    constexpr bool plain =
        !detail::is_given<F> && (wherry::deep::flat<T> || !(detail::just_bytes<T> || detail::deep<T>));
    if constexpr (plain)
      on_pass([&](auto& pass) { pass(elements); });
    else
      on_pass([&](auto& pass) { pass.by(elements, detail::sequence_rule<box, Sequence>{elements}); });
  }

  template <class Do> void on_pass(Do run) {
    std::visit([&](auto* pass) { run(*pass); }, pass_);
  }

  std::variant<detail::marking_pass<writer>*, wherry::deep::stream_pass<writer>*, detail::in_turn_read_pass*,
               wherry::deep::destroy_pass*>
      pass_;
};

namespace detail {

template <class Pass> struct map_of_pass {
  using type = PointerHashMap;
};
template <template <class> class Pass, class Numbers> struct map_of_pass<Pass<wherry::deep::writer<Numbers>>> {
  using type = typename paper_map<Numbers>::type;
};

}  // namespace detail
}  // namespace MEL::Deep

/// A Message knows the passes that copy and destroy.
template <MEL::Deep::detail::deep T> inline constexpr bool wherry::deep::is_looked_over<T> = false;

/// A type with a DeepCopy function, also where Wherry itself meets one: `wherry::deep::send` of it works as well.
template <MEL::Deep::detail::deep T> struct wherry::deep::description<T> {
  template <class Pass> static void describe(Pass& pass, T& x) {
    using map = typename MEL::Deep::detail::map_of_pass<Pass>::type;
    MEL::Deep::detail::describe_in_turn<true>(pass, x, [&x](auto& by) {
      MEL::Deep::Message<MEL::Deep::detail::traversal, map> message(by);
      message.packVar(x);
    });
  }
};

/// What pointers point to.
template <class T>
  requires(!MEL::Deep::detail::just_bytes<T>)
struct wherry::deep::description<MEL::Deep::detail::box<T, nullptr>> {
  using stands_for = T;
  template <class Pass> static void describe(Pass& pass, MEL::Deep::detail::box<T, nullptr>& x) {
    using map = typename MEL::Deep::detail::map_of_pass<Pass>::type;
    MEL::Deep::detail::describe_in_turn<false>(pass, x, [&x](auto& by) {
      MEL::Deep::Message<MEL::Deep::detail::traversal, map> message(by);
      message & x.object;
    });
  }
};

/// The same with an external function, of the object or of a container's elements.
template <class T, class HASH_MAP, MEL::Deep::detail::external<T, HASH_MAP> F>
struct wherry::deep::description<MEL::Deep::detail::box<T, F>> {
  using stands_for = T;
  template <class Pass> static void describe(Pass& pass, MEL::Deep::detail::box<T, F>& x) {
    MEL::Deep::detail::describe_in_turn<false>(pass, x, [&x](auto& by) {
      MEL::Deep::Message<MEL::Deep::detail::traversal, HASH_MAP> message(by);
      message.template packVar<T, F>(x.object);
    });
  }
};
