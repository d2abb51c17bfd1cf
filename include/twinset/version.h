// The version of the product and of its semantics.
#ifndef TWINSET_VERSION_H_
#define TWINSET_VERSION_H_

namespace twinset {
inline namespace v1 {

inline constexpr char kVersion[] = "0.1.0";

// Pins hashes, constants, token and text rules, tie-breaks, limits and binary
// layouts (docs/spec/1.md). A change that alters one output byte raises the
// revision; a new page raises the spec. Two revisions never mix.
inline constexpr int kSpec = 1;
inline constexpr int kSpecRevision = 2;
// Both, as rows and summaries have them, and as binary headers do.
inline constexpr double kSpecNumber = 1.2;
inline constexpr char kSpecText[] = "1.2";
inline constexpr unsigned kSpecCode = kSpec | kSpecRevision << 16;

}  // namespace v1
}  // namespace twinset

#endif  // TWINSET_VERSION_H_
