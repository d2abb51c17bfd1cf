#include "studies.h"

namespace twinset::cli {

std::shared_ptr<StudyRequest> MakeStudyRequest() {
  return std::make_shared<StudyRequest>();
}

}  // namespace twinset::cli
