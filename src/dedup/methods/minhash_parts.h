// Parts that rows of more than one family take from MinHash.
#ifndef TWINSET_SRC_DEDUP_METHODS_MINHASH_PARTS_H_
#define TWINSET_SRC_DEDUP_METHODS_MINHASH_PARTS_H_

#include <vector>

#include "methods/method_rows.h"

namespace twinset {

// The one view of sketches that are made of shingle sets.
Result<std::vector<FeatureView>> SketchedShingles(const MethodOptions& options);

// Super-shingles that must agree: --agree, or 2.
int SuperShinglesToAgree(const MethodOptions& options);
// The sketcher of super-shingles, the filter that counts them, and the recall
// at the threshold. Appends sketcher; replaces filter.
Status AddSuperShingles(const MethodOptions& options, MethodParts* parts);
// Names --groups, --group-size, --group-by and --agree.
void ReadSuperShingles(MethodInfo* method);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_METHODS_MINHASH_PARTS_H_
