/// @file
/// The places where structures arrive with Wherry: as objects that can be freed one by one, in an arena of this one
/// structure, or in an arena that has been used before.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "wherry/deep/arena.hpp"

#include "deep/contender.hpp"

namespace bench::deep {

/// The way in which a structure arrives.
enum class arrival { freeable, cold_arena, pooled_arena };

/// The arrived structure, and its arena.
template <class Structure> class guest {
 public:
  explicit guest(arrival how) : how_(how) {
    if (how == arrival::pooled_arena) arena_.emplace();
  }

  Structure& structure() { return structure_; }
  /// The arena; null if every object is made by itself. A cold arena is made in this call.
  wherry::deep::arena* arena() {
    if (how_ == arrival::cold_arena) arena_.emplace();
    return arena_ ? &*arena_ : nullptr;
  }
  void leave() {
    if (how_ == arrival::freeable) {
      clear(structure_);
      return;
    }
    structure_ = Structure();  // frees its own vectors; the arena owns the objects behind its pointers
    if (how_ == arrival::pooled_arena)
      arena_->clear();
    else
      arena_.reset();
  }

 private:
  arrival how_;
  std::optional<wherry::deep::arena> arena_;
  Structure structure_;
};

inline constexpr std::pair<arrival, const char*> arrivals[] = {
    {arrival::freeable, "freeable"}, {arrival::cold_arena, "arena, cold"}, {arrival::pooled_arena, "arena, pooled"}};

/// Only `receive(structure, arena)` is timed.
template <class Structure>
contender arriving(const job<Structure>& work, const std::string& name, arrival how,
                   std::function<void(Structure&, wherry::deep::arena*)> receive) {
  const auto place = std::make_shared<guest<Structure>>(how);
  return {name, "ours", [place, receive] { receive(place->structure(), place->arena()); }, [place] { place->leave(); },
          [work, place] { return !receives(work.what, work.comm) || same(*work.original, place->structure()); }};
}

}  // namespace bench::deep
