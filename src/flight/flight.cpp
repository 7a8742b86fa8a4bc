#include "flight.hpp"

#include <sched.h>

#include "companions.hpp"
#include "progress_thread.hpp"

namespace wherry {

void flight::progress() noexcept {
  if (!in_flight()) return;
  try {
    if (advance_by_others()) land();
  } catch (...) {
    fail();
  }
}

bool flight::poll() {
  if (!others_drive()) {
    if (in_flight() && advance()) land();
    return !in_flight();
  }
  do {
    if (!in_flight() || !try_turn()) break;
    try {
      if (in_flight() && advance()) land();
    } catch (...) {
      fail();
    }
    end_turn();
  } while (has_news());
  return !in_flight();
}

void flight::fail() noexcept {
  failure_ = std::current_exception();
  land();
}

void flight::take_turn() {
  while (!try_turn()) sched_yield();
}

void flight::drive_in_waits() {
  if (in_waits_) return;
  companions::attach(*this);
  in_waits_ = true;
}

void flight::drive_in_thread() {
  progress_thread::attach(*this);
  in_thread_ = true;
}

void flight::leave_thread() noexcept {
  if (std::exchange(in_thread_, false)) progress_thread::detach(*this);
}

void flight::drive_alone() noexcept {
  leave_thread();
  if (std::exchange(in_waits_, false)) companions::detach(*this);
}

}  // namespace wherry
