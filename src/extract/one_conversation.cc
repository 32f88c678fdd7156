#include "extract/one_conversation.h"

namespace cgrep {

ExtractOne extractor_of_one(const Store& store) {
  if (store.name == "bubbles") return extract_bubbles_of;
  if (store.name == "composers") return extract_composer_of;
  return nullptr;
}

}  // namespace cgrep
