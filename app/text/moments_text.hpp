// What `lass0 moments` prints for people.
#pragma once

#include <lass0/moments_builder.hpp>
#include <string>

namespace lass0::app {

// `output` is the file that the sums were written to.
std::string moments_text(const MomentsBuilder& builder, const std::string& output);

}  // namespace lass0::app
