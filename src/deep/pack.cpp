#include "wherry/deep/pack.hpp"

#include <exception>
#include <new>

#include "wherry/core/allocation.hpp"

namespace wherry::deep::detail {

copy_statistics pack_with(byte_sink& sink, void* root,
                          void (*write)(byte_sink&, void* root, copy_statistics& figures)) {
  copy_statistics figures;
  try {
    try {
      write(sink, root, figures);
    } catch (const std::bad_alloc&) {
      wherry::detail::throw_out_of_memory("deep copy", "the tables of written objects, which must double",
                                          2 * figures.working_bytes);
    }
    sink.finish();
    return figures;
  } catch (const std::exception& e) {
    sink.abandon(e.what());
    throw;
  } catch (...) {
    sink.abandon("an exception");
    throw;
  }
}

copy_statistics unpack_with(byte_source& source, const read_options& options, void* root,
                            void (*read)(reader&, void* root), void (*undo)(void* root, const read_options&, reader*)) {
  reader r(source, options);
  r.guarded([&] {
    read(r, root);
    r.drain();
    r.finish();
  });
  try {
    source.finish();
  } catch (...) {
    wherry::detail::allocating("deep copy", "the list of objects to be freed", 0, [&] { undo(root, options, &r); });
    throw;
  }
  return r.figures();
}

}  // namespace wherry::deep::detail
