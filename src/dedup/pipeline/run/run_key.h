// The secret of a run in its work folder (docs/methods/verification.md).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_KEY_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_KEY_H_

#include <string>

#include "base/keyed_hash.h"
#include "pipeline/run/plan.h"
#include "store/journal.h"
#include "twinset/error.h"

namespace twinset {

inline constexpr char kKeyFile[] = "verify.key";

// --key: a file of 32 hexadecimal digits. kUsage for any other.
Result<HashKey> ReadKeyFile(const std::string& path);
// Is a key given, as a file or as bytes?
bool GivesKey(const ResourceOptions& resources);
// The key that is given; all zero when none is. kUsage for one that is none,
// and for two.
Result<HashKey> GivenKey(const ResourceOptions& resources);
Result<HashKey> KeyOfBytes(const SecretBytes& bytes);
void ForgetKey(ResourceOptions* resources);

// Stores a key in `folder`, readable by its owner only, on the disk when this
// returns; and reads it back: kUsage when it has been taken out of what is
// called `what`, kCorrupt when it is damaged.
Status StoreKey(const std::string& folder, const HashKey& key);
Result<HashKey> LoadKey(const std::string& folder, const std::string& what);

// A new run stores its key, readable by its owner only, and on the disk before
// the first feature is. A resumed one goes on with the key it began with:
// kUsage when --key gives another, kCorrupt when it is lost or damaged.
Status KeepKey(const Journal& journal, Plan* plan);

// Gives `plan` the key that a run keeps in `folder`; kUsage when it has been
// taken out.
Status TakeKey(const std::string& folder, Plan* plan);

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_RUN_KEY_H_
