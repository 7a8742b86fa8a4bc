#include "wherry/deep/detail/named_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "wherry/core/error.hpp"

#include "type_names.hpp"

namespace wherry::deep {
namespace {

// The virtual function tables of one class lie close together: a word within this distance of the first one is also a
// pointer to such a table.
constexpr std::uintptr_t largest_tables = 65536;

std::size_t rounded_up(std::size_t at, std::size_t unit) { return (at + unit - 1) / unit * unit; }

}  // namespace

void class_elements::add(const element& x) { all_.push_back(x); }

bool class_elements::fill(std::size_t bytes, std::size_t alignment) {
  std::size_t end = 0;
  for (element& each : all_) {
    each.at = rounded_up(end, each.alignment);
    end = each.at + each.bytes;
  }
  return end > 0 && rounded_up(end, alignment) == bytes;
}

named_bytes::named_bytes(const void* object, std::size_t bytes, std::size_t alignment, const std::type_info& type)
    : object_(static_cast<const std::byte*>(object)), named_(bytes), alignment_(alignment), type_(type) {}

std::uint64_t named_bytes::add(const void* member, std::size_t bytes) {
  const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(member) - object_);
  if (at >= named_.size()) return ~std::uint64_t{0};
  for (std::size_t i = at; i < std::min(at + bytes, named_.size()); ++i) named_[i] = true;
  return at;
}

bool named_bytes::any_named(std::size_t at, std::size_t bytes) const {
  const auto first = named_.begin() + static_cast<std::ptrdiff_t>(at);
  const auto last = first + static_cast<std::ptrdiff_t>(bytes);
  return std::find(first, last, true) != last;
}

std::uintptr_t named_bytes::word(std::size_t at) const {
  std::uintptr_t value;
  std::memcpy(&value, object_ + at, sizeof value);
  return value;
}

std::string named_bytes::forgotten(const class_elements& elements) const {
  for (const auto& each : elements)
    if (each.wants_name && !any_named(each.at, each.bytes))
      return wherry::detail::text(
          "the description of ", name_of(type_), " does not name its member of type ", name_of(*each.type), " at byte ",
          each.at,
          ", which has more than its own bytes: describe it by m(member), or by m.skip(member) if it must not travel; "
          "also in an object that is empty");
  return {};
}

std::string named_bytes::lost(const std::vector<std::byte>& values, bool has_virtual_functions) const {
  constexpr std::size_t pointer = sizeof(std::uintptr_t);
  std::vector<bool> there = named_;  // named, or padding
  for (std::size_t i = 0; i < values.size(); ++i) there[i] = there[i] || values[i] == std::byte{};
  if (has_virtual_functions)
    for (std::size_t at = 0; at + pointer <= named_.size(); at += pointer)
      if (!any_named(at, pointer) && word(at) - word(0) + largest_tables < 2 * largest_tables)
        std::fill_n(there.begin() + static_cast<std::ptrdiff_t>(at), pointer, true);
  for (std::size_t at = 0; at < there.size(); ++at) {
    if (there[at]) continue;
    const auto end = static_cast<std::size_t>(
        std::find(there.begin() + static_cast<std::ptrdiff_t>(at), there.end(), true) - there.begin());
    // If padding is unknown, a gap shorter than the alignment of the next member may be padding.
    const auto next_alignment = std::min(alignment_, end & (~end + 1));
    if (!values.empty() || end - at >= next_alignment)
      return wherry::detail::text(
          "the description of ", name_of(type_), " does not name the member at byte ", at, " (", end - at,
          " bytes are not named), and of a class with virtual functions, or with enable_shared_from_this, nothing "
          "else travels: describe it by m(member), or by m.skip(member) if it must not travel");
    at = end;
  }
  return {};
}

std::string named_bytes::pointer_into_itself() const {
  const auto begin = reinterpret_cast<std::uintptr_t>(object_);
  constexpr std::size_t pointer = sizeof(std::uintptr_t);
  for (std::size_t at = 0; at + pointer <= named_.size(); at += pointer)
    if (!any_named(at, pointer) && word(at) - begin < named_.size())
      return wherry::detail::text("the description of ", name_of(type_), " does not name the member at byte ", at,
                                  ", which points into the object itself, as strings, lists and maps do: describe it "
                                  "by m(member), or by m.skip(member) "
                                  "if it must not travel");
  return {};
}

blank_memory::blank_memory(std::size_t bytes, std::size_t alignment)
    : memory_(::operator new(bytes, std::align_val_t{alignment})), alignment_(alignment) {
  std::memset(memory_, 0, bytes);
}
blank_memory::~blank_memory() { ::operator delete(memory_, std::align_val_t{alignment_}); }

}  // namespace wherry::deep
