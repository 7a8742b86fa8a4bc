// A file that replaces another one only when it is complete: it is written beside it, under the name PATH.part, and
// then renamed. Whenever a writer dies, PATH is the last file that was completed. Two writers must not write the same
// path at once.
#pragma once

#include <string>

namespace wherry {

/// The name under which PATH is written.
std::string part_of(const std::string& path);

/// Makes an empty part, so that it has nothing of a writer that died.
/// @throws error(argument) if there cannot be a file of that name; error(resource) for a full disk
void make_part(const std::string& path, const char* where);

/// Gives the finished part its name. With `for_good` it returns when the folder is on the disk, too.
/// @throws error(argument); error(resource)
void put_part_in_place(const std::string& path, bool for_good, const char* where);

/// Removes a part that was not finished.
void remove_part(const std::string& path) noexcept;

}  // namespace wherry
