// Finds the device that this process uses, by WHERRY_DEVICE or `use_device`.
#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/device/device.hpp"

#include "device_with_memory.hpp"
#include "loaded_library.hpp"

namespace wherry {

#ifdef WHERRY_HAS_CUDA
const device& cuda_device();  // cuda_device.cu
#endif

namespace {

const char* const where = "device";

const std::vector<const device*>& linked_devices() {
  static const std::vector<const device*> rows{
#ifdef WHERRY_HAS_CUDA
      &cuda_device(),
#endif
  };
  return rows;
}

struct chosen {
  const device* which = nullptr;
  std::string setting;  // the setting for which it was chosen
};
std::optional<chosen> in_use;
std::mutex choosing;

const device* found_by(const std::string& setting) {
  if (setting == "none") return nullptr;
  if (setting == "fake") return &fake_device();
  std::string names;
  for (const auto* row : linked_devices()) {
    const auto why = row->absence();
    if (why.empty() && (setting == "auto" || setting == row->name)) return row;
    if (setting == row->name)
      throw error(error_kind::state, where, detail::text("WHERRY_DEVICE is '", setting, "': ", why));
    names += ", " + row->name;
  }
  if (setting == "auto") return nullptr;
  throw error(error_kind::argument, where,
              detail::text("WHERRY_DEVICE is '", setting, "', expected one of auto, none", names, ", fake"));
}

/// The libraries of the devices' drivers. For a device without a known driver, any library counts: every name contains
/// the empty string.
std::vector<loaded_library> drivers_of(const std::vector<const device*>& rows) {
  std::vector<loaded_library> drivers;
  for (const auto* row : rows) drivers.emplace_back(row->driver != nullptr ? row->driver : "");
  return drivers;
}

}  // namespace

void use_device(const device* which) {
  if (which != nullptr)
    if (const auto why = which->absence(); !why.empty())
      throw error(error_kind::argument, where, detail::text("device '", which->name, "' cannot be used: ", why));
  const std::lock_guard lock(choosing);
  in_use = chosen{which, current_settings().device};
}

const device* device_in_use() {
  const auto& setting = current_settings().device;
  const std::lock_guard lock(choosing);
  if (!in_use || in_use->setting != setting) in_use = chosen{found_by(setting), setting};
  return in_use->which;
}

const device* device_with_memory() {
  if (current_settings().device == "auto") {
    static std::vector<loaded_library> drivers = drivers_of(linked_devices());
    const std::lock_guard lock(choosing);
    const auto is_here = [](loaded_library& driver) { return driver.is_here(); };
    if (!in_use && std::none_of(drivers.begin(), drivers.end(), is_here)) return nullptr;
  }
  return device_in_use();
}

std::string why_no_device() {
  const auto& setting = current_settings().device;
  if (setting != "auto") return detail::text("WHERRY_DEVICE is '", setting, "'");
  if (linked_devices().empty()) return "this Wherry was built without any";
  std::string reasons;
  for (const auto* row : linked_devices())
    reasons += detail::text(reasons.empty() ? "" : "; ", row->name, ": ", row->absence());
  return reasons;
}

std::span<const device* const> all_devices() { return linked_devices(); }

}  // namespace wherry
