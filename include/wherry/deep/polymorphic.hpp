/// @file
/// Pointers to base classes: the object behind such a pointer travels whole, as the derived class that it is. Each
/// derived class must be `registered` once; the base class needs a description only.
#pragma once

#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "wherry/deep/destroy.hpp"
#include "wherry/deep/detail/class_registry.hpp"
#include "wherry/deep/detail/reader.hpp"
#include "wherry/deep/detail/type_walk.hpp"
#include "wherry/deep/detail/writer.hpp"

namespace wherry::deep {

/// Makes `Class` known under a name that is the same on both sides. Pointers to `Bases` may then point to its objects:
///
///     inline const wherry::deep::registered<circle, shape> circle_is_known("circle");
///
/// The class needs a default constructor and a description that names all its members, `m.template base<shape>(*this)`
/// included, because the bytes of an object with virtual functions cannot travel. Raw pointers, unique_ptr and
/// shared_ptr are treated alike. The name of the class and the members that the description names are recorded in
/// files: after a change of either, older files cannot be read.
template <class Class, class... Bases> struct registered {
  static_assert(std::is_polymorphic_v<Class> && described<Class>,
                "deep copy: a registered class is polymorphic and described");
  static_assert(std::is_default_constructible_v<Class>, "deep copy: a registered class has a default constructor");
  static_assert((std::is_base_of_v<Bases, Class> && ...),
                "deep copy: registered<Class, Bases...> names no base of its class");
  static_assert((std::has_virtual_destructor_v<Bases> && ...), "deep copy: a registered base has a virtual destructor");

  /// @throws wherry::error (argument) if another class has this name
  explicit registered(const char* name) : entry(enter(name)) {}

  const class_entry& entry;

 private:
  template <class Base> static void* part(void* object) { return static_cast<Base*>(static_cast<Class*>(object)); }

  static const class_entry& enter(const char* name) {
    class_entry e;
    e.name = name;
    e.type = &typeid(Class);
    e.bases = {{&typeid(Class), &part<Class>}, {&typeid(Bases), &part<Bases>}...};
    e.make = []() -> void* { return new Class(); };
    e.free = [](void* object) { delete static_cast<Class*>(object); };
    e.own = nullptr;
    if constexpr (detail::knows_its_owner<Class>)
      e.own = [](void* object) -> std::shared_ptr<void> { return std::shared_ptr<Class>(static_cast<Class*>(object)); };
    e.write = [](writer<pointer_map>& w) {
      auto* object = static_cast<Class*>(w.top().at);
      w.pop();
      w.value(*object);
    };
    e.read = [](reader& r) {
      auto* object = static_cast<Class*>(r.top().at);
      r.pop();
      r.members(*object);
    };
    e.visit = [](detail::destroyer& d, void* object) { d.visit(*static_cast<Class*>(object)); };
    e.look_over = [](type_walk& walk) { walk.type<Class>(); };
    return register_class(std::move(e));
  }
};

}  // namespace wherry::deep
