#include "patch/patch_inputs.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/file.h"
#include "base/parallel.h"
#include "read/byte_source.h"
#include "report/row_writer.h"

namespace twinset {

namespace {

// By their names; names of a patch that come twice count once.
void PairByName(const InputList& inputs, const std::vector<PatchInput>& named,
                PatchInputs* pairs) {
  std::unordered_map<std::string_view, uint32_t> numbers;
  for (uint32_t i = 0; i < named.size(); ++i) numbers.emplace(named[i].name, i);
  for (uint32_t copy = 0; copy < inputs.size(); ++copy) {
    const std::string name = inputs[copy].source;
    const auto found = numbers.find(name);
    if (found == numbers.end() ||
        pairs->of_patch[found->second] != PatchInputs::kNone)
      continue;
    pairs->of_copy[copy] = found->second;
    pairs->of_patch[found->second] = copy;
  }
}

// Those without partner by their digests.
void PairByDigest(const std::vector<PatchInput>& named,
                  const std::vector<Sha256Value>& digests,
                  const std::vector<bool>& read, PatchInputs* pairs) {
  std::map<Sha256Value, uint32_t> numbers;
  for (uint32_t i = 0; i < named.size(); ++i)
    if (pairs->of_patch[i] == PatchInputs::kNone)
      numbers.emplace(named[i].digest, i);
  for (uint32_t copy = 0; copy < digests.size(); ++copy) {
    if (pairs->of_copy[copy] != PatchInputs::kNone || !read[copy]) continue;
    const auto found = numbers.find(digests[copy]);
    if (found == numbers.end()) continue;
    pairs->of_copy[copy] = found->second;
    pairs->of_patch[found->second] = copy;
    numbers.erase(found);
  }
}

}  // namespace

Result<Sha256Value> DigestOfInput(const InputFile& input,
                                  const std::atomic<bool>* stop) {
  TWINSET_ASSIGN(const auto source,
                 OpenByteSource(input, stop, /*once=*/false));
  Sha256Stream stream;
  std::string buffer(64 << 10, '\0');
  for (;;) {
    TWINSET_ASSIGN(const size_t size,
                   source->Read(buffer.data(), buffer.size()));
    if (size == 0) return stream.Digest();
    stream.Update(std::string_view(buffer).substr(0, size));
  }
}

Result<PatchInputs> PairInputs(const Run& run,
                               const std::vector<PatchInput>& named) {
  const InputList& inputs = run.plan.inputs.files;
  PatchInputs pairs;
  pairs.of_copy.assign(inputs.size(), PatchInputs::kNone);
  pairs.of_patch.assign(named.size(), PatchInputs::kNone);
  PairByName(inputs, named, &pairs);
  std::set<uint64_t> sizes;  // of those without partner
  for (size_t i = 0; i < named.size(); ++i)
    if (pairs.of_patch[i] == PatchInputs::kNone) sizes.insert(named[i].bytes);
  std::vector<bool> read(inputs.size());
  std::vector<size_t> wanted;
  for (size_t copy = 0; copy < inputs.size(); ++copy) {
    const uint64_t size = inputs[copy].state.size;
    const uint32_t partner = pairs.of_copy[copy];
    read[copy] = partner == PatchInputs::kNone ? sizes.contains(size)
                                               : named[partner].bytes == size;
    if (read[copy]) wanted.push_back(copy);
  }
  std::vector<Sha256Value> digests(inputs.size());
  std::vector<Status> ended(wanted.size());
  ParallelFor(wanted.size(), 1, run.plan.machine.threads,
              [&](size_t at, size_t end) {
                for (; at < end; ++at) {
                  ended[at] = run.CheckStop();
                  if (!ended[at]) continue;
                  const auto digest =
                      DigestOfInput(inputs[wanted[at]], run.plan.options.stop);
                  if (digest) {
                    digests[wanted[at]] = *digest;
                  } else {
                    ended[at] = tl::unexpected(digest.error());
                  }
                }
              });
  for (const Status& status : ended) TWINSET_TRY(status);
  PairByDigest(named, digests, read, &pairs);
  pairs.identical.resize(inputs.size());
  for (size_t copy = 0; copy < inputs.size(); ++copy) {
    const uint32_t partner = pairs.of_copy[copy];
    pairs.identical[copy] = partner != PatchInputs::kNone && read[copy] &&
                            named[partner].digest == digests[copy];
  }
  return pairs;
}

Status WriteInputRows(const Run& run, const std::vector<PatchInput>& named,
                      const PatchInputs& pairs, const std::string& path) {
  TWINSET_ASSIGN(OutputFile file, OutputFile::Create(path));
  RowText row(OutputFormat::kJsonl);
  const auto write = [&](std::string_view source, uint32_t partner,
                         bool identical) {
    row.Text("source", source)
        .Text("in_patch",
              partner == PatchInputs::kNone ? "" : named[partner].name)
        .Bool("identical", identical);
    row.EndRow();
    const Status written = file.Write(row.text());
    row.Clear();
    return written;
  };
  SourceNames names;
  for (size_t i = 0; i < pairs.of_copy.size(); ++i)
    TWINSET_TRY(write(names.Of(run.plan.inputs.files, i), pairs.of_copy[i],
                      pairs.identical[i]));
  for (uint32_t i = 0; i < pairs.of_patch.size(); ++i)
    if (pairs.of_patch[i] == PatchInputs::kNone)
      TWINSET_TRY(write("", i, false));
  return file.Commit();
}

}  // namespace twinset
