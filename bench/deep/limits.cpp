// The limits of the machine: carries the structure's bytes in one piece.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "deep/peers.hpp"

namespace bench::deep {
namespace {

/// The source, and the arrived bytes.
struct pieces {
  packed_bytes source, packed, arrived;
};

void fill(packed_bytes& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes.data()[i] = static_cast<char>(i * 31 + (i >> 12));
}

bool same(const packed_bytes& a, const packed_bytes& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

/// With `fresh`, each message gets memory of its own, as in a program that sends a structure once in a while; otherwise
/// all use the same memory.
void copy_and_carry(pieces& p, operation what, MPI_Comm comm, bool fresh) {
  if (fresh) p.packed = packed_bytes();
  if (rank_in(comm) == 0) {
    p.packed.resize(p.source.size());
    std::memcpy(p.packed.data(), p.source.data(), p.source.size());
  }
  carry(what, comm, rank_in(comm) == 0 ? p.packed : p.arrived);
}

contender message(const std::string& name, operation what, MPI_Comm comm, std::shared_ptr<pieces> p, bool fresh,
                  bool copied) {
  const bool root = rank_in(comm) == 0;
  return {name, "limit",
          [=] {
            if (copied)
              copy_and_carry(*p, what, comm, fresh);
            else
              carry(what, comm, root ? p->source : p->arrived);
          },
          [=] {
            if (fresh) p->packed = packed_bytes(), p->arrived = packed_bytes();
          },
          [=] { return !receives(what, comm) || same(p->source, p->arrived); }};
}

std::shared_ptr<pieces> make_pieces(std::size_t bytes) {
  auto p = std::make_shared<pieces>();
  p->source.resize(bytes);
  fill(p->source);
  return p;
}

}  // namespace

contenders limits(operation what, MPI_Comm comm, const std::string& folder, std::size_t bytes) {
  if (what == operation::broadcast || what == operation::send) {
    const std::string verb = what == operation::send ? "send" : "broadcast";
    return {message("memcpy + " + verb + ", fresh", what, comm, make_pieces(bytes), true, true),
            message("memcpy + " + verb + ", warm", what, comm, make_pieces(bytes), false, true),
            message("plain " + verb + ", fresh", what, comm, make_pieces(bytes), true, false),
            message("plain " + verb + ", warm", what, comm, make_pieces(bytes), false, false)};
  }
  const bool mine = rank_in(comm) == 0;
  const auto p = make_pieces(bytes);
  const std::string path = file_for(folder, "plain file");
  if (what == operation::write)
    return {{"plain write", "limit",
             [=] {
               if (mine) write_file(path, p->source);
             },
             [=] {
               if (mine) std::remove(path.c_str());
             },
             [=] { return !mine || same(p->source, read_file(path)); }}};
  if (mine) write_file(path, p->source);
  return {{"plain read, fresh", "limit",
           [=] {
             if (mine) p->arrived = read_file(path);
           },
           [=] { p->arrived = packed_bytes(); }, [=] { return !mine || same(p->source, p->arrived); }}};
}

contenders allocations_alone(operation what, MPI_Comm comm, std::vector<std::size_t> sizes) {
  if (what == operation::write) return {};
  const bool mine = receives(what, comm);
  const auto made = std::make_shared<std::vector<void*>>(sizes.size());
  return {{"allocations alone", "limit",
           [=] {
             if (!mine) return;
             for (std::size_t i = 0; i < sizes.size(); ++i) (*made)[i] = ::operator new(sizes[i]);
           },
           [=] {
             for (void*& each : *made) ::operator delete(std::exchange(each, nullptr));
           },
           [=] { return !mine || std::ranges::none_of(*made, [](void* each) { return each == nullptr; }); }}};
}

}  // namespace bench::deep
