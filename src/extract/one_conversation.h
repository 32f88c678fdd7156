// One conversation out of a source that holds many, when only that one is wanted.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "extract/store.h"

namespace cgrep {

/// Delivers what changed in the conversation since `source.mark`, or all of it, and nothing of
/// others. The mark stays as it is: the next reading of the source tells the same again, with what
/// else changed. `conversation` is the id as it stands in the source.
using ExtractOne = void (*)(const Source& source, const std::string& conversation, Sink& sink);

/// Null when the store's sources hold one conversation each, or cannot be read so.
ExtractOne extractor_of_one(const Store& store);

void extract_bubbles_of(const Source& source, const std::string& conversation, Sink& sink);
void extract_composer_of(const Source& source, const std::string& conversation, Sink& sink);

}  // namespace cgrep
