// Flags that say what is read and how, of several commands (shared_flags.cc).
#include "cli/presets.h"
#include "flag_setters.h"

namespace twinset::cli {
namespace {

Status Statuses(const Values& values, Request* request) {
  TWINSET_ASSIGN(const Values items, SplitLists(values));
  std::vector<int> statuses;
  for (const std::string& item : items) {
    TWINSET_ASSIGN(const int status, ParseInt(item, 100, 999));
    statuses.push_back(status);
  }
  request->options.input.statuses = statuses;
  return {};
}

}  // namespace

std::vector<Flag> InputFlags() {
  return {
      {.name = "--against",
       .value = "INPUT",
       .help = "the second side, which is only compared with",
       .long_help = "May be repeated.",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&Request::against>},
      {.name = "--in",
       .value = "INPUT",
       .help = "where the two ids are found; without it X and Y are files",
       .long_help = "May be repeated.",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetRepeated<&Request::in>},
      {.name = "--files-from",
       .value = "FILE",
       .help = "a file that lists further inputs, a name a line; - is standard "
               "input",
       .long_help = "Names may be of any bytes: where the list has a NUL byte, "
                    "as find -print0 writes it, each ends with one. Empty "
                    "names are passed over. May be repeated.",
       .default_text = "(none)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kFile,
       .list = true,
       .set = SetNothing},
      {.name = "--null",
       .short_name = '0',
       .help = "names in --files-from end with NUL bytes, which is also seen "
               "without this",
       .group = FlagGroup::kInput,
       .set = SetNothing},
      {.name = "--limit",
       .value = "N",
       .help = "read only the first N documents, in input order",
       .long_help =
           "Documents count as summary.json counts them: what is skipped or "
           "quarantined does not. Inputs behind the last of them are not "
           "opened. With --add the documents of the saved run are beside the "
           "N. It does not go with --write, whose corpus would lack the rest.",
       .default_text = "(all)",
       .group = FlagGroup::kInput,
       .set = SetCount<&FlagOptions::limit>},
      {.name = "--input-format",
       .value = "FORMAT",
       .help = "{}",
       .long_help =
           "auto recognises format and compression by content, not by name.",
       .default_text = "auto",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<InputFormat>(),
       .set = SetPick<&FlagOptions::input, &InputOptions::format>},
      {.name = "--preset",
       .value = "NAME,...",
       .help = "named settings: of fields, as clueweb22, or of a method, as "
               "broder97",
       .long_help = "Of a preset of a method only the settings of the text "
                    "count. One preset of each kind may be given.",
       .default_text = "(none)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kPreset,
       .list = true,
       .set = SetPresets},
      {.name = "--id-field",
       .value = "PATH",
       .help = "field of a row that is its id; dots reach into objects",
       .default_text = "id",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set = SetText<&FlagOptions::input, &InputOptions::id_field>},
      {.name = "--text-field",
       .value = "PATH",
       .help = "field of a row that is its text",
       .default_text = "text",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set = SetText<&FlagOptions::input, &InputOptions::text_field>},
      {.name = "--html-field",
       .value = "PATH",
       .help = "field of a row that is markup, instead of --text-field",
       .default_text = "(none)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set = SetText<&FlagOptions::input, &InputOptions::html_field>},
      {.name = "--features-field",
       .value = "PATH",
       .help = "field of a row that is its features with weights; they are "
               "compared, no text",
       .long_help =
           "{\"word\": 2.5, ...}, or a list of which each element is a name or "
           "a pair [name, weight]. The sets of features are what is compared, "
           "and the method simhash weighs each as the field says.",
       .default_text = "(none)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set = SetText<&FlagOptions::input, &InputOptions::features_field>},
      {.name = "--url-field",
       .value = "PATH",
       .help = "field of a row that is its URL",
       .default_text = "url",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set = SetText<&FlagOptions::input, &InputOptions::url_field>},
      {.name = "--date-field",
       .value = "PATH",
       .help = "field of a row that is its date (RFC 3339)",
       .default_text = "date",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kField,
       .set = SetText<&FlagOptions::input, &InputOptions::date_field>},
      {.name = "--status",
       .value = "CODE,...",
       .help = "HTTP status of the records that are documents",
       .long_help = "A record without a status passes. May be repeated.",
       .default_text = "200",
       .group = FlagGroup::kInput,
       .list = true,
       .set = Statuses},
      {.name = "--mime",
       .value = "TYPE,...",
       .help = "media type of the records that are documents",
       .long_help = "Declared, or recognised where none or only a generic one "
                    "is declared. May be repeated.",
       .default_text = "text/html,application/xhtml+xml,text/plain",
       .group = FlagGroup::kInput,
       .list = true,
       .set = SetTextList<&FlagOptions::input, &InputOptions::mimes>},
      {.name = "--language",
       .value = "CODE,...",
       .help = "only documents whose text is in one of these languages",
       .long_help =
           "Codes as de, en, zh, zh-Hant; und for texts whose language is not "
           "clear. The others are counted as skipped. May be repeated.",
       .default_text = "(all)",
       .group = FlagGroup::kInput,
       .list = true,
       .set = SetTextList<&FlagOptions::input, &InputOptions::languages>},
      {.name = "--page-kind",
       .value = "KIND,...",
       .help = "only pages of these kinds",
       .long_help =
           "As their structure shows: article, reference, documentation, "
           "forum, listing, product, other; none for what is not HTML. The "
           "others are counted as skipped. May be repeated.",
       .default_text = "(all)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<PageKind>(),
       .list = true,
       .set = SetPickList<&FlagOptions::input, &InputOptions::page_kinds>},
      {.name = "--max-document",
       .value = "SIZE",
       .help = "larger documents are quarantined (decoded bytes)",
       .default_text = "8M",
       .group = FlagGroup::kInput,
       .set = SetSize<&FlagOptions::input, &InputOptions::max_document_bytes>},
      {.name = "--max-field",
       .value = "SIZE",
       .help = "records with a longer id, URL, date or field are quarantined",
       .default_text = "64K",
       .group = FlagGroup::kInput,
       .is_laboratory = true,
       .set = SetSize<&FlagOptions::input, &InputOptions::max_field_bytes>},
      {.name = "--max-ratio",
       .value = "N",
       .help = "documents that decompress to more than N times are quarantined",
       .default_text = "1000",
       .group = FlagGroup::kInput,
       .is_laboratory = true,
       .set = SetCount<&FlagOptions::input, &InputOptions::max_ratio>},
      {.name = "--max-window",
       .value = "SIZE",
       .help = "largest zstd window and xz dictionary that is read",
       .long_help =
           "zstd makes larger ones in its long mode from 28 on. Inputs that "
           "need more are quarantined with the size that they need. What is "
           "above 128M counts as memory of the command.",
       .default_text = "128M",
       .group = FlagGroup::kInput,
       .is_laboratory = true,
       .set = SetSize<&FlagOptions::input, &InputOptions::max_window_bytes>},
      {.name = "--quoting",
       .value = "HOW",
       .help = "what quotation marks around a field of CSV or TSV mean: {}",
       .long_help =
           "none: a line is a row, separators part it, and a quotation mark is "
           "a character like any other. csv: a field in quotation marks may "
           "hold separators and line ends (RFC 4180).",
       .default_text = "(csv for CSV, none for TSV)",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<Quoting>(),
       .set = SetPick<&FlagOptions::input, &InputOptions::quoting>},
      {.name = "--truncated",
       .value = "WHAT",
       .help = "documents cut off inside their compressed member: {}",
       .long_help =
           "What can be read of a document that is kept so is compared as it "
           "stands, and its rows say \"truncated\": true.",
       .default_text = "quarantine",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<TruncatedRule>(),
       .set = SetPick<&FlagOptions::input, &InputOptions::truncated>},
      {.name = "--revisions",
       .value = "WHICH",
       .help =
           "revisions of a page of a MediaWiki export that are documents: {}",
       .long_help = "Each of all revisions has the id TITLE@REVISION.",
       .default_text = "newest",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<RevisionRule>(),
       .set = SetPick<&FlagOptions::input, &InputOptions::revisions>},
      {.name = "--digest",
       .value = "NAME",
       .help = "payload digest: sha1-base32 (as archives write it) or sha256",
       .default_text = "sha1-base32",
       .group = FlagGroup::kInput,
       .kind = ValueKind::kChoice,
       .choices = ChoiceNames<DigestKind>(),
       .is_laboratory = true,
       .set = SetPick<&FlagOptions::input, &InputOptions::digest>}};
}

}  // namespace twinset::cli
