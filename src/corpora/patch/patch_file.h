// A patch file: written front to back, checked whole before anything of it is
// believed, then read front to back as often as needed (docs/methods/patch.md).
#ifndef TWINSET_SRC_CORPORA_PATCH_PATCH_FILE_H_
#define TWINSET_SRC_CORPORA_PATCH_PATCH_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/keys/signature.h"
#include "patch/patch_format.h"
#include "store/file_header.h"
#include "twinset/error.h"

namespace twinset {

inline const FileHeader kPatchHeader = {"patch", 2, 0, 0};

// In this order: Create, AddInput for each, AddEntry for each, Finish. Memory:
// a frame.
class PatchWriter {
 public:
  static Result<PatchWriter> Create(const std::string& path,
                                    const PatchHead& head);
  Status AddInput(PatchInput input);
  // kUnsupported for an entry of more than half of kMostFrameText.
  Status AddEntry(PatchEntry entry);
  // Signs with `key` unless it is null.
  Status Finish(const SigningKey* key);
  uint64_t bytes() const { return file_.written_bytes(); }

 private:
  explicit PatchWriter(OutputFile file) : file_(std::move(file)) {}
  Status Write(std::string_view bytes);
  Status WriteFrame(uint8_t tag, std::string_view raw);
  Status Flush();

  OutputFile file_;
  Sha256Stream sha_;
  std::vector<PatchInput> inputs_;
  std::vector<PatchEntry> entries_;
  uint64_t pending_bytes_ = 0, first_ = 0;  // of the frame that is begun
};

class PatchReader {
 public:
  // Reads the file twice: against its checksum, and what its frames are. kUsage
  // for a file that is no patch, kCorrupt for damage of any byte, kUnsupported
  // for another version, kMemory when the inputs take more than `memory_bytes`.
  static Result<PatchReader> Open(const std::string& path,
                                  uint64_t memory_bytes);

  const std::string& path() const { return file_.path(); }
  const PatchHead& head() const { return head_; }
  const std::vector<PatchInput>& inputs() const { return inputs_; }
  // The public key of who signed it; empty: nobody. The signature was checked:
  // whether the key is one to trust is not said by the file.
  const std::string& signed_by() const { return signed_by_; }
  // The digest of all its bytes before the signature.
  const Sha256Value& digest() const { return digest_; }
  uint64_t bytes() const { return end_ + kFileFooterBytes; }

  // Goes before the first entry.
  void Rewind();
  // The next entry; false at the end. kCorrupt for one that cannot be.
  Result<bool> Next(PatchEntry* entry);

 private:
  struct Frame {
    uint8_t tag = 0;
    uint32_t raw_bytes = 0, packed_bytes = 0;
  };
  explicit PatchReader(File file) : file_(std::move(file)) {}
  Status CheckWhole();
  Status ReadFrames(uint64_t memory_bytes);
  Result<Frame> FrameAt(uint64_t offset) const;
  Result<std::string> Unpacked(uint64_t offset, const Frame& frame,
                               Sha256Stream* sha) const;
  Status TakeInputs(std::string_view raw, uint64_t memory_bytes);
  Status TakeSignature(uint64_t offset, const Frame& frame);
  Status NextFrame();
  Status Check(const PatchEntry& entry) const;
  tl::unexpected<Error> Damaged(uint64_t offset) const;

  File file_;
  uint64_t end_ = 0;            // of the frames
  uint64_t entries_begin_ = 0;  // of the first frame of entries
  uint64_t entries_end_ = 0;    // behind the last one
  PatchHead head_;
  std::vector<PatchInput> inputs_;
  uint64_t inputs_bytes_ = 0;
  std::string signed_by_;
  Sha256Value digest_ = {};
  // Where Next stands.
  uint64_t next_frame_ = 0, number_ = 0;
  size_t at_ = 0;
  std::vector<PatchEntry> frame_;
  uint32_t last_source_ = 0;
  uint64_t next_ordinal_ = 0;
};

}  // namespace twinset

#endif  // TWINSET_SRC_CORPORA_PATCH_PATCH_FILE_H_
