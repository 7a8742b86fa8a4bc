/// @file
/// Includes the whole notify module: segments and their notifications, published layouts, passive messages, groups of
/// ranks, and fault tolerance.
#pragma once

#include "wherry/notify/health.hpp"
#include "wherry/notify/passive_messages.hpp"
#include "wherry/notify/published_layouts.hpp"
#include "wherry/notify/rank_group.hpp"
#include "wherry/notify/segment.hpp"
