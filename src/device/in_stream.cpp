// The stream that the innermost `in_stream` of this thread names.
#include "wherry/device/device.hpp"

namespace wherry {
namespace {
thread_local const device_stream* innermost = nullptr;
}  // namespace

in_stream::in_stream(device_stream stream) : stream_(stream), before_(innermost) { innermost = &stream_; }
in_stream::~in_stream() { innermost = before_; }

const device_stream* in_stream::current() { return innermost; }

}  // namespace wherry
