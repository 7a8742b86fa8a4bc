/// @file
/// The registry of classes that the other side finds by name: see polymorphic.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace wherry::deep {

namespace detail {
class destroyer;
}
class pointer_map;
class reader;
class type_walk;
template <class Map> class writer;

/// The facts about a registered class. Its functions take pointers to the whole object.
struct class_entry {
  struct base {
    const std::type_info* type;
    void* (*from_object)(void*);
  };

  std::string name;
  std::uint32_t mark;  ///< represents, in a stream, the name and the members that the description names
  const std::type_info* type;
  std::vector<base> bases;  ///< including the class itself
  void* (*make)();          ///< makes an object with `new`
  void (*free)(void*);
  std::shared_ptr<void> (*own)(void*);  ///< with enable_shared_from_this; else null
  void (*write)(writer<pointer_map>&);  ///< writes the object of the top stack item and takes the item off
  void (*read)(reader&);
  void (*visit)(detail::destroyer&, void*);
  void (*look_over)(type_walk&);
  std::string problem;  ///< the members that its description forgets, as a text

  /// The part of an object that is the base `wanted`; null if that was not registered as a base.
  void* as(const std::type_info& wanted, void* object) const;
};

/// Registers a class for the life of the process. Not while other threads copy.
/// @throws wherry::error (argument) if another class has the name, or the mark that is derived from it
const class_entry& register_class(class_entry entry);

/// Checks the descriptions of all classes that have not been checked yet.
/// @throws wherry::error (argument) for a class that may be met through a pointer to `base` and forgets a member
void look_over_classes(const std::type_info& base);

/// The entry of a class.
/// @throws wherry::error (argument) if the class was not registered, or if its description forgets a member; the error
///   names it
const class_entry& registered_class(const std::type_info& type);
/// The entry of a class without the check of its description, to destroy objects.
const class_entry& registered_class_as_it_is(const std::type_info& type);
/// The class with this mark; null if there is none.
const class_entry* class_with_mark(std::uint32_t mark) noexcept;
/// The class with its entry at this address; null if the address is not that of an entry.
const class_entry* class_at(std::uintptr_t entry) noexcept;

}  // namespace wherry::deep
