/// @file
/// Hash maps that remember shared pointers (MEL, "Hashing shared pointers" and listing 21).
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "wherry/deep/address_table.hpp"
#include "wherry/deep/pointer_map.hpp"

namespace MEL::Deep {

/// The default hash map: it uses open addressing where MEL has a std::unordered_map. A user's map has the same
/// functions; see mel.hpp. Keys are never null.
class PointerHashMap {
 public:
  /// True if `oldPtr` is in the map; then sets `ptr` to its value.
  template <class T> bool find(T* oldPtr, T*& ptr) const {
    const std::uint64_t* value = map_.find(oldPtr);
    if (value != nullptr) ptr = reinterpret_cast<T*>(static_cast<std::uintptr_t>(*value));
    return value != nullptr;
  }
  template <class T> void insert(T* oldPtr, T* ptr) {
    map_.find_or_insert(oldPtr, reinterpret_cast<std::uintptr_t>(ptr));
  }

 private:
  wherry::deep::detail::address_table map_;
};

/// A class that maps addresses to addresses, with member functions `find` and `insert`.
template <class Map>
concept HashMap = std::default_initializable<Map> && requires(Map& map, char* p) {
  { map.find(p, p) } -> std::convertible_to<bool>;
  map.insert(p, p);
};

namespace detail {

/// Adapts a user's map to Wherry, which stores numbers: they are kept as addresses.
template <HashMap Map> class numbers_in {
 public:
  std::uint64_t find_or_insert(const void* key, std::uint64_t fresh) {
    char* const address = static_cast<char*>(const_cast<void*>(key));
    char* found = nullptr;
    if (map_.find(address, found)) return reinterpret_cast<std::uintptr_t>(found) - 1;
    map_.insert(address, reinterpret_cast<char*>(static_cast<std::uintptr_t>(fresh + 1)));
    return fresh;
  }

 private:
  Map map_;
};

template <class Map> struct map_for {
  using type = numbers_in<Map>;
};
template <> struct map_for<PointerHashMap> {
  using type = wherry::deep::pointer_map;
};
/// Converts between MEL's map types and Wherry's.
template <class Map> using map_of = typename map_for<Map>::type;

template <class Numbers> struct paper_map {
  using type = PointerHashMap;
};
template <class Map> struct paper_map<numbers_in<Map>> {
  using type = Map;
};

}  // namespace detail
}  // namespace MEL::Deep
