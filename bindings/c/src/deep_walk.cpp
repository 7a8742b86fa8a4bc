#include "deep_walk.hpp"

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <unordered_map>
#include <utility>

#include "convert.hpp"
#include "program_functions.hpp"

namespace wherry_c {
namespace {

using wherry::detail::text;

std::byte* pointer_at(const std::byte* element, std::size_t offset) {
  std::byte* result = nullptr;
  std::memcpy(&result, element + offset, sizeof result);
  return result;
}
void set_pointer(std::byte* element, std::size_t offset, const void* value) {
  std::memcpy(element + offset, &value, sizeof value);
}

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

template <class Integer> std::int64_t integer_at(const std::byte* from) {
  Integer result{};
  std::memcpy(&result, from, sizeof result);
  return static_cast<std::int64_t>(result);
}
/// The number of elements that a pointer of this structure has, which may be negative.
std::int64_t count_in(const std::byte* element, const wherry_deep_pointer& pointer) {
  const auto* const at = element + pointer.count_offset;
  switch (pointer.count_bytes) {
    case 1:
      return integer_at<std::int8_t>(at);
    case 2:
      return integer_at<std::int16_t>(at);
    case 4:
      return integer_at<std::int32_t>(at);
    case 8:
      return integer_at<std::int64_t>(at);
    default:
      return pointer.count == 0 ? 1 : pointer.count;
  }
}

std::size_t element_bytes_of(const wherry_deep_pointer& pointer) {
  if (pointer.kind == WHERRY_POINTS_TO_TEXT) return 1;
  return pointer.target != nullptr ? pointer.target->size : pointer.element_bytes;
}
std::span<const wherry_deep_pointer> pointers_of(const wherry_deep_type* type) {
  if (type == nullptr) return {};
  return {type->pointers, static_cast<std::size_t>(type->pointer_count)};
}

/// All types that one leads to, itself first.
std::vector<const wherry_deep_type*> types_of(const wherry_deep_type* root) {
  std::vector<const wherry_deep_type*> all{root};
  std::unordered_map<const wherry_deep_type*, bool> seen{{root, true}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i]->pointer_count > 0 && all[i]->pointers == nullptr) continue;
    for (int p = 0; p < all[i]->pointer_count; ++p)
      if (const auto* const next = all[i]->pointers[p].target; next != nullptr && seen.emplace(next, true).second)
        all.push_back(next);
  }
  return all;
}

bool fits(std::size_t offset, std::size_t bytes, std::size_t size) { return bytes <= size && offset <= size - bytes; }

void check_pointer(const wherry_deep_type& type, int number, std::string_view where) {
  const auto& pointer = type.pointers[number];
  const auto called = text("pointer ", number, " of the type '", type.name, '\'');
  if (!fits(pointer.offset, sizeof(void*), type.size))
    refuse(where, called, " has the offset ", pointer.offset, ", but the structure has ", type.size, " bytes");
  if (pointer.kind < WHERRY_OWNS || pointer.kind > WHERRY_FORGETS)
    refuse(where, called, " is of the kind ", pointer.kind, ", which does not exist");
  if (pointer.kind == WHERRY_FORGETS || pointer.kind == WHERRY_POINTS_TO_TEXT) return;
  if (pointer.target == nullptr && pointer.element_bytes == 0)
    refuse(where, called, " has neither a 'target' nor 'element_bytes'");
  if (pointer.count < 0) refuse(where, called, " has the count ", pointer.count);
  if (pointer.count_bytes != 0 && pointer.count_bytes != 1 && pointer.count_bytes != 2 && pointer.count_bytes != 4 &&
      pointer.count_bytes != 8)
    refuse(where, called, " has a count of ", pointer.count_bytes, " bytes, expected 1, 2, 4 or 8");
  if (!fits(pointer.count_offset, pointer.count_bytes, type.size))
    refuse(where, called, " has its count at the offset ", pointer.count_offset, ", but the structure has ", type.size,
           " bytes");
  if (pointer.kind != WHERRY_POINTS_INTO) return;
  if (pointer.target != nullptr) refuse(where, called, " points into an array and has a 'target', which its base has");
  for (int before = 0; before < number; ++before)
    if (const auto& base = type.pointers[before]; base.offset == pointer.base_offset &&
                                                  (base.kind == WHERRY_OWNS || base.kind == WHERRY_SHARES) &&
                                                  element_bytes_of(base) == pointer.element_bytes)
      return;
  refuse(where, called, " has the base offset ", pointer.base_offset,
         ", where no pointer to elements of its size is described before it");
}

class hash {
 public:
  void add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) add_byte(static_cast<unsigned char>(number >> 8 * i));
  }
  void add(const char* words) {
    for (; *words != '\0'; ++words) add_byte(static_cast<unsigned char>(*words));
    add_byte(0);
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

void put(packed_bytes& to, std::uint64_t number) {
  const auto at = to.size();
  to.resize(at + sizeof number);
  std::memcpy(to.data() + at, &number, sizeof number);
}

/// Writes what a walk meets.
struct packer {
  packed_bytes& out;

  void array(const deep_array& one) {
    const auto at = out.size(), bytes = one.count * one.bytes;
    out.resize(at + bytes);
    if (bytes != 0) std::memcpy(out.data() + at, one.first, bytes);
    // Addresses mean nothing elsewhere.
    for (std::size_t i = 0; one.type != nullptr && i < one.count; ++i)
      for (const auto& pointer : pointers_of(one.type))
        std::memset(out.data() + at + i * one.bytes + pointer.offset, 0, sizeof(void*));
  }
  void pointer(const wherry_deep_pointer& one, std::uint64_t token, std::uint64_t count) {
    put(out, token);
    if (token == 1 && one.kind != WHERRY_POINTS_INTO) put(out, count);
  }
};
struct nothing {
  void array(const deep_array&) {}
  void pointer(const wherry_deep_pointer&, std::uint64_t, std::uint64_t) {}
};

/// Makes structures from bytes that may be damaged.
class unpacker {
 public:
  unpacker(std::span<const std::byte> from, const deep_memory& memory, std::string_view where)
      : left_(from), memory_(memory), where_(where) {}
  unpacker(const unpacker&) = delete;
  unpacker& operator=(const unpacker&) = delete;
  ~unpacker() {
    if (!complete_)
      for (const auto& one : arrays_)
        if (one.first != nullptr) memory_.free(one.first);
  }

  deep_array run(const wherry_deep_type& type) {
    if (number() != fingerprint_of(type))
      throw wherry::error(wherry::error_kind::mismatch, where_,
                          text("the structures that came were described in another way than '", type.name, '\''));
    make(&type, type.size, number(), false);
    for (std::size_t i = 0; i < arrays_.size(); ++i) fill(arrays_[i]);
    if (!left_.empty()) damaged();
    complete_ = true;
    return arrays_.front();
  }

 private:
  [[noreturn]] void damaged() const { refuse(where_, "the bytes are damaged"); }
  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > left_.size()) damaged();
    const auto result = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return result;
  }
  std::uint64_t number() {
    std::uint64_t result = 0;
    std::memcpy(&result, take(sizeof result).data(), sizeof result);
    return result;
  }
  deep_array make(const wherry_deep_type* type, std::size_t bytes, std::uint64_t count, bool is_text) {
    // All arrays that are made are still to come, one after the other.
    if (count > left_.size() / bytes || promised_ > left_.size() || count * bytes > left_.size() - promised_) damaged();
    promised_ += count * bytes;
    arrays_.push_back({nullptr, static_cast<std::size_t>(count), type, bytes, is_text});
    arrays_.back().first = memory_.make(count * bytes);
    return arrays_.back();
  }
  void fill(const deep_array one) {
    const auto bytes = one.count * one.bytes;
    promised_ -= bytes;
    const auto come = take(bytes);
    if (bytes != 0) std::memcpy(one.first, come.data(), bytes);
    if (promised_ > left_.size() || (one.is_text && (bytes == 0 || come.back() != std::byte{0}))) damaged();
    for (std::size_t i = 0; one.type != nullptr && i < one.count; ++i) fill_pointers(one, one.first + i * one.bytes);
  }
  void fill_pointers(const deep_array& in, std::byte* element) {
    for (const auto& pointer : pointers_of(in.type)) set_pointer(element, pointer.offset, nullptr);
    for (const auto& pointer : pointers_of(in.type)) {
      const auto token = pointer.kind == WHERRY_FORGETS ? 0 : number();
      if (token == 0) continue;
      set_pointer(element, pointer.offset,
                  pointer.kind == WHERRY_POINTS_INTO ? inside(in, element, pointer, token - 1)
                                                     : found(element, pointer, token));
    }
  }
  std::byte* found(const std::byte* element, const wherry_deep_pointer& pointer, std::uint64_t token) {
    const auto bytes = element_bytes_of(pointer);
    const bool is_text = pointer.kind == WHERRY_POINTS_TO_TEXT;
    deep_array one;
    if (token == 1) {
      const auto count = number();
      one = make(pointer.target, bytes, count, is_text);
    } else {
      if (pointer.kind != WHERRY_SHARES || token - 2 >= arrays_.size()) damaged();
      one = arrays_[static_cast<std::size_t>(token - 2)];
    }
    if (one.type != pointer.target || one.bytes != bytes) damaged();
    if (!is_text && std::cmp_not_equal(one.count, count_in(element, pointer))) damaged();
    return one.first;
  }
  std::byte* inside(const deep_array& in, const std::byte* element, const wherry_deep_pointer& pointer,
                    std::uint64_t place) const {
    auto* const base = pointer_at(element, pointer.base_offset);
    for (const auto& other : pointers_of(in.type))
      if (other.offset == pointer.base_offset && base != nullptr &&
          std::cmp_less_equal(place, count_in(element, other)))
        return base + place * pointer.element_bytes;
    damaged();
  }

  std::span<const std::byte> left_;
  const deep_memory& memory_;
  std::string_view where_;
  std::size_t promised_ = 0;  // bytes of arrays that were made and not filled
  std::vector<deep_array> arrays_;
  bool complete_ = false;
};

}  // namespace

std::byte* deep_memory::make(std::size_t bytes) const {
  const auto size = bytes == 0 ? 1 : bytes;
  void* const made = allocate != nullptr ? call_program(allocate, size, context) : std::malloc(size);
  if (made == nullptr) throw std::bad_alloc();
  return static_cast<std::byte*>(made);
}
void deep_memory::free(void* memory) const {
  if (release != nullptr)
    call_program(release, memory, context);
  else
    std::free(memory);
}

void check_type(const wherry_deep_type* root, std::string_view where) {
  if (root == nullptr) refuse(where, "'type' is NULL");
  for (const auto* const type : types_of(root)) {
    if (type->name == nullptr) refuse(where, "a type has no name");
    if (type->size == 0) refuse(where, "the type '", type->name, "' has the size 0");
    if (type->pointer_count < 0 || (type->pointer_count > 0 && type->pointers == nullptr))
      refuse(where, "the type '", type->name, "' has ", type->pointer_count, " pointers, but no list of them");
    for (int p = 0; p < type->pointer_count; ++p) check_pointer(*type, p, where);
  }
}

std::uint64_t fingerprint_of(const wherry_deep_type& root) {
  const auto all = types_of(&root);
  std::unordered_map<const wherry_deep_type*, std::uint64_t> numbers;
  for (std::size_t i = 0; i < all.size(); ++i) numbers[all[i]] = i + 1;
  hash of;
  for (const auto* const type : all) {
    of.add(type->name);
    of.add(type->size);
    for (const auto& pointer : pointers_of(type)) {
      of.add(pointer.offset);
      of.add(static_cast<std::uint64_t>(pointer.kind));
      of.add(pointer.target == nullptr ? 0 : numbers[pointer.target]);
      of.add(element_bytes_of(pointer));
      of.add(static_cast<std::uint64_t>(pointer.count));
      of.add(pointer.count_offset);
      of.add(pointer.count_bytes);
      of.add(pointer.base_offset);
    }
    of.add("");
  }
  return of.value();
}

deep_walk::deep_walk(const deep_array& root, std::string_view where) : where_(where), arrays_{root} {
  if (root.first != nullptr) numbers_[address_of(root.first)] = {0, false};
}

/// An array must not lie in another one: it could not be allocated and freed by itself.
template <class Called> void deep_walk::check_apart(const deep_array& fresh, const Called& called) const {
  const auto place = numbers_.find(address_of(fresh.first));
  const auto end = address_of(fresh.first) + fresh.count * fresh.bytes;
  const auto next = std::next(place);
  bool apart = next == numbers_.end() || next->first >= end;
  if (place != numbers_.begin()) {
    const auto& before = arrays_[std::prev(place)->second.number];
    apart = apart && address_of(before.first) + before.count * before.bytes <= place->first;
  }
  if (!apart) refuse(where_, called(), " leads into an array that another pointer leads to");
}

std::uint64_t deep_walk::token_of(const deep_array& in, std::byte* element, const wherry_deep_pointer& pointer,
                                  std::uint64_t& count) {
  auto* const to = pointer_at(element, pointer.offset);
  if (to == nullptr) return 0;
  const auto called = [&] { return text("the pointer at offset ", pointer.offset, " of a '", in.type->name, '\''); };
  const auto bytes = element_bytes_of(pointer);
  if (pointer.kind == WHERRY_POINTS_INTO) {
    auto* const base = pointer_at(element, pointer.base_offset);
    std::int64_t elements = -1;
    for (const auto& other : pointers_of(in.type))
      if (other.offset == pointer.base_offset && base != nullptr) elements = count_in(element, other);
    const auto at = address_of(to) - address_of(base);
    if (elements < 0 || at % bytes != 0 || std::cmp_greater(at / bytes, elements))
      refuse(where_, called(), " does not point into the array at offset ", pointer.base_offset);
    return at / bytes + 1;
  }
  const bool is_text = pointer.kind == WHERRY_POINTS_TO_TEXT;
  const auto wanted = is_text ? 0 : count_in(element, pointer);
  if (wanted < 0) refuse(where_, called(), " has ", wanted, " elements");
  count = is_text ? std::strlen(reinterpret_cast<const char*>(to)) + 1 : static_cast<std::uint64_t>(wanted);
  if (count > std::numeric_limits<std::size_t>::max() / bytes)
    refuse(where_, called(), " has ", wanted, " elements, which is more than memory holds");
  const bool owns = pointer.kind != WHERRY_SHARES;
  const auto [place, is_new] = numbers_.try_emplace(address_of(to), known{arrays_.size(), owns});
  if (is_new) {
    const deep_array fresh{to, static_cast<std::size_t>(count), pointer.target, bytes, is_text};
    check_apart(fresh, called);
    arrays_.push_back(fresh);
    return 1;
  }
  const auto& before = arrays_[place->second.number];
  if (owns || place->second.owned)
    refuse(where_, called(), " leads to an array that another pointer leads to: both of them are WHERRY_SHARES");
  if (before.type != pointer.target || before.bytes != bytes || before.count != count)
    refuse(where_, called(),
           " leads to an array that another pointer leads to with another type or number of elements");
  return place->second.number + 2;
}

template <class Visitor> void deep_walk::run(Visitor&& visit) {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const auto one = arrays_[i];
    visit.array(one);
    for (std::size_t e = 0; one.type != nullptr && e < one.count; ++e)
      for (const auto& pointer : pointers_of(one.type)) {
        if (pointer.kind == WHERRY_FORGETS) continue;
        std::uint64_t count = 0;
        const auto token = token_of(one, one.first + e * one.bytes, pointer, count);
        visit.pointer(pointer, token, count);
      }
  }
}

packed_bytes pack_deeply(const deep_array& root, std::string_view where) {
  packed_bytes out;
  put(out, fingerprint_of(*root.type));
  put(out, root.count);
  deep_walk(root, where).run(packer{out});
  return out;
}

deep_array unpack_deeply(std::span<const std::byte> from, const wherry_deep_type& type, const deep_memory& memory,
                         std::string_view where) {
  return unpacker(from, memory, where).run(type);
}

void free_deeply(const deep_array& root, const deep_memory& memory, std::string_view where) {
  deep_walk all(root, where);
  all.run(nothing{});
  for (const auto& one : all.arrays()) memory.free(one.first);
}

}  // namespace wherry_c
