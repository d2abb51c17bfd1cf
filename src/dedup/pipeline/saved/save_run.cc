#include "pipeline/saved/save_run.h"

#include <algorithm>
#include <cstddef>

#include "base/bytes.h"
#include "base/file.h"
#include "pipeline/pairs/lookup_file.h"
#include "pipeline/read/ignored_shingles.h"
#include "pipeline/read/read_files.h"
#include "pipeline/run/run_key.h"
#include "store/file_identity.h"
#include "twinset/plain_words.h"

namespace twinset {

namespace {

// Any build of the same format and spec reads the records of its runs
// (docs/formats/saved-run.md): who changes one raises the version of the
// format.
static_assert(sizeof(VerifiedPair) == 40 && offsetof(VerifiedPair, a) == 0 &&
              offsetof(VerifiedPair, b) == 8 &&
              offsetof(VerifiedPair, score) == 16 &&
              offsetof(VerifiedPair, shared) == 24);
static_assert(sizeof(SharedFeatures) == 16 &&
              offsetof(SharedFeatures, b) == 4 &&
              offsetof(SharedFeatures, common) == 8);
static_assert(sizeof(Copy) == 24 && offsetof(Copy, leader) == 0 &&
              offsetof(Copy, rank) == 8 && offsetof(Copy, document) == 16);
static_assert(sizeof(CopyByDocument) == 16 &&
              offsetof(CopyByDocument, leader) == 8);
static_assert(sizeof(Rename) == 16 && offsetof(Rename, number) == 8);

constexpr char kInputs[] = "inputs.blob";

// Files of the work folder that later decisions need, where they are there.
// What the read stage left stands beside what later stages made of it: pages of
// a site are judged together with those that join them.
constexpr const char* kKept[] = {"documents.blob", "features.blob",
                                 "views.blob",     "clean-texts.blob",
                                 "pages.blob",     "quarantine.blob",
                                 "revisits.blob",  "features-template.blob",
                                 "model.blob",     "ids.blob",
                                 "ranks.run",      "renames.run",
                                 "copies.run",     "copies-by-document.run",
                                 "verified.run",   kIgnoredFile,
                                 kLookupFile,      kInputs,
                                 kKeyFile,         read_file::kJudgedName};

std::vector<std::string> NamesOf(const Run& run) {
  std::vector<std::string> names(std::begin(kKept), std::end(kKept));
  for (const std::string& name : {run.documents_file, run.features_file,
                                  run.views_file, run.texts_file}) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  std::vector<std::string> there;
  for (const std::string& name : names) {
    for (const std::string& part : {name, name + ".idx"})
      if (FileExists(run.Path(part))) there.push_back(part);
  }
  return there;
}

// Path, the name of the source, and the path below the argument.
Status WriteInputs(const Run& run) {
  TWINSET_ASSIGN(auto blob, CreateBlob(run, kInputs));
  std::string bytes;
  for (const InputFile& input : run.plan.inputs.files) {
    bytes.clear();
    AppendSized(&bytes, input.path);
    AppendSized(&bytes, input.source);
    AppendSized(&bytes, input.relative);
    TWINSET_TRY(blob.Append(bytes));
  }
  return blob.Finish();
}

Result<Json> Describe(const Run& run, uint64_t lookup_hash) {
  const Plan& plan = run.plan;
  Json json;
  json["command"] = "dedup";
  json["inputs"] = plan.inputs.files.size();
  json["input_bytes"] = run.input_bytes;
  json["documents"] = run.documents();
  json["parameters"] = Json::Parse(plan.parameters_json);
  json["bands"] = run.parts.bands;
  json["rows"] = run.parts.rows;
  Json fields = Json::array();
  for (const std::string& field : plan.inputs.read.fields)
    fields.push_back(NameText(field));
  json["stored_fields"] = std::move(fields);
  json["hashes"] = HashesToJson(plan.hashes);
  json["current"] = {{"documents", run.documents_file},
                     {"features", run.features_file},
                     {"views", run.views_file},
                     {"texts", run.texts_file}};
  if (lookup_hash != 0) json["lookup"] = ToHex(lookup_hash);
  json["counts"] = SavedCountsToJson(run.counts);
  TWINSET_ASSIGN(const std::string read, run.journal.StageState("read"));
  json["counts_of_read"] = Json::Parse(read);
  return json;
}

}  // namespace

Status SaveRun(Run* run, RunFolders* folders) {
  const std::string& folder = run->plan.options.save;
  TWINSET_TRY(WriteInputs(*run));
  TWINSET_TRY(KeepIgnored(run));
  run->stage = "save";
  TWINSET_ASSIGN(const uint64_t lookup_hash, WriteLookup(run));
  const std::vector<std::string> names = NamesOf(*run);
  TWINSET_TRY(folders->BeginSave(names));
  const std::string manifest = folder + "/" + SavedRun::kManifest;
  TWINSET_TRY(RemoveFile(manifest));
  run->step.clear();
  uint64_t placed = 0;
  for (const std::string& name : names) {
    run->Report("files", placed++, names.size());
    TWINSET_TRY(run->CheckStop());
    TWINSET_TRY(PlaceFile(run->Path(name), folder + "/" + name));
  }
  TWINSET_TRY(SyncDirectory(folder));
  TWINSET_ASSIGN(const Json description, Describe(*run, lookup_hash));
  return SavedRun::Write(folder, description, names);
}

Result<InputList> SavedInputs(const SavedRun& saved) {
  TWINSET_ASSIGN(auto blob, BlobReader::Open(saved.Path(kInputs),
                                             SavedHashes(saved).Of(kInputs)));
  InputList inputs;
  std::string_view bytes;
  for (;;) {
    TWINSET_ASSIGN(const bool more, blob.Next(&bytes));
    if (!more) return inputs;
    ByteReader reader(bytes);
    InputFile file;
    file.path = reader.ReadSized();
    file.source = reader.ReadSized();
    file.relative = reader.ReadSized();
    const auto name = NameBytes(file.relative);
    if (!reader.ok() || !reader.AtEnd() || !name ||
        !file.path.ends_with(*name)) {
      return Fail(ErrorCode::kCorrupt, "the list of inputs is damaged",
                  saved.Path(kInputs));
    }
    inputs.Add(file);
  }
}

Json HashesToJson(const StageHashes& hashes) {
  return {{"read", ToHex(hashes.read)},
          {"order", ToHex(hashes.order)},
          {"sketch", ToHex(hashes.sketch)},
          {"pairs", ToHex(hashes.pairs)}};
}

StageHashes SavedHashes(const SavedRun& saved) {
  const Json& hashes = saved.description()["hashes"];
  StageHashes result;
  const auto take = [&](const char* name, uint64_t* hash) {
    (void)ParseHex64(hashes[name].get<std::string>(), hash);
  };
  take("read", &result.read);
  take("order", &result.order);
  take("sketch", &result.sketch);
  take("pairs", &result.pairs);
  return result;
}

}  // namespace twinset
