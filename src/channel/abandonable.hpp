// What is in flight as long as somebody wants it, and what the graveyard has of it afterwards.
#pragma once

#include <memory>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "companions.hpp"

namespace wherry {

/// Owns work that is driven by its owner, and by the graveyard when the owner is gone before its end. `Work` is
/// `progressive`, and has `let_go()`, after which it ends by itself; true: it is at its end.
template <class Work> class abandonable {
 public:
  explicit abandonable(std::unique_ptr<Work> work) : work_(std::move(work)) {}
  abandonable(abandonable&&) noexcept = default;
  abandonable& operator=(abandonable&&) = delete;
  ~abandonable() {
    if (work_ && !mpi_has_ended() && !work_->let_go()) companions::adopt(std::move(work_));
  }
  Work* operator->() const { return work_.get(); }

 private:
  std::unique_ptr<Work> work_;
};

}  // namespace wherry
