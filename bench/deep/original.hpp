/// @file
/// The structures to move, by name, and all contenders that move them.
#pragma once

#include <functional>
#include <string>

#include "deep/contender.hpp"
#include "deep/graph.hpp"
#include "deep/scene.hpp"

namespace bench::deep {

/// Makes a structure on every rank, and frees it at the end.
template <class Structure> class original {
 public:
  template <class... Shape> explicit original(const Shape&... shape) { make(structure_, shape...); }
  ~original() { clear(structure_); }
  original(const original&) = delete;
  original& operator=(const original&) = delete;
  const Structure& get() const { return structure_; }

 private:
  Structure structure_;
};

/// "scene:1000" or "ring:20": a shape and its number of nodes. @throws std::invalid_argument
struct structure_name {
  explicit structure_name(const std::string& text);
  bool is_scene() const { return shape == "scene"; }
  std::string shape;
  int nodes = 0;
};

/// Calls `use(structure)` with the structure of this name.
template <class Use> void with_original(const std::string& name, Use use) {
  const structure_name shape(name);
  if (shape.is_scene())
    use(original<scene>(shape.nodes).get());
  else
    use(original<graph>(shape.shape, shape.nodes).get());
}

/// Calls `use(contenders, bytes of the structure)` with all contenders that can do `what` with the structure of this
/// name: first Wherry's, then peers and limits. Collective over MPI_COMM_WORLD.
void with_contenders(const std::string& name, operation what, const std::string& folder,
                     const std::function<void(contenders, std::size_t)>& use);

}  // namespace bench::deep
