/// @file
/// `Message`: the argument of a deep-copy function (MEL, listing 6).
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include "wherry/deep/pack.hpp"

#include "mel/deep/box.hpp"
#include "mel/deep/in_turn.hpp"
#include "mel/deep/rules.hpp"

namespace MEL::Deep {

/// MEL's transport API: a deep-copy function names the pointers and containers of its object in any order; the rest of
/// the object has arrived before it runs. The same function runs while an object is written (twice), read, or freed.
///
/// As in MEL, a line may use the objects that the lines before it have named: behind a pointer of packPtr or
/// packSharedPtr, or in a container, together with everything that these lead to. If a cycle leads back to an object
/// with a function that is still running, that object has the members that its function has named so far. Objects more
/// than 64 levels deep are too many for the call stack: they arrive later, and are zeros until then. So do the elements
/// of containers in containers.
///
/// A last template argument is an external function for the objects: `msg.template packPtr<T, F>(p, n)`. (Listing 11 of
/// the MEL paper omits the word `template`, which C++ requires if `msg` is of a template's type.)
template <class HASH_MAP> class Message<detail::traversal, HASH_MAP> {
 public:
  template <class T> using external = detail::external<T, HASH_MAP>;

  /// Names a member that is an object, of a type with a deep-copy function or of a type that Wherry knows by itself
  /// (strings, maps, smart pointers, …).
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

  /// Names a pointer to `len` objects that no other pointer points to. Nothing travels if it is null or if `len` is not
  /// positive.
  template <class T, external<T> F = nullptr> void packPtr(T*& ptr, int len = 1) {
    pack_pointer<T, F, false>(ptr, len);
  }

  /// Names a pointer to `len` objects that other shared pointers may point to as well: they arrive once. All these
  /// pointers must give the same `len` and the same function.
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

  // Makes a Message over one of Wherry's passes.
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
    // Wherry's own container code is the fastest.
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
               wherry::deep::detail::destroy_pass*>
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

/// A Message works only with the passes that copy and destroy, so Wherry cannot check its descriptions.
template <MEL::Deep::detail::deep T> inline constexpr bool wherry::deep::is_looked_over<T> = false;

/// Describes a type with a DeepCopy function to Wherry, so that `wherry::deep::send` of it works as well.
template <MEL::Deep::detail::deep T> struct wherry::deep::description<T> {
  template <class Pass> static void describe(Pass& pass, T& x) {
    using map = typename MEL::Deep::detail::map_of_pass<Pass>::type;
    MEL::Deep::detail::describe_in_turn<true>(pass, x, [&x](auto& by) {
      MEL::Deep::Message<MEL::Deep::detail::traversal, map> message(by);
      message.packVar(x);
    });
  }
};

/// Describes objects behind pointers.
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

/// Describes objects behind pointers, or elements of a container, by an external function.
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
