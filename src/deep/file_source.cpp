#include "file_source.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"

#include "core/sealed_header.hpp"
#include "core/stored_numbers.hpp"

namespace wherry::deep {

using namespace file_format;

namespace {

[[noreturn]] void damaged(std::string_view what) { throw error(error_kind::argument, "deep::read", what); }

}  // namespace

file_source::file_source(file_input input, std::uint64_t type, bool at_once) : input_(std::move(input)) {
  header_image image;
  input_.get(image);
  facts_ = decode(image);
  if (facts_.type != type)
    damaged(wherry::detail::text("it holds an object of another type ", other_fingerprint(facts_.type, type),
                                 ", or of a class that was changed since it was written"));
  chain_ = facts_.type;
  left_ = bound();
  head_image first;
  input_.get(first);
  next_ = decode_head(first.data());
  if (at_once || left_ == unknown) {
    load_all();
    return;
  }
  const auto bytes = std::min<std::uint64_t>(facts_.frame, left_) + head_bytes;
  window_ = wherry::detail::allocating("deep copy", "a frame of the file", bytes,
                                       [=] { return std::make_unique_for_overwrite<std::byte[]>(bytes); });
}

/// The largest possible number of bytes of payload, whatever the header says; `unknown` if the header must not be
/// trusted.
std::uint64_t file_source::bound() const {
  if (told() && facts_.payload <= facts_.frame && !input_.alone) return facts_.payload;  // too few bytes to do harm
  const auto room = input_.room();
  if (room == unknown || !told()) return room;
  const auto whole = whole_bytes(facts_.payload, facts_.frame) - header_bytes;
  if (facts_.payload > room || whole > room)
    damaged(wherry::detail::text("it is cut off: its header says ", facts_.payload, " bytes of the object, ", room,
                                 " bytes follow"));
  if (input_.alone && whole < room)
    damaged(wherry::detail::text("something follows the object: ", room - whole, " bytes"));
  return facts_.payload;
}

void file_source::report_given_up() const {
  if (next_.length > most_said) damaged("the program that wrote it gave up");
  std::string why(next_.length, ' ');
  const auto bytes = std::as_writable_bytes(std::span(why));
  input_.get(bytes);
  damaged(checksum_of(next_, bytes, chain_) == next_.checksum ? "the program that wrote it gave up: " + why
                                                              : "the program that wrote it gave up");
}

/// The length of the frame with the head `next_`.
/// @throws error if there is no frame, or if its length is impossible
std::size_t file_source::next_length() const {
  if (next_.kind == frame_kind::trailer) damaged("it ends before the object is whole");
  if (next_.kind == frame_kind::given_up) report_given_up();
  if (next_.kind != frame_kind::bytes || next_.length == 0 || next_.length > facts_.frame || next_.length > left_)
    damaged(wherry::detail::text("it is damaged after ", given_, " bytes of the object: no frame begins there"));
  return next_.length;
}

/// Reads a frame together with the next head to `to`, which has room for both.
void file_source::load(std::byte* to) {
  const auto length = next_length();
  input_.get({to, length + head_bytes});
  if (checksum_of(next_, {to, length}, chain_) != next_.checksum)
    damaged(wherry::detail::text("the ", length, " bytes of the object from ", given_,
                                 " on are damaged: the checksum is wrong"));
  chain_ = next_.checksum;
  next_ = decode_head(to + length);
  given_ += length;
  if (left_ != unknown) left_ -= length;
}

void file_source::load_all() {
  if (told() && left_ != unknown)
    wherry::detail::allocating("deep copy", "the data that the file announces", left_,
                               [&] { all_.reserve(left_ + head_bytes); });
  while (next_.kind != frame_kind::trailer) {
    const auto before = all_.size(), length = next_length();
    wherry::detail::allocating("deep copy", "the data in the file", before + length,
                               [&] { all_.resize(before + length + head_bytes); });
    load(all_.data() + before);
    all_.resize(before + length);
  }
  check_trailer();
  left_ = 0;
  at_ = all_.data();
  end_ = at_ + all_.size();
}

void file_source::more() {
  const auto length = next_length();
  load(window_.get());
  at_ = window_.get();
  end_ = at_ + length;
}

void file_source::check_trailer() {
  std::array<std::byte, trailer_bytes - head_bytes> sum;
  if (next_.kind != frame_kind::trailer || next_.length != sum.size())
    damaged("it is longer than the object: no trailer follows");
  input_.get(sum);
  if (checksum_of(next_, sum, chain_) != next_.checksum) damaged("its trailer is damaged: the checksum is wrong");
  const auto said = get_number(sum.data());
  if (said != given_ || (facts_.payload != unknown_payload && facts_.payload != given_))
    damaged(wherry::detail::text("its trailer says ", said, " bytes of the object, ", given_, " were there"));
  if (input_.alone && input_.room() != 0)
    damaged(wherry::detail::text("something follows the object: ", input_.room(), " bytes"));
  closed_ = true;
}

void file_source::close(bool failed) {
  if (!failed && !closed_) check_trailer();
}

}  // namespace wherry::deep
