#include "move_table.hpp"

#include <cstring>
#include <vector>

namespace wherry {

move_table::move_table(const device& by, device_stream stream, move_builder made, std::uint32_t fields) : by_(&by) {
  made.finish();
  if (made.own != nullptr && made.own->launch == nullptr && !by.is_host)
    throw error(
        error_kind::argument, "device memory",
        detail::text("an operation of yours was compiled for the host alone: make_device_reduction belongs where the "
                     "compiler of '",
                     by.name, "' sees it"));
  if (made.pieces.empty()) return;
  std::size_t bytes = 0;
  const auto place_for = [&](const auto& list) {
    const auto place = (bytes + 15) / 16 * 16;
    bytes = place + list.size() * sizeof(list[0]);
    return place;
  };
  const auto moves = place_for(made.moves), loops = place_for(made.loops), narrow = place_for(made.narrow),
             wide = place_for(made.wide), pieces = place_for(made.pieces);
  const device_bytes image(by, device_bytes::where::pinned, bytes);
  memory_ = device_bytes(by, device_bytes::where::on_device, bytes);
  const auto put = [&]<class T>(std::size_t place, const std::vector<T>& list) {
    if (!list.empty()) std::memcpy(image.get() + place, list.data(), list.size() * sizeof(T));
    return reinterpret_cast<const T*>(memory_.get() + place);
  };
  what_.moves = put(moves, made.moves);
  what_.loops = put(loops, made.loops);
  what_.narrow = put(narrow, made.narrow);
  what_.wide = put(wide, made.wide);
  what_.pieces = put(pieces, made.pieces);
  what_.how_many_pieces = static_cast<std::uint32_t>(made.pieces.size());
  what_.fields = fields;
  what_.long_moves = made.long_moves;
  what_.only_copies = made.only_copies;
  what_.numbers_apart = made.numbers_apart;
  what_.own = made.own;
  by.copy(stream, memory_.get(), image.get(), bytes);
  by.finish(stream);
}

}  // namespace wherry
