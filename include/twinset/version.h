// The version of the product and of its semantics.
#ifndef TWINSET_VERSION_H_
#define TWINSET_VERSION_H_

namespace twinset::inline v1 {

inline constexpr char kVersion[] = "0.1.0";

// Pins hashes, constants, token and text rules, tie-breaks, limits and binary
// layouts (docs/spec/1.md). A change that alters one output byte raises it.
inline constexpr int kSpec = 1;

}  // namespace twinset::inline v1

#endif  // TWINSET_VERSION_H_
