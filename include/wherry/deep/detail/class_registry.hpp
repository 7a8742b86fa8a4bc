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
template <class Map> class writer;

/// What is known of a registered class, whose objects are passed as pointers to the whole object.
struct class_entry {
  struct base {
    const std::type_info* type;
    void* (*from_object)(void*);
  };

  std::string name;
  std::uint32_t mark;  ///< stands for the name in a stream
  const std::type_info* type;
  std::vector<base> bases;  ///< itself among them
  void* (*make)();          ///< with `new`
  void (*free)(void*);
  std::shared_ptr<void> (*own)(void*);  ///< for a class that knows its owner; null: any other will do
  void (*write)(writer<pointer_map>&);  ///< works off the item on the top of the stack
  void (*read)(reader&);
  void (*visit)(destroyer&, void*);

  /// The part of an object that is a `Base`; null when that was not registered as a base.
  void* as(const std::type_info& wanted, void* object) const;
};

/// Takes a class up for the life of the process. Not while other threads copy.
/// @throws wherry::error (argument) when the name, or the mark made of it, is taken by another class
const class_entry& register_class(class_entry entry);

/// @throws wherry::error (argument) naming the class that was not registered
const class_entry& registered_class(const std::type_info& type);
/// Null when there is none.
const class_entry* class_with_mark(std::uint32_t mark) noexcept;
/// Null when `entry` is not the address of a registered class.
const class_entry* class_at(std::uintptr_t entry) noexcept;

}  // namespace wherry::deep
