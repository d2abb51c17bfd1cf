// Places whose names others can foresee, in folders that others may write: what
// stands there already is taken over only if nobody else can have a hand in it.
#ifndef TWINSET_SRC_GROUND_STORE_OWN_PLACE_H_
#define TWINSET_SRC_GROUND_STORE_OWN_PLACE_H_

#include <string>

#include "twinset/error.h"

namespace twinset {

// kUsage, with the remedy, for a folder at `path` that is a link, that another
// user made, or that others may write.
Status CheckOwnFolder(const std::string& path, const std::string& remedy);

// The same of a file with a secret, which others must not read either. Its
// owner may be root or, where `folder_owner`, whoever its folder belongs to: a
// saved run may be somebody else's.
Status CheckSecretFile(const std::string& path, bool folder_owner);

// kUsage when what is gone on with at `path` was begun by another user.
Status CheckBegunByUser(const std::string& path, const std::string& shown);

}  // namespace twinset

#endif  // TWINSET_SRC_GROUND_STORE_OWN_PLACE_H_
