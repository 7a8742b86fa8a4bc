/// @file
/// Classes that are found by name on the other side: see polymorphic.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace wherry::deep {

class destroyer;
class pointer_map;
class reader;
class type_walk;
template <class Map> class writer;

/// What is known of a registered class, whose objects are passed as pointers to the whole object.
struct class_entry {
  struct base {
    const std::type_info* type;
    void* (*from_object)(void*);
  };

  std::string name;
  std::uint32_t mark;  ///< stands in a stream for the name, and for what the class names
  const std::type_info* type;
  std::vector<base> bases;  ///< itself among them
  void* (*make)();          ///< with `new`
  void (*free)(void*);
  std::shared_ptr<void> (*own)(void*);  ///< for a class that knows its owner; null: any other will do
  void (*write)(writer<pointer_map>&);  ///< works off the item on the top of the stack
  void (*read)(reader&);
  void (*visit)(destroyer&, void*);
  void (*look_over)(type_walk&);
  std::string problem;  ///< what its description forgets

  /// The part of an object that is a `Base`; null when that was not registered as a base.
  void* as(const std::type_info& wanted, void* object) const;
};

/// Takes a class up for the life of the process. Not while other threads copy.
/// @throws wherry::error (argument) when the name, or the mark made of it, is taken by another class
const class_entry& register_class(class_entry entry);

/// Looks over all classes that nobody has looked over yet. @throws wherry::error (argument) for one that may be met
///   through a pointer to `base` and whose description forgets something
void look_over_classes(const std::type_info& base);

/// @throws wherry::error (argument) naming the class that was not registered, or whose description forgets something
const class_entry& registered_class(const std::type_info& type);
/// The same for what only destroys.
const class_entry& registered_class_as_it_is(const std::type_info& type);
/// Null when there is none.
const class_entry* class_with_mark(std::uint32_t mark) noexcept;
/// Null when `entry` is not the address of a registered class.
const class_entry* class_at(std::uintptr_t entry) noexcept;

}  // namespace wherry::deep
