#include "wherry/notify/published_layouts.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "channel/measured_wait.hpp"
#include "channel/statistics_report.hpp"
#include "core/patience.hpp"
#include "published_state.hpp"

namespace wherry {
published_layouts::published_layouts(const communicator& comm, wherry::plans::schedule plan,
                                     const published_options& options)
    : state_(std::make_unique<state>(comm, std::move(plan), options)) {}
published_layouts::published_layouts(published_layouts&&) noexcept = default;
published_layouts& published_layouts::operator=(published_layouts&& other) noexcept {
  published_layouts(std::move(other)).state_.swap(state_);
  return *this;
}
published_layouts::~published_layouts() {
  if (detail::is_forked_child()) static_cast<void>(state_.release());
  if (!state_) return;
  if (!detail::mpi_has_ended()) state_->withdraw_all();
  if (state_->counts)
    report_statistics(state_->called, transport(), state_->comm.rank(), state_->comm.size(), statistics());
}

const wherry::plans::schedule& published_layouts::schedule() const { return state_->plan; }
exchange_statistics published_layouts::statistics() const {
  const auto& s = *state_;
  const auto steps = static_cast<std::int64_t>(s.finished);
  return {s.finished,
          steps * s.plan.bytes_sent(),
          steps * s.plan.bytes_received(),
          steps * s.plan.bytes_copied(),
          s.counts ? 1e-9 * static_cast<double>(s.counts->nanoseconds_waiting) : 0,
          s.counts ? 1e-9 * static_cast<double>(s.counts->nanoseconds_copying) : 0};
}
std::string published_layouts::transport() const { return state_->transport(); }

std::string published_layouts::state::transport() const {
  bool in_place = false, written = false;
  for (const auto& r : receives) {
    in_place = in_place || !r.parts.groups.empty();
    written = written || r.parts.packed.bytes() != 0;
  }
  std::string ways;
  const auto add = [&](bool is_used, const char* way) {
    if (is_used) ways += detail::text(ways.empty() ? "" : " + ", way);
  };
  add(lent != nullptr && std::any_of(plan.stages[0].receives.begin(), plan.stages[0].receives.end(),
                                     [this](const plans::message& m) { return is_lent(m); }),
      "device_shared");
  add(in_place, "read in place");
  add(written, "notified writes");
  return ways;
}

std::string published_layouts::explain() const {
  const auto& s = *state_;
  std::string out = s.name.empty() ? "" : detail::text("'", s.name, "':\n");
  for (const auto& m : s.plan.stages[0].receives)
    if (s.is_lent(m))
      out += detail::text("from rank ", m.peer, ": ", m.count, " blocks of ", s.plan.bytes_of(m),
                          " bytes by device_shared\n");
  for (const auto& r : s.receives) {
    const auto direct = std::count_if(r.parts.group_of.begin(), r.parts.group_of.end(), [](auto g) { return g != 0; });
    out += detail::text("from rank ", r.what->peer, ": ", direct, " blocks of ", r.parts.bytes_in_groups(),
                        " bytes in place, ", static_cast<std::ptrdiff_t>(r.what->count) - direct, " of ",
                        r.parts.packed.bytes(), " bytes by notified write\n");
  }
  if (!s.why_not_lent.empty()) out += detail::text("not by device_shared: ", s.why_not_lent, '\n');
  for (const auto* one : {&s.leaving, &s.arriving})
    if ((*one)->device != nullptr) out += (*one)->device->explain();
  return out;
}

bool published_layouts::publish(plans::field_table fields, double seconds) {
  auto& s = *state_;
  detail::require_mpi(s.called, s.comm.rank());
  s.require_fields(fields);
  const auto number = s.published + (s.goes_on ? 0 : 1);
  const measured_wait wait(s.counts.get(), "publish", number);
  return patience(s.comm, s.called, "publication", number)
      .poll_for(
          seconds, [&] { return s.try_publish(fields); },
          [&](std::vector<int>& ranks) { s.append_who_has_not_read(ranks); });
}

bool published_layouts::read(plans::field_table fields, double seconds) {
  auto& s = *state_;
  detail::require_mpi(s.called, s.comm.rank());
  s.require_fields(fields);
  using reading_of = state::reading_of;
  const auto number = s.readings + (s.reading == reading_of::nothing ? 1 : 0);
  const measured_wait wait(s.counts.get(), "read", number);
  return patience(s.comm, s.called, "reading", number)
      .poll_for(
          seconds, [&] { return s.try_read(fields); },
          [&](std::vector<int>& ranks) { s.append_who_has_not_published(ranks); });
}

bool published_layouts::await_readers(double seconds) {
  auto& s = *state_;
  detail::require_mpi(s.called, s.comm.rank());
  s.require_published();
  const measured_wait wait(s.counts.get(), "await readers", s.published);
  const bool all = patience(s.comm, s.called, "readers of publication", s.published)
                       .poll_for(
                           seconds, [&] { return s.have_all_read(); },
                           [&](std::vector<int>& ranks) { s.append_who_has_not_read(ranks); });
  if (all) s.is_unread = false;
  return all;
}

}  // namespace wherry
