#include "foreign_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace twinset::cli {
namespace {

// In small letters, with hyphens. Of several rows of one foreign name the first
// counts whose own flag the command has.
struct ForeignFlag {
  std::string_view foreign, own;
};
constexpr ForeignFlag kForeignFlags[] = {
    {"--output", "--out"},
    {"--output-dir", "--out"},
    {"--output-file", "--out"},
    {"--output-folder", "--out"},
    {"--output-path", "--out"},
    {"--out-dir", "--out"},
    {"--out-file", "--out"},
    {"--outdir", "--out"},
    {"--outfile", "--out"},
    {"--dest", "--out"},
    {"--destination", "--out"},
    {"--result-dir", "--out"},
    {"--results", "--out"},
    {"--save-dir", "--out"},
    {"--num-perm", "--permutations"},
    {"--num-perms", "--permutations"},
    {"--num-permutations", "--permutations"},
    {"--n-perm", "--permutations"},
    {"--nperm", "--permutations"},
    {"--perms", "--permutations"},
    {"--num-hashes", "--permutations"},
    {"--num-hash", "--permutations"},
    {"--n-hashes", "--permutations"},
    {"--hashes", "--permutations"},
    {"--sketch-size", "--permutations"},
    {"--ngram", "--shingle"},
    {"--ngrams", "--shingle"},
    {"--n-gram", "--shingle"},
    {"--n-grams", "--shingle"},
    {"--ngram-size", "--shingle"},
    {"--n-gram-size", "--shingle"},
    {"--ngram-length", "--shingle"},
    {"--char-ngram", "--shingle"},
    {"--char-ngrams", "--shingle"},
    {"--shingles", "--shingle"},
    {"--shingle-size", "--shingle"},
    {"--shingle-length", "--shingle"},
    {"--shingle-len", "--shingle"},
    {"--window", "--shingle"},
    {"--window-size", "--shingle"},
    {"--k-shingle", "--shingle"},
    {"--kmer", "--shingle"},
    {"--kmer-size", "--shingle"},
    {"--width", "--shingle"},
    {"--jaccard", "--threshold"},
    {"--jaccard-threshold", "--threshold"},
    {"--sim", "--threshold"},
    {"--similarity", "--threshold"},
    {"--similarity-threshold", "--threshold"},
    {"--sim-threshold", "--threshold"},
    {"--min-similarity", "--threshold"},
    {"--minhash-threshold", "--threshold"},
    {"--thresh", "--threshold"},
    {"--cutoff", "--threshold"},
    {"--algorithm", "--method"},
    {"--algo", "--method"},
    {"--num-bands", "--bands"},
    {"--n-bands", "--bands"},
    {"--b", "--bands"},
    {"--num-buckets", "--bands"},
    {"--num-rows", "--rows"},
    {"--n-rows", "--rows"},
    {"--r", "--rows"},
    {"--rows-per-band", "--rows"},
    {"--band-size", "--rows"},
    {"--hashes-per-bucket", "--rows"},
    {"--hash-bits", "--bits"},
    {"--num-bits", "--bits"},
    {"--simhash-bits", "--bits"},
    {"--max-distance", "--distance"},
    {"--bit-diff", "--distance"},
    {"--hamming", "--distance"},
    {"--hamming-distance", "--distance"},
    {"--radius", "--distance"},
    {"--workers", "--threads"},
    {"--num-workers", "--threads"},
    {"--n-workers", "--threads"},
    {"--num-proc", "--threads"},
    {"--num-procs", "--threads"},
    {"--nproc", "--threads"},
    {"--processes", "--threads"},
    {"--num-processes", "--threads"},
    {"--jobs", "--threads"},
    {"--n-jobs", "--threads"},
    {"--num-threads", "--threads"},
    {"--parallel", "--threads"},
    {"--cpus", "--threads"},
    {"--cores", "--threads"},
    {"--ram", "--memory"},
    {"--mem", "--memory"},
    {"--max-memory", "--memory"},
    {"--memory-limit", "--memory"},
    {"--max-mem", "--memory"},
    {"--buffer-size", "--memory"},
    {"--temp", "--tmp"},
    {"--temp-dir", "--tmp"},
    {"--tempdir", "--tmp"},
    {"--tmp-dir", "--tmp"},
    {"--tmpdir", "--tmp"},
    {"--temporary-directory", "--tmp"},
    {"--cache-dir", "--tmp"},
    {"--column", "--text-field"},
    {"--text", "--text-field"},
    {"--text-column", "--text-field"},
    {"--text-key", "--text-field"},
    {"--content-field", "--text-field"},
    {"--content-key", "--text-field"},
    {"--json-key", "--text-field"},
    {"--id", "--id-field"},
    {"--id-column", "--id-field"},
    {"--id-key", "--id-field"},
    {"--url-column", "--url-field"},
    {"--url-key", "--url-field"},
    {"--input-type", "--input-format"},
    {"--file-type", "--input-format"},
    {"--filetype", "--input-format"},
    {"--output-format", "--format"},
    {"--output-type", "--format"},
    {"--input-list", "--files-from"},
    {"--file-list", "--files-from"},
    {"--filelist", "--files-from"},
    {"--files0-from", "--files-from"},
    {"--from-file", "--files-from"},
    {"--stopwords", "--stop-words"},
    {"--remove-stopwords", "--stop-words"},
    {"--stemmer", "--stem"},
    {"--stemming", "--stem"},
    {"--force", "--overwrite"},
    {"--clobber", "--overwrite"},
    {"--continue", "--resume"},
    {"--restart", "--resume"},
    {"--verbose", "--progress"},
    {"--silent", "--quiet"},
    {"--no-progress", "--quiet"},
    {"--dryrun", "--dry-run"},
    {"--simulate", "--dry-run"},
    {"--config-file", "--config"},
    {"--conf", "--config"},
    {"--max-docs", "--limit"},
    {"--max-documents", "--limit"},
    {"--num-docs", "--limit"},
    {"--head", "--limit"},
    {"--random-seed", "--seed"},
    {"--random-state", "--seed"},
    {"--rng-seed", "--seed"},
    {"--reference", "--against"},
    {"--query", "--against"},
    {"--compare-to", "--against"},
    {"--qrel", "--qrels"},
    {"--qrels-file", "--qrels"},
    {"--metric", "--measure"},
    {"--metrics", "--measure"},
    {"--lang", "--language"},
    {"--languages", "--language"},
};

// Flags of inputs, which are no flags here.
constexpr std::string_view kOfInputs[] = {
    "--input",     "--inputs",      "--input-file", "--input-files",
    "--input-dir", "--input-path",  "--file",       "--files",
    "--data",      "--dataset",     "--corpus",     "--path",
    "--source",    "--data-files",  "--dir",        "--directory",
    "--recursive", "--input-paths", "--infile",     "--in-file"};

std::string Normal(std::string_view name) {
  std::string normal(name);
  for (char& c : normal) {
    if (c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return normal;
}

template <typename Names>
bool Has(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

std::string OwnNameOf(std::string_view name,
                      const std::vector<std::string_view>& own) {
  const std::string normal = Normal(name);
  if (Has(own, normal)) return fmt::format("use {}", normal);
  for (const ForeignFlag& flag : kForeignFlags)
    if (flag.foreign == normal && Has(own, flag.own))
      return fmt::format("use {}", flag.own);
  if (Has(kOfInputs, normal))
    return "inputs are given without a flag: files, folders, quoted globs, or "
           "- for standard input";
  return "";
}

}  // namespace twinset::cli
