// What the stages count that make the documents of a run (counts.h).
#ifndef TWINSET_SRC_DEDUP_PIPELINE_RUN_READ_COUNTS_H_
#define TWINSET_SRC_DEDUP_PIPELINE_RUN_READ_COUNTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "documents/read_outcome.h"

namespace twinset {

// Fields that a record has itself, as bits; kField + i is the i-th of
// ReadOptions::fields, as far as there are bits.
namespace field_bit {
inline constexpr size_t kId = 0, kUrl = 1, kDate = 2, kField = 3, kCount = 64;
}  // namespace field_bit

struct ReadCounts {
  uint64_t records = 0, documents = 0, quarantined = 0, empty = 0, revisits = 0;
  uint64_t tokens = 0, features = 0, payload_bytes = 0, code_points = 0;
  uint64_t fallback_parser = 0, malformed_text = 0, unsure_pages = 0;
  InputOddities oddities;
  std::map<std::string, uint64_t> page_kinds;
  uint64_t pages = 0;  // in pages.blob
  std::map<std::string, uint64_t> skipped, quarantine_reasons;
  std::vector<uint64_t> source_documents;
  static constexpr size_t kMostIncomplete = 100;  // that are named
  std::vector<std::string> incomplete;            // sources that broke off
  std::optional<uint64_t> more_incomplete;        // beyond those
  struct Side {
    ReadOutcome outcome;
    // Documents with each field (field_bit).
    std::array<uint64_t, field_bit::kCount> present{};
    // After so many documents of its own reading ended, by --limit.
    std::optional<uint64_t> limited;

    // Takes the fields of another run, whose field number fields[i] is the i-th
    // of this one.
    void TakeFields(const std::vector<size_t>& fields);

    static void Fields(auto& side, auto& field) {
      ReadOutcome::Fields(side.outcome, field);
      field("present", side.present);
      field("limited", side.limited);
    }
  };
  std::array<Side, 2> sides;  // the second: of a match

  // Adds what a run has counted whose sources are those of this one from
  // `first` on, and all of `side`.
  void Add(const ReadCounts& other, size_t first, size_t side);
  void AddIncomplete(const std::string& source);

  static void Fields(auto& counts, auto& field) {
    field("records", counts.records);
    field("documents", counts.documents);
    field("quarantined", counts.quarantined);
    field("empty", counts.empty);
    field("revisits", counts.revisits);
    field("tokens", counts.tokens);
    field("features", counts.features);
    field("payload_bytes", counts.payload_bytes);
    field("code_points", counts.code_points);
    field("fallback_parser", counts.fallback_parser);
    field("malformed_text", counts.malformed_text);
    field("unsure_pages", counts.unsure_pages);
    field("quoted_fields", counts.oddities.quoted_fields.count);
    field("first_quoted_field", counts.oddities.quoted_fields.first);
    field("rows_in_fields", counts.oddities.rows_in_fields.count);
    field("first_rows_in_field", counts.oddities.rows_in_fields.first);
    field("malformed_xml", counts.oddities.malformed_xml.count);
    field("first_malformed_xml", counts.oddities.malformed_xml.first);
    field("page_kinds", counts.page_kinds);
    field("pages", counts.pages);
    field("skipped", counts.skipped);
    field("quarantine_reasons", counts.quarantine_reasons);
    field.BySource("source_documents", counts.source_documents);
    field("incomplete", counts.incomplete);
    field("more_incomplete", counts.more_incomplete);
    field("sides", counts.sides);
  }
};

// What the template stage found on the pages of sites, and made of them.
struct TemplateCounts {
  struct Block {
    std::optional<std::string> site, side;  // of a block without its site: none
    uint64_t pages = 0;
    double share = 0;  // of the pages of its site
    std::string text;

    static void Fields(auto& block, auto& field) {
      field("site", block.site);
      field("side", block.side);
      field("pages", block.pages);
      field("share", block.share);
      field("text", block.text);
    }
  };
  struct Site {
    std::string site;
    std::optional<std::string> side;  // of a match
    uint64_t pages = 0, blocks = 0;
    std::vector<Block> most_frequent;

    static void Fields(auto& site, auto& field) {
      field("site", site.site);
      field("side", site.side);
      field("pages", site.pages);
      field("blocks", site.blocks);
      field("most_frequent", site.most_frequent);
    }
  };
  // What the read stage could not know of pages.
  struct Made {
    uint64_t tokens = 0, features = 0, code_points = 0, empty = 0;

    static void Fields(auto& made, auto& field) {
      field("tokens", made.tokens);
      field("features", made.features);
      field("code_points", made.code_points);
      field("empty", made.empty);
    }
  };

  static constexpr size_t kMostBlocks = 10, kMostSites = 10;  // listed

  uint64_t sites = 0, pages = 0;
  uint64_t blocks = 0;  // that are template
  std::vector<Block> most_frequent;
  std::vector<Site> largest_sites;
  Made made;
  uint64_t pages_cut = 0, code_points_dropped = 0;
  uint64_t pages_whole = 0, pages_widened = 0;

  // Adds what a saved run has counted that is the second side of a match.
  void AddSecondSide(TemplateCounts other);

  static void Fields(auto& counts, auto& field) {
    field("sites", counts.sites);
    field("pages", counts.pages);
    field("blocks", counts.blocks);
    field("most_frequent", counts.most_frequent);
    field("largest_sites", counts.largest_sites);
    field("made", counts.made);
    field("pages_cut", counts.pages_cut);
    field("code_points_dropped", counts.code_points_dropped);
    field("pages_whole", counts.pages_whole);
    field("pages_widened", counts.pages_widened);
  }
};

struct PruneCounts {
  struct Shingle {
    std::string shingle;  // its hash
    uint64_t documents = 0;

    static void Fields(auto& shingle, auto& field) {
      field("shingle", shingle.shingle);
      field("documents", shingle.documents);
    }
  };
  uint64_t common_shingles = 0;
  std::vector<Shingle> most_frequent;
  uint64_t empty = 0;  // documents without any other shingle
  std::string documents_file, features_file, views_file;  // that it left

  static void Fields(auto& counts, auto& field) {
    field("common_shingles", counts.common_shingles);
    field("most_frequent", counts.most_frequent);
    field("empty", counts.empty);
    field("documents_file", counts.documents_file);
    field("features_file", counts.features_file);
    field("views_file", counts.views_file);
  }
};

}  // namespace twinset

#endif  // TWINSET_SRC_DEDUP_PIPELINE_RUN_READ_COUNTS_H_
