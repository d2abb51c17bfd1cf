#include "pipeline/shards/shard_folder.h"

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "base/file.h"
#include "base/for_each.h"
#include "base/hash.h"
#include "documents/deal.h"
#include "pipeline/read/dealt_block.h"
#include "pipeline/read/ignored_shingles.h"
#include "pipeline/read/read_files.h"
#include "pipeline/run/run_key.h"
#include "pipeline/saved/save_run.h"
#include "store/file_identity.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

constexpr char kInputs[] = "inputs.blob";

// Beside what a saved run has of it how the file was when it was listed.
Status WriteInputs(const Run& run) {
  TWINSET_ASSIGN(auto blob, CreateBlob(run, kInputs));
  std::string bytes;
  const InputList& inputs = run.plan.inputs.files;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputFile input = inputs[i];
    bytes.clear();
    AppendSized(&bytes, input.path);
    AppendSized(&bytes, input.source);
    AppendSized(&bytes, input.relative);
    for (const uint64_t value :
         {input.state.device, input.state.inode, input.state.size,
          static_cast<uint64_t>(input.state.mtime_ns)})
      AppendLE(&bytes, value);
    AppendLE<uint8_t>(&bytes, inputs.EndsArgument(i));
    TWINSET_TRY(blob.Append(bytes));
  }
  return blob.Finish();
}

// What makes two lists of inputs one, on whatever machine they were made.
std::string HashOfInputs(const InputList& inputs) {
  Hasher64 hasher;
  std::string bytes;
  for (const InputFile& input : inputs) {
    bytes.clear();
    AppendSized(&bytes, input.source);
    AppendSized(&bytes, input.relative);
    AppendLE(&bytes, input.state.size);
    hasher.Update(bytes);
  }
  return ToHex(hasher.Digest());
}

Result<Json> Describe(const Run& run) {
  const Plan& plan = run.plan;
  const Shard& shard = plan.options.shard;
  Json json;
  json["shard"] = {{"number", shard.number}, {"of", shard.of}};
  json["inputs"] = plan.inputs.files.size();
  json["inputs_hash"] = HashOfInputs(plan.inputs.files);
  json["input_bytes"] = run.input_bytes;
  json["documents"] = run.documents();
  json["parameters"] = Json::Parse(plan.parameters_json);
  json["hashes"] = HashesToJson(plan.hashes);
  TWINSET_ASSIGN(const std::string read, run.journal.StageState("read"));
  json["counts_of_read"] = Json::Parse(read);
  return json;
}

std::string TextOf(const Json& value) {
  return value.is_null() ? "none" : value.dump();
}

tl::unexpected<Error> OfAnotherRun(const SavedRun& shard,
                                   const std::string& difference) {
  return Fail(ErrorCode::kUsage, "the shard is of another run: " + difference,
              shard.folder(),
              "make all shards with the same command but for --shard and "
              "--save");
}

Status CheckParameters(const SavedRun& shard, const Json& wanted) {
  const Json& parameters = shard.description()["parameters"];
  for (const Json* names : {&wanted, &parameters})
    for (const auto& [name, value] : names->items())
      if (parameters[name] != wanted[name]) {
        return OfAnotherRun(shard, std::string(name) + " is " +
                                       TextOf(parameters[name]) + ", not " +
                                       TextOf(wanted[name]));
      }
  return {};
}

Status CheckInputs(const SavedRun& shard, const InputList& wanted) {
  if (shard.description()["inputs_hash"] == Json(HashOfInputs(wanted)))
    return {};
  TWINSET_ASSIGN(const InputList inputs, InputsOfShard(shard));
  for (size_t i = 0; i < std::min(inputs.size(), wanted.size()); ++i) {
    const InputFile is = inputs[i], other = wanted[i];
    if (is.source != other.source) {
      return OfAnotherRun(shard, "input " + std::to_string(i + 1) + " is " +
                                     is.source + ", not " + other.source);
    }
    if (is.state.size != other.state.size) {
      return OfAnotherRun(shard, "input " + is.source + " had " +
                                     CountText(is.state.size, "byte") +
                                     ", and has " +
                                     NumberText(other.state.size));
    }
  }
  return OfAnotherRun(shard, "it has " + CountText(inputs.size(), "input") +
                                 ", not " + NumberText(wanted.size()));
}

// Whose shingles are left out everywhere must be the same.
std::optional<ManifestFile> IgnoredOf(const SavedRun& shard) {
  for (const ManifestFile& file : shard.files())
    if (file.name == kIgnoredFile) return file;
  return {};
}

Status CheckAlike(const SavedRun& shard, const SavedRun& first) {
  const Json& wanted = first.description();
  TWINSET_TRY(CheckParameters(shard, wanted["parameters"]));
  if (shard.description()["hashes"] != wanted["hashes"])
    return OfAnotherRun(shard, "its files were made with other settings");
  if (shard.description()["inputs_hash"] != wanted["inputs_hash"]) {
    TWINSET_ASSIGN(const InputList inputs, InputsOfShard(first));
    TWINSET_TRY(CheckInputs(shard, inputs));
  }
  const auto is = IgnoredOf(shard), other = IgnoredOf(first);
  if (is.has_value() != other.has_value() ||
      (is && (is->bytes != other->bytes || is->hash != other->hash)))
    return OfAnotherRun(shard, "the files of --ignore were others");
  TWINSET_ASSIGN(const HashKey key, LoadKey(shard.folder(), "shard"));
  TWINSET_ASSIGN(const HashKey wanted_key, LoadKey(first.folder(), "shard"));
  if (key != wanted_key) return OfAnotherRun(shard, "it has another --key");
  return {};
}

}  // namespace

std::vector<std::string> ShardFiles() {
  std::vector<std::string> names = read_file::AllFiles();
  for (const char* name : {kDealtFile, kIgnoredFile, kInputs}) {
    names.push_back(name);
    names.push_back(std::string(name) + ".idx");
  }
  names.push_back(kKeyFile);
  return names;
}

Status KeepShard(Run* run) {
  const std::string& folder = run->plan.options.out;
  TWINSET_TRY(WriteInputs(*run));
  TWINSET_TRY(KeepIgnored(run));
  std::vector<std::string> names = ShardFiles();
  std::erase_if(names, [&](const std::string& name) {
    return !FileExists(run->Path(name));
  });
  for (const std::string& name : names)
    TWINSET_TRY(PlaceFile(run->Path(name), folder + "/" + name));
  TWINSET_TRY(SyncDirectory(folder));
  TWINSET_ASSIGN(const Json description, Describe(*run));
  return SavedRun::Write(folder, description, names, kShardOfRun);
}

Shard NumberOf(const SavedRun& shard) {
  const Json& number = shard.description()["shard"];
  Shard of;
  number["number"].get_to(of.number);
  number["of"].get_to(of.of);
  return of;
}

Result<InputList> InputsOfShard(const SavedRun& shard) {
  const std::string path = shard.Path(kInputs);
  TWINSET_ASSIGN(auto blob,
                 BlobReader::Open(path, SavedHashes(shard).Of(kInputs)));
  InputList inputs;
  const auto read = [&](std::string_view bytes) -> Status {
    ByteReader reader(bytes);
    InputFile file;
    file.path = reader.ReadSized();
    file.source = reader.ReadSized();
    file.relative = reader.ReadSized();
    file.state.regular = true;
    file.state.device = reader.Read<uint64_t>();
    file.state.inode = reader.Read<uint64_t>();
    file.state.size = reader.Read<uint64_t>();
    file.state.mtime_ns = static_cast<int64_t>(reader.Read<uint64_t>());
    const bool ends_argument = reader.Read<uint8_t>() != 0;
    const auto name = NameBytes(file.relative);
    if (!reader.ok() || !reader.AtEnd() || !name ||
        !file.path.ends_with(*name)) {
      return Fail(ErrorCode::kCorrupt, "the list of inputs is damaged", path);
    }
    inputs.Add(file);
    if (ends_argument) inputs.EndArgument();
    return {};
  };
  TWINSET_TRY(ForEach<std::string_view>(&blob, read));
  return inputs;
}

Status CheckSameRun(const SavedRun& shard, const Plan& plan) {
  TWINSET_TRY(CheckParameters(shard, Json::Parse(plan.parameters_json)));
  return CheckInputs(shard, plan.inputs.files);
}

Result<std::vector<std::shared_ptr<const SavedRun>>> OpenShards(
    const std::vector<std::string>& folders) {
  std::vector<std::shared_ptr<const SavedRun>> shards;
  uint32_t of = 0;
  for (const std::string& folder : folders) {
    TWINSET_ASSIGN(SavedRun opened, SavedRun::Open(folder, kShardOfRun));
    const auto shard = std::make_shared<const SavedRun>(std::move(opened));
    const Shard number = NumberOf(*shard);
    if (number.of == 0 || number.of > kMostShards ||
        number.number >= number.of) {
      return Fail(ErrorCode::kCorrupt, "the manifest of the shard is damaged",
                  shard->Path(kShardOfRun.manifest));
    }
    if (of == 0) of = number.of;
    shards.resize(of);
    if (number.of != of) {
      return OfAnotherRun(*shard, "it is one of " + NumberText(number.of) +
                                      " shards, not of " + NumberText(of));
    }
    if (shards[number.number] != nullptr) {
      return Fail(ErrorCode::kUsage,
                  "shard " + ShardText(number) + " is given twice: it is " +
                      NameText(shards[number.number]->folder()) + " too",
                  folder, "name each shard once");
    }
    shards[number.number] = shard;
  }
  for (uint32_t i = 0; i < of; ++i) {
    if (shards[i] != nullptr) continue;
    return Fail(ErrorCode::kUsage,
                "shard " + ShardText({i, of}) + " is not there", "",
                "make it with the command of the others and --shard " +
                    ShardText({i, of}));
  }
  for (const auto& shard : shards) TWINSET_TRY(CheckAlike(*shard, *shards[0]));
  return shards;
}

}  // namespace twinset
