#include "sample/sample_run.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/stop.h"
#include "documents/result_places.h"
#include "engine/open_engine.h"
#include "net/url.h"
#include "sample/sample_rows.h"
#include "twinset/json.h"

namespace twinset {

namespace {

Status CheckSampleOptions(const SampleOptions& options,
                          const SamplerRow& sampler) {
  const SamplerOptions& given = options.sampler;
  const auto usage = [](const std::string& message, const std::string& remedy) {
    return Status(Fail(ErrorCode::kUsage, message, "", remedy));
  };
  if (options.engines.empty())
    return usage("no engine is given", "twinset sample ENGINE... --out DIR");
  if (options.out.empty())
    return usage("no folder for the sample is given", "add --out DIR");
  if (given.size == 0 && sampler.info.name != "random-searches")
    return usage("a sample of no pages", "give --size above 0");
  if (sampler.info.name == "random-searches") {
    if (given.queries.empty())
      return usage("random searches need a log", "add --queries FILE");
    if (options.checking.check) {
      return usage("random searches look at every engine already",
                   "leave out --check");
    }
  } else if (!sampler.pool && given.lexicon.empty()) {
    return usage("random words need a lexicon", "add --lexicon FILE");
  } else if (given.lexicon.empty() == given.queries.empty() && sampler.pool) {
    return usage("queries come from a lexicon or from a file",
                 "add --lexicon FILE or --queries FILE, one of them");
  }
  if (sampler.info.name == "pool-queries" && options.engines.size() > 1)
    return usage("pool-queries is for one engine", "give each its own --out");
  if (!given.second_pool.empty() && sampler.info.name != "pool-queries")
    return usage("only pool-queries has a second pool",
                 "leave out --second-pool");
  if (given.probe_degrees && (sampler.info.name != "pool-rejection" &&
                              sampler.info.name != "pool-importance")) {
    return usage(
        "only pool-rejection and pool-importance do with less than "
        "exact degrees",
        "leave out --probe-degrees");
  }
  if (given.probe_degrees && given.least_degree > 1)
    return usage("--least-degree needs exact degrees",
                 "leave out --probe-degrees");
  if (options.checking.check && options.engines.size() < 2)
    return usage("pages are looked up in another engine",
                 "give two engines or more, or leave out --check");
  return {};
}

// A lexicon or a file of queries as a pool.
Result<QueryPool> ReadPool(const SampleRun& run, const std::string& path,
                           bool is_lexicon) {
  const SamplerOptions& given = run.options->sampler;
  if (!is_lexicon) {
    TWINSET_ASSIGN(QueryLog log, ReadQueryLog(path, *run.reader));
    return QueryPool(std::move(log.queries), !given.any);
  }
  TWINSET_ASSIGN(const auto terms,
                 ReadPoolTerms(path, {given.min_df, given.max_df}));
  if (given.terms <= 1) return QueryPool::OfTerms(terms);
  return QueryPool::Drawn(terms, given.terms, !given.any, given.pool,
                          given.seed);
}

// A file that is no lexicon is read as queries.
Result<QueryPool> ReadEitherPool(const SampleRun& run,
                                 const std::string& path) {
  auto pool = ReadPool(run, path, /*is_lexicon=*/true);
  if (pool || pool.error().code == ErrorCode::kUsage ||
      pool.error().code == ErrorCode::kIo) {
    return pool;
  }
  return ReadPool(run, path, /*is_lexicon=*/false);
}

Status ReadSources(SampleRun* run) {
  const SamplerRow& sampler = *run->sampler;
  const SamplerOptions& given = run->options->sampler;
  if (sampler.pool) {
    TWINSET_ASSIGN(run->pool, given.lexicon.empty()
                                  ? ReadPool(*run, given.queries, false)
                                  : ReadPool(*run, given.lexicon, true));
  } else if (!given.lexicon.empty() && !sampler.together) {
    TWINSET_ASSIGN(run->terms,
                   ReadPoolTerms(given.lexicon, {given.min_df, given.max_df}));
  }
  if (!given.queries.empty()) {
    TWINSET_ASSIGN(QueryLog log, ReadQueryLog(given.queries, *run->reader));
    if (log.bad > 0) {
      run->warnings.push_back(std::to_string(log.bad) +
                              " lines of the queries are too long, no UTF-8, "
                              "or of too many words, and were left out");
    }
    run->queries = std::move(log.queries);
  }
  if (!given.second_pool.empty()) {
    TWINSET_ASSIGN(run->second_pool, ReadEitherPool(*run, given.second_pool));
  }
  const CheckingOptions& checking = run->options->checking;
  if ((checking.check || checking.copies) && !given.lexicon.empty()) {
    TWINSET_ASSIGN(run->statistics, TermStatistics::Read(given.lexicon));
  }
  return {};
}

// The answers of the engine at a place.
std::string AnswersName(size_t place) {
  return "answers-" + std::to_string(place + 1) + ".jsonl";
}

uint64_t FileBytes(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

Status OpenEngines(SampleRun* run) {
  const SampleOptions& options = *run->options;
  std::set<std::string> names;
  const auto requests = std::make_shared<RequestBudget>();
  requests->left = options.fetching.max_requests;
  for (const std::string& name : options.engines) {
    RunEngine opened;
    const std::string answers =
        options.out + "/" + AnswersName(run->engines.size());
    OpenEngineOptions opening;
    (options.replay ? opening.replay : opening.record) = answers;
    opening.fetching = options.fetching;
    opening.requests = requests;
    TWINSET_ASSIGN(opened.engine, OpenEngine(name, opening));
    opened.info = opened.engine->Info();
    if (!names.insert(opened.info.name).second) {
      return Fail(ErrorCode::kUsage, "two engines have this name",
                  opened.info.name, "give each engine once");
    }
    QuestionerOptions asking;
    asking.stop = options.stop;
    asking.recorded_bytes = [answers] { return FileBytes(answers); };
    opened.checking = std::make_unique<Questioner>(opened.engine.get(),
                                                   &*run->reader, asking);
    if (options.on_progress) {
      asking.on_asked = [run, stage = "sampling " + opened.info.name](
                            const SampleCounts& counts) {
        Progress progress;
        progress.stage = stage + ", " + std::to_string(counts.asked) +
                         " queries, " + std::to_string(counts.fetched) +
                         " fetches";
        progress.unit = "draws";
        progress.done = run->drawn;
        run->options->on_progress(progress);
      };
    }
    opened.sampling = std::make_unique<Questioner>(opened.engine.get(),
                                                   &*run->reader, asking);
    run->engines.push_back(std::move(opened));
  }
  const size_t count = run->engines.size();
  for (size_t x = 0; x < count; ++x) {
    for (size_t y = 0; y < count; ++y) {
      PageOverlap overlap;
      overlap.x = run->engines[x].info.name;
      overlap.y = run->engines[y].info.name;
      run->overlaps.push_back(std::move(overlap));
    }
  }
  return {};
}

bool HasOverlaps(const SampleOptions& options, const SamplerRow& sampler) {
  return options.checking.check ||
         (sampler.together && options.engines.size() > 1);
}

Result<ResultFolder> OpenOut(const SampleOptions& options) {
  FolderRequest request = OutRequest("sample", options);
  request.resume = options.resume || options.replay;
  request.resumable = true;
  std::vector<std::string> inputs = options.engines;
  const SamplerOptions& given = options.sampler;
  for (const std::string& file :
       {given.lexicon, given.queries, given.second_pool})
    inputs.push_back(file);
  const bool goes_on = request.resume;
  TWINSET_ASSIGN(ResultFolder folder,
                 OpenResultFolder(std::move(request), inputs));
  if (goes_on && !folder.is_old()) {
    return Fail(ErrorCode::kUsage, "there is nothing to go on with",
                options.out, "leave out --resume and --replay");
  }
  return folder;
}

Status BeginOut(const SampleOptions& options, const SamplerRow& sampler,
                ResultFolder* folder) {
  std::vector<std::string> files = {"sample.jsonl", "summary.json",
                                    "queries.jsonl", KeptPage::kFileName};
  if (HasOverlaps(options, sampler)) files.push_back("overlaps.csv");
  if (options.report) files.push_back("report.html");
  for (size_t place = 0; place < options.engines.size(); ++place)
    files.push_back(AnswersName(place));
  return folder->Begin(files);
}

Status WriteHeader(SampleRun* run) {
  const SamplerRow& sampler = *run->sampler;
  SampleHeader header;
  header.sampler = sampler.info.name;
  for (const RunEngine& engine : run->engines)
    header.engine += (header.engine.empty() ? "" : ",") + engine.info.name;
  header.seed = run->options->sampler.seed;
  header.weights = sampler.info.weights;
  header.chain = sampler.chain;
  return run->rows->Write(SampleHeaderLine(header));
}

Status WriteResults(SampleRun* run, SampleSummary* summary) {
  const std::string& out = run->options->out;
  TWINSET_TRY(run->rows->Commit());
  if (run->query_rows) TWINSET_TRY(run->query_rows->Commit());
  if (HasOverlaps(*run->options, *run->sampler))
    TWINSET_TRY(WriteWholeFile(out + "/overlaps.csv", OverlapsCsv(*run)));
  *summary = SummaryOf(*run);
  summary->page = ResultPage(SamplePage(*run));
  TWINSET_TRY(WriteKeptPage(*summary->page.kept(), out,
                            run->options->report ? "report.html" : ""));
  // Last: when it is there, the run is done.
  return WriteWholeFile(out + "/summary.json",
                        SummaryJson(*summary).dump(2) + "\n");
}

}  // namespace

CheckOptions SampleRun::Checking(const RunEngine& target) const {
  CheckOptions checking;
  checking.query.queries = options->checking.queries;
  checking.query.words = options->checking.words;
  checking.query.max_terms = target.info.max_terms;
  checking.fetches = options->checking.fetches;
  checking.content_threshold = options->checking.content_threshold;
  return checking;
}

Status SampleRun::Write(size_t from, const Questioner::Page& page,
                        SampleRow row) {
  RunEngine& own = engines[from];
  row.draw = drawn;
  if (engines.size() > 1 && !sampler->together)
    row.fields.emplace_back("engine", JsonOf(own.info.name));
  if (options->checking.check) {
    Json in = Json::array({own.info.name}), matched = Json::object(),
         unchecked = Json::array();
    for (size_t place = 0; place < engines.size(); ++place) {
      if (place == from) continue;
      RunEngine& other = engines[place];
      TWINSET_ASSIGN(const CheckResult result,
                     CheckPage(page, row.url, statistics, Checking(other),
                               other.checking.get()));
      overlaps[from * engines.size() + place].Add(result, row.weight);
      if (!result.checked) unchecked.push_back(other.info.name);
      if (result.match == PageMatch::kNone) continue;
      if (result.match != PageMatch::kContent) in.push_back(other.info.name);
      matched[other.info.name] = PageMatchName(result.match);
    }
    row.fields.emplace_back("engines", in.dump());
    row.fields.emplace_back("matched", matched.dump());
    if (!unchecked.empty())
      row.fields.emplace_back("unchecked", unchecked.dump());
  }
  if (options->checking.copies) {
    CheckOptions checking = Checking(own);
    checking.elsewhere = true;
    TWINSET_ASSIGN(
        const CheckResult result,
        CheckPage(page, row.url, statistics, checking, own.checking.get()));
    // Not known is not "no": estimates count the row as one without the field.
    if (result.checked) {
      row.fields.emplace_back(
          "duplicate", result.match == PageMatch::kNone ? "false" : "true");
    }
  }
  lengths.push_back(page.tokens.size());
  hosts.push_back(UrlHost(row.url));
  ++drawn;
  if (!sampler->together) ++own.rows;
  return rows->Write(SampleRowLine(row));
}

Status SampleRun::WriteQuery(const std::string& json) {
  if (!query_rows) {
    TWINSET_ASSIGN(query_rows,
                   OutputFile::Create(options->out + "/queries.jsonl"));
  }
  return query_rows->Write(json + "\n");
}

Result<SampleSummary> v1::DrawSample(const SampleOptions& options) try {
  TWINSET_ASSIGN(const SamplerRow* sampler, FindSampler(options.sampler.name));
  TWINSET_TRY(CheckSampleOptions(options, *sampler));
  SampleRun run;
  run.options = &options;
  run.sampler = sampler;
  TWINSET_ASSIGN(run.reader, TextReader::Make(options.features));
  TWINSET_ASSIGN(ResultFolder folder, OpenOut(options));
  TWINSET_TRY(ReadSources(&run));
  for (const std::string& engine : options.engines) {
    // Before an earlier sample is removed.
    if (!options.replay) TWINSET_TRY(ReadEngineDescription(engine));
  }
  TWINSET_TRY(BeginOut(options, *sampler, &folder));
  if (const Status opened = OpenEngines(&run); !opened) {
    // A folder with nothing in it would only be in the way.
    if (!options.resume && !options.replay) (void)folder.Remove();
    return tl::unexpected(opened.error());
  }
  TWINSET_ASSIGN(run.rows, OutputFile::Create(options.out + "/sample.jsonl"));
  TWINSET_TRY(WriteHeader(&run));
  const size_t places = sampler->together ? 1 : run.engines.size();
  for (size_t place = 0; place < places; ++place)
    TWINSET_TRY(sampler->run(&run, place));
  FindWarnings(&run);
  SampleSummary summary;
  TWINSET_TRY(WriteResults(&run, &summary));
  return summary;
} catch (const std::bad_alloc&) {
  return NoMemory();
}

}  // namespace twinset
