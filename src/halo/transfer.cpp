#include "wherry/halo/transfer.hpp"

#include "wherry/device/field_memory.hpp"

namespace wherry {

detail::transfer detail::transfer::of(int peer, int label, const void* buffer, index_t bytes, memory_space space) {
  detail::transfer t;
  t.peer = peer;
  t.label = label;
  t.what.data = const_cast<void*>(buffer);
  t.what.element = bytes;
  t.what.space = detail::space_of(buffer, space);
  return t;
}

detail::transfer detail::transfer::of(int peer, int label, array_section part) {
  detail::transfer t;
  t.kind = form::section;
  t.peer = peer;
  t.label = label;
  t.what = std::move(part);
  t.what.space = detail::space_of(t.what.data, t.what.space);
  return t;
}

detail::transfer detail::transfer::of(int peer, int label, const user_structure& structure, index_t region,
                                      index_t bytes) {
  detail::transfer t = of(peer, label, structure.data, bytes);
  t.kind = form::region;
  t.code = structure.code;
  t.region = region;
  if (!t.code.gather || !t.code.scatter) t.what.problem = "the structure has no gather and scatter functions";
  return t;
}

}  // namespace wherry
