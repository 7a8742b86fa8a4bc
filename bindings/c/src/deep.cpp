#include "wherry/c/deep.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "wherry/deep/communicate.hpp"
#include "wherry/deep/containers.hpp"
#include "wherry/deep/file.hpp"

#include "deep_walk.hpp"
#include "limits.hpp"
#include "objects.hpp"

namespace wherry_c {
namespace {

namespace deep = wherry::deep;

/// The content of a message: the packed structures, or the reason why there are none.
struct deep_letter {
  packed_bytes bytes;
  std::string failure;
};

struct deep_wishes {
  deep_memory memory;
  int tag = 0;
  bool sync = true;
};
deep_wishes wishes_of(const wherry_deep_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  if ((options.allocate == nullptr) != (options.release == nullptr))
    refuse(where, "'options' has one of 'allocate' and 'release', but not the other");
  return {{options.allocate, options.release, options.context}, options.tag, options.no_sync == 0};
}

/// The tag by which a receiver waits, also if the options are wrong otherwise.
int tag_of(const wherry_deep_options* given) {
  const bool has_tag = given != nullptr && given->struct_size >= offsetof(wherry_deep_options, tag) + sizeof given->tag;
  return has_tag ? given->tag : 0;
}

deep_array root_of(const wherry_deep_type* type, const void* root, std::int64_t count, std::string_view where) {
  check_type(type, where);
  const auto number = size_of(count, where, "count");
  if (number > std::numeric_limits<std::size_t>::max() / type->size)
    refuse(where, "'count' is ", count, ", which is more than memory holds");
  if (root == nullptr && count > 0) refuse(where, "'root' is NULL, but 'count' is ", count);
  return {static_cast<std::byte*>(const_cast<void*>(root)), number, type, type->size};
}

/// A place for structures that are to come.
void check_place(const wherry_deep_type* type, void* const* root, std::string_view where) {
  check_type(type, where);
  require_result(root, where, "root");
  if (*root != nullptr) refuse(where, "'*root' is not NULL, and the structures that it leads to would be lost");
}

void deliver(std::span<const std::byte> bytes, const wherry_deep_type* type, void** root, std::int64_t* count,
             const deep_memory& memory, std::string_view where) {
  if (count != nullptr) *count = 0;
  const auto made = unpack_deeply(bytes, *type, memory, where);
  const bool too_many = count == nullptr && made.count > 1;
  if (made.count == 0 || too_many) free_deeply(made, memory, where);
  if (too_many)
    throw wherry::error(
        wherry::error_kind::mismatch, where,
        wherry::detail::text(made.count, " structures came, but 'count' is NULL, which stands for one"));
  if (made.count > 0) *root = made.first;
  if (count != nullptr) *count = static_cast<std::int64_t>(made.count);
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_deep_send(wherry_communicator comm, const wherry_deep_type* type, const void* root, int64_t count,
                               int to, const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_send";
  return guarded(where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    const int tag = tag_of(options);
    deep_letter letter;
    const auto mine = wherry::detail::error_of(ours, where, [&] {
      wishes_of(options, where);
      letter.bytes = pack_deeply(root_of(type, root, count, where), where);
    });
    if (mine) letter.failure = mine->text();
    deep::send(ours, letter, to, {.tag = tag});
    if (mine) throw wherry::error(*mine);
  });
}
wherry_status wherry_deep_receive(wherry_communicator comm, const wherry_deep_type* type, void** root, int64_t* count,
                                  int from, int* source, const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_receive";
  return guarded(where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    check_place(type, root, where);
    const auto how = wishes_of(options, where);
    deep_letter letter;
    const auto come = deep::receive(ours, letter, from, {.tag = how.tag});
    if (source != nullptr) *source = come.source;
    if (!letter.failure.empty())
      throw wherry::error(wherry::error_kind::mismatch, where,
                          wherry::detail::text("rank ", come.source, " could not send: ", letter.failure), ours.rank(),
                          {come.source});
    deliver(letter.bytes, type, root, count, how.memory, where);
  });
}
wherry_status wherry_deep_bcast(wherry_communicator comm, const wherry_deep_type* type, void** root, int64_t* count,
                                int from, const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_bcast";
  return guarded(where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    deep_wishes how;
    packed_bytes bytes;
    const bool sends = ours.rank() == from;
    wherry::detail::collectively(ours, where, [&] {
      if (from < 0 || from >= ours.size())
        refuse(where, "'from' is ", from, ", expected a rank from 0 to ", ours.size() - 1);
      how = wishes_of(options, where);
      if (sends) {
        require_result(root, where, "root");
        bytes = pack_deeply(root_of(type, *root, count == nullptr ? (*root == nullptr ? 0 : 1) : *count, where), where);
      } else {
        check_place(type, root, where);
      }
    });
    deep::bcast(ours, bytes, from);
    if (!sends) deliver(bytes, type, root, count, how.memory, where);
  });
}

wherry_status wherry_deep_write(const char* path, const wherry_deep_type* type, const void* root, int64_t count,
                                const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_write";
  return guarded(where, [&] {
    if (path == nullptr) refuse(where, "'path' is NULL");
    const auto how = wishes_of(options, where);
    deep::write(std::string(path), pack_deeply(root_of(type, root, count, where), where), {.sync = how.sync});
  });
}
wherry_status wherry_deep_read(const char* path, const wherry_deep_type* type, void** root, int64_t* count,
                               const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_read";
  return guarded(where, [&] {
    if (path == nullptr) refuse(where, "'path' is NULL");
    check_place(type, root, where);
    const auto how = wishes_of(options, where);
    deliver(deep::read<packed_bytes>(std::string(path)), type, root, count, how.memory, where);
  });
}

wherry_status wherry_deep_pack(const wherry_deep_type* type, const void* root, int64_t count, void** bytes,
                               int64_t* size, const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_pack";
  return guarded(where, [&] {
    require_result(bytes, where, "bytes");
    require_result(size, where, "size");
    *bytes = nullptr;
    const auto how = wishes_of(options, where);
    const auto packed = pack_deeply(root_of(type, root, count, where), where);
    auto* const made = how.memory.make(packed.size());
    std::memcpy(made, packed.data(), packed.size());
    *bytes = made;
    *size = static_cast<std::int64_t>(packed.size());
  });
}
wherry_status wherry_deep_unpack(const wherry_deep_type* type, const void* bytes, int64_t size, void** root,
                                 int64_t* count, const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_unpack";
  return guarded(where, [&] {
    check_place(type, root, where);
    const auto how = wishes_of(options, where);
    const auto number = size_of(size, where, "size");
    if (bytes == nullptr && number > 0) refuse(where, "'bytes' is NULL, but 'size' is ", size);
    deliver({static_cast<const std::byte*>(bytes), number}, type, root, count, how.memory, where);
  });
}

wherry_status wherry_deep_free(const wherry_deep_type* type, void** root, int64_t count,
                               const wherry_deep_options* options) {
  constexpr auto where = "wherry_deep_free";
  return guarded(where, [&] {
    require_result(root, where, "root");
    if (*root == nullptr) return;
    const auto how = wishes_of(options, where);
    free_deeply(root_of(type, *root, count, where), how.memory, where);
    *root = nullptr;
  });
}
}
