// Giving the memory of a string back.
#ifndef TWINSET_SRC_GROUND_BASE_FREE_STRING_H_
#define TWINSET_SRC_GROUND_BASE_FREE_STRING_H_

#include <string>

namespace twinset {

// Assigning an empty string keeps the buffer (libstdc++ copies short strings
// into it); this does not.
inline void FreeString(std::string* text) { std::string().swap(*text); }

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_BASE_FREE_STRING_H_
