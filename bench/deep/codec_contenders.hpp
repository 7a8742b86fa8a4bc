/// @file
/// Makes contenders from a codec that packs a structure into bytes and unpacks it. All peers except the unbuffered one
/// are such.
#pragma once

#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>

#include "deep/contender.hpp"

namespace bench::deep {

/// The functions of a peer that turn a structure into bytes and back. `clear` frees the structure that arrived.
template <class Structure> struct codec {
  std::function<void(const Structure&, packed_bytes&)> pack;
  std::function<void(packed_bytes&, Structure&)> unpack;
};

/// The functions of a peer that do so with a stream.
template <class Structure> struct stream_codec {
  std::function<void(const Structure&, std::streambuf&)> save;
  std::function<void(std::streambuf&, Structure&)> load;
};

template <class Structure> codec<Structure> packed(const stream_codec<Structure>& peer) {
  return {[peer](const Structure& from, packed_bytes& to) {
            packing_stream stream(to);
            peer.save(from, stream);
          },
          [peer](packed_bytes& from, Structure& to) {
            unpacking_stream stream(from);
            peer.load(stream, to);
          }};
}

namespace detail {

/// `arrived` outlives the contender's functions, which share it.
template <class Structure>
contender holding(const std::string& name, const std::string& group, const job<Structure>& work,
                  std::shared_ptr<Structure> arrived, std::function<void()> run) {
  return {name, group, std::move(run), [arrived] { clear(*arrived); },
          [work, arrived] { return !receives(work.what, work.comm) || same(*work.original, *arrived); }};
}

template <class Structure>
contender writing(const std::string& name, const std::string& group, const job<Structure>& work,
                  const std::string& path, std::function<void()> run, std::function<void(Structure&)> read_back) {
  const bool mine = rank_in(work.comm) == 0;
  return {name, group,
          [mine, run = std::move(run)] {
            if (mine) run();
          },
          [mine, path] {
            if (mine) std::remove(path.c_str());
          },
          [mine, work, read_back = std::move(read_back)] {
            if (!mine) return true;
            Structure back;
            read_back(back);
            const bool good = same(*work.original, back);
            clear(back);
            return good;
          }};
}

}  // namespace detail

/// Makes one contender for the operation of `work`: it packs, carries the bytes, and unpacks.
template <class Structure>
contender make_contender(const std::string& name, const std::string& group, const job<Structure>& work,
                         const codec<Structure>& peer) {
  const std::string path = file_for(work.folder, name);
  const auto write = [work, peer, path] {
    packed_bytes bytes;
    on_deep_stack([&] { peer.pack(*work.original, bytes); });
    write_file(path, bytes);
  };
  const auto read = [peer, path](Structure& to) {
    packed_bytes bytes = read_file(path);
    on_deep_stack([&] { peer.unpack(bytes, to); });
  };
  if (work.what == operation::write) return detail::writing<Structure>(name, group, work, path, write, read);
  const auto arrived = std::make_shared<Structure>();
  if (work.what == operation::read) {
    if (rank_in(work.comm) != 0) return detail::holding(name, group, work, arrived, [] {});
    write();
    return detail::holding(name, group, work, arrived, [arrived, read] { read(*arrived); });
  }
  return detail::holding(name, group, work, arrived, [work, peer, arrived] {
    packed_bytes bytes;
    if (rank_in(work.comm) == 0) on_deep_stack([&] { peer.pack(*work.original, bytes); });
    carry(work.what, work.comm, bytes);
    if (receives(work.what, work.comm)) on_deep_stack([&] { peer.unpack(bytes, *arrived); });
  });
}

/// Makes contenders for messages through a buffer, and for files both through a buffer and straight through a
/// std::fstream.
template <class Structure>
contenders make_contenders(const std::string& name, const job<Structure>& work, const stream_codec<Structure>& peer) {
  const std::string group = "serialiser";
  if (work.what != operation::write && work.what != operation::read)
    return {make_contender(name, group, work, packed(peer))};
  contenders result{make_contender(name + ", by a buffer", group, work, packed(peer))};
  const std::string streamed = name + ", fstream", path = file_for(work.folder, streamed);
  const auto write = [work, peer, path] {
    std::filebuf file;
    file.open(path, std::ios::out | std::ios::binary | std::ios::trunc);
    on_deep_stack([&] { peer.save(*work.original, file); });
  };
  const auto read = [peer, path](Structure& to) {
    std::filebuf file;
    file.open(path, std::ios::in | std::ios::binary);
    on_deep_stack([&] { peer.load(file, to); });
  };
  if (work.what == operation::write) {
    result.push_back(detail::writing<Structure>(streamed, group, work, path, write, read));
  } else {
    const auto arrived = std::make_shared<Structure>();
    const bool mine = rank_in(work.comm) == 0;
    if (mine) write();
    result.push_back(detail::holding(streamed, group, work, arrived, [mine, arrived, read] {
      if (mine) read(*arrived);
    }));
  }
  return result;
}

}  // namespace bench::deep
