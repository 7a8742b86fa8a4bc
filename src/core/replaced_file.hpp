// A file that takes the place of another only when it is complete: it is written beside it, under the name PATH.part,
// and renamed. Whoever dies when, PATH is the last file that was finished. Two writers must not write one path at once.
#pragma once

#include <string>

namespace wherry {

/// The name under which PATH is written.
std::string part_of(const std::string& path);

/// Makes an empty part, so that nothing of a writer that died is in it.
/// @throws error(argument) where a file of that name cannot be, error(resource) for a full disk
void make_part(const std::string& path, const char* where);

/// Gives the finished part its name; `for_good`: and returns when the folder is on the disk, too.
/// @throws error(argument), error(resource)
void put_part_in_place(const std::string& path, bool for_good, const char* where);

/// Nothing has become of it.
void remove_part(const std::string& path) noexcept;

}  // namespace wherry
