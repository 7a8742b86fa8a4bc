#include "wherry/deep/detail/writer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "wherry/core/checked.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/deep/device.hpp"

#include "met_memory.hpp"

namespace wherry::deep {

writer_base::writer_base(byte_sink& sink) : sink_(&sink) {
  if (!current_settings().check) return;
  met_ = std::make_unique<met_memory>();
  looked_at_bytes_ = std::numeric_limits<std::size_t>::max();
}
writer_base::~writer_base() = default;

void writer_base::lay_aside(const void* bytes, std::size_t n) {
  const auto* const first = static_cast<const std::byte*>(bytes);
  aside_.insert(aside_.end(), first, first + n);
}
std::uint64_t writer_base::aside_word(std::size_t at) const {
  std::uint64_t word;
  std::memcpy(&word, aside_.data() + at, sizeof word);
  return word;
}

writer_base::nesting::nesting(writer_base& w) : w_(w) {
  if (w.nested_ == tokens::most_nested)
    refuse("objects behind m.owned_now or m.shared_now are nested deeper than 100: m.owned and m.shared have no limit");
  ++w.nested_;
}

namespace {

constexpr wherry::detail::checked bytes_of_array{"deep copy", "size of an array in bytes"};

}  // namespace

void writer_base::write_array(const void* first, std::size_t n, std::size_t each) {
  if (n > 0) sink_->write(first, bytes_of_array.product(n, each));
}

std::size_t writer_base::device_bytes(std::uint64_t n, std::size_t each) {
  the_device_hooks();
  return bytes_of_array.product(static_cast<std::size_t>(n), each);
}

void writer_base::write_from_device(const void* first, std::size_t bytes) {
  const auto staging = std::make_unique_for_overwrite<std::byte[]>(device_staging_bytes);
  const auto* from = static_cast<const std::byte*>(first);
  for (std::size_t left = bytes; left > 0;) {
    const std::size_t part = std::min(left, device_staging_bytes);
    the_device_hooks().copy_to_host(staging.get(), from, part);
    sink_->write(staging.get(), part);
    from += part;
    left -= part;
  }
}

void writer_base::number(const void* object, extent n) {
  if (n.is_array) lengths_.emplace(next_, n.n);
  ++next_;
  order_.push_back(object);
}

void writer_base::has_root(const void* root, const type_behind& type) {
  root_ = reinterpret_cast<std::uintptr_t>(root);
  root_type_ = type;
  brought(root, 1, type);
  if (met_) return;
  looked_at_ = root_;
  looked_at_bytes_ = type.bytes;
}

void writer_base::look_around(const void* object, extent n, const type_behind& type) const {
  const auto at = reinterpret_cast<std::uintptr_t>(object) - root_;
  if (n.n > 0 && at < root_type_.bytes) refuse_inner(type.type, root_type_.type, at);
  if (met_) met_->shared(object, bytes_of_array.product(static_cast<std::size_t>(n.n), type.bytes), type.type);
}

void writer_base::look_at_owned(const volatile void* first, extent n, const type_behind& type) {
  owned_once_.look_closer(const_cast<const void*>(first));
  brought(first, static_cast<std::size_t>(n.n), type);
}

void writer_base::look_at_brought(const void* first, std::size_t n, const type_behind& type) const {
  met_->brought(first, bytes_of_array.product(n, type.bytes), type.type);
}

void writer_base::refuse_type(const void* object, const type_behind& type) const {
  const bool is_root = reinterpret_cast<std::uintptr_t>(object) == root_;
  refuse_other_type(type.type, is_root ? root_type_.type : met_ ? met_->type_at(object) : nullptr);
}

void writer_base::must_have_length(std::uint64_t number, extent n) const {
  const auto known = lengths_.find(number);
  const extent before = known == lengths_.end() ? extent{} : extent{known->second, true};
  if (before != n) refuse(wherry::detail::text("m.shared describes ", before, " a second time as ", n));
}

namespace {

/// Writes a batch in one piece, because a graph has a batch for each node and each call of the sink costs.
template <class Token> void narrow(byte_sink& sink, const std::uint64_t* token, std::size_t n) {
  std::byte small[1 + tokens::batch * sizeof(Token)];
  small[0] = static_cast<std::byte>(sizeof(Token));
  for (std::size_t i = 0; i < n; ++i) {
    const auto one = static_cast<Token>(token[i]);
    std::memcpy(small + 1 + i * sizeof(Token), &one, sizeof one);
  }
  sink.write(small, 1 + n * sizeof(Token));
}

}  // namespace

// noinline: with the arrays of both functions in one stack frame, random graphs take 1.2 times as long (measured, not
// explained).
[[gnu::noinline]] void writer_base::write_tokens(const std::uint64_t* token, std::size_t n, std::uint64_t largest) {
  if (largest <= 0xFFFF)
    narrow<std::uint16_t>(*sink_, token, n);
  else if (largest <= 0xFFFFFFFF)
    narrow<std::uint32_t>(*sink_, token, n);
  else
    narrow<std::uint64_t>(*sink_, token, n);
}

const class_entry& writer_base::class_of(const std::type_info& dynamic, const std::type_info& met_as, const void* whole,
                                         extent n) {
  if (n.is_array)
    refuse("a pointer to a base points to an array of objects of a derived class, which cannot be copied");
  const class_entry& entry = registered_class(dynamic);
  if (entry.as(met_as, const_cast<void*>(whole)) == nullptr)
    refuse(wherry::detail::text("class \"", entry.name, "\" is registered, but not with the base ", met_as.name()));
  return entry;
}

template class writer<pointer_map>;

}  // namespace wherry::deep
