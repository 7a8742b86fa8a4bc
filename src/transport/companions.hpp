// Exchanges of several stages that are in flight in this process. Their later messages leave only when somebody drives
// them: whoever waits for one of them, or for anything else, drives them all, so that ranks may wait in different
// orders.
#pragma once

#include "progress_thread.hpp"

namespace wherry::companions {

void attach(progressive& work);
/// When it returns nobody is, or will be, at this work.
void detach(progressive& work);
/// Drives what is in flight and whose turn is free.
void progress();

}  // namespace wherry::companions
