"""Each check tool passes a small good tree and fails, with a clear line, on a bad one."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent.parent.parent / 'tools'

GOOD = {
    '.clang-format': 'BasedOnStyle: Google\nStandard: c++20\n',
    'include/twinset/version.h': '#include <string>\n\n#include "twinset/error.h"\n'
                                 'inline constexpr char kVersion[] = "0.1.0";\n',
    'include/twinset/error.h': '#include <tl/expected.hpp>\n',
    'src/ground/base/bytes.h': '#include <cstdint>\n\nstruct Bytes {};\n',
    'src/ground/kernels/kernels.h': '#include <immintrin.h>\n\n#include "base/bytes.h"\n',
    'src/stages/text/text.h': '#include "kernels/kernels.h"\n#include "twinset/error.h"\n',
    'src/stages/read/reader.h': '#include <zlib.h>\n\n#include "base/bytes.h"\n',
    'src/dedup/methods/minhash_methods.cc': '#include "text/text.h"\n\nvoid F() { info.name = "minhash"; }\n',
    'apps/cli/main.cc': '#include "cli/flags/flags.h"\n#include "twinset/error.h"\n',
    'apps/cli/flags/flags.h': '#include <CLI/CLI.hpp>\n',
    'CMakeLists.txt': 'project(twinset VERSION 0.1.0)\n',
    'CHANGELOG.md': '# Changes\n\n## 0.1.0\n',
    'README.md': '`make demo`, `make test`; see [text](src/stages/text/text.h), `base/bytes.h`.\n',
    'Makefile': 'demo test: x\n\ttrue\n',
    'docs/methods/minhash.md': '# minhash\n',
    'docs/formats/results.md': '`"minhash"` is a key.\n',
}


def run(tool, files):
    """(exit code, output) of a check on a tree that holds GOOD changed by `files`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **files}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text, encoding='utf-8')
        result = subprocess.run([sys.executable, str(TOOLS / tool), folder], capture_output=True,
                                text=True, stdin=subprocess.DEVNULL)
        return result.returncode, result.stdout + result.stderr


class ToolCase(unittest.TestCase):
    tool = ''

    def good(self, files=None):
        code, output = run(self.tool, files or {})
        self.assertEqual(code, 0, output)
        self.assertIn('all good', output)

    def bad(self, expected, files):
        code, output = run(self.tool, files)
        self.assertEqual(code, 1, output)
        self.assertIn('error: ' + expected, output)


class Layers(ToolCase):
    tool = 'check_layers'

    def test_good_tree(self):
        self.good()

    def test_sibling_stage(self):
        self.bad('src/stages/read/reader.h:1: read may not include text (a sibling stage)',
                 {'src/stages/read/reader.h': '#include "text/text.h"\n'})

    def test_upwards(self):
        self.bad('src/ground/base/bytes.h:1: base may not include core',
                 {'src/ground/base/bytes.h': '#include "core/x.h"\n', 'src/ground/core/x.h': '\n'})

    def test_store_does_not_know_stages(self):
        self.bad('src/ground/store/run.cc:1: store may not include read',
                 {'src/ground/store/run.cc': '#include "read/reader.h"\n'})

    def test_kernels_serve_four_stages_only(self):
        self.bad('src/stages/read/reader.h:1: read may not include kernels',
                 {'src/stages/read/reader.h': '#include "kernels/kernels.h"\n'})
        self.bad('src/dedup/methods/registry.cc:1: methods may not include kernels',
                 {'src/dedup/methods/registry.cc': '#include "kernels/kernels.h"\n'})

    def test_tests_obey_too(self):
        self.bad('src/stages/cluster/star_test.cc:1: cluster may not include kernels',
                 {'src/stages/cluster/star_test.cc': '#include "kernels/kernels.h"\n'})

    def test_apps_see_the_public_api_only(self):
        self.bad('apps/cli/main.cc:1: apps include twinset/',
                 {'apps/cli/main.cc': '#include "base/bytes.h"\n'})

    def test_public_headers(self):
        self.bad('include/twinset/error.h:1: public headers include',
                 {'include/twinset/error.h': '#include <fmt/core.h>\n'})
        self.bad('include/twinset/error.h:1: public headers include',
                 {'include/twinset/error.h': '#include "base/bytes.h"\n'})

    def test_one_door_to_threads(self):
        starts = '#include <thread>\nstd::thread beside;\n'
        self.good({'src/ground/base/parallel.cc': starts, 'src/stages/read/x_test.cc': starts,
                   'src/stages/read/x.cc': '// std::thread is not used.\nn = std::thread::hardware_concurrency();\n'})
        for start in ('std::thread beside;', '  std::jthread x(f);', 'auto x = std::async(f);', 'return ::pthread_create(a);'):
            self.bad('src/stages/read/x.cc:2: threads start through base/parallel.h', {'src/stages/read/x.cc': '\n%s\n' % start})

    def test_memory_that_is_not_there_is_an_error(self):
        body = 'Result<int> v1::Ask(const Options& options) %s{\n  return 1;\n}%s\n'
        guarded = body % ('try ', ' catch (const std::bad_alloc&) {\n  return NoMemory();\n}')
        self.good({'src/ground/base/x.cc': guarded, 'src/ground/base/x_test.cc': guarded})
        self.bad('src/ground/base/x.cc:2: a public function returns NoMemory()', {'src/ground/base/x.cc': '\n' + body % ('', '')})
        self.bad('src/ground/base/x.cc:1: a public function returns NoMemory()',
                 {'src/ground/base/x.cc': 'Status Session::Ask(int a,\n                   int b) const {\n}\n'})

    def test_bindings_see_the_public_api_and_the_commands(self):
        self.good({'python/native/x.cc': '#include "twinset/error.h"\n#include "cli/host.h"\n#include "x.h"\n',
                   'python/native/x.h': '\n', 'python/native/datasketch.cc': '#include "kernels/datasketch.h"\n'})
        self.bad('python/native/x.cc:1: python/native/ may not include kernels',
                 {'python/native/x.cc': '#include "kernels/datasketch.h"\n'})

    def test_wings(self):
        engine, leak = 'src/measure/engine/x.cc', 'src/corpora/leak/x.cc'
        pages = {'src/stages/report/p.h': '\n', 'src/dedup/pipeline/run/p.h': '\n', 'src/stages/verify/p.h': '\n',
                 'include/twinset/measure/walk.h': '#include "twinset/error.h"\n'}
        self.good({**pages, engine: '#include "report/p.h"\n', leak: '#include "pipeline/run/p.h"\n'
                                                                    '#include "twinset/measure/walk.h"\n'})
        self.bad(engine + ':1: engine may not include pipeline', {**pages, engine: '#include "pipeline/run/p.h"\n'})
        self.bad(engine + ':1: engine may not include verify', {**pages, engine: '#include "verify/p.h"\n'})
        self.bad('src/dedup/explain/x.cc:1: explain may not include engine',
                 {'src/measure/engine/x.h': '\n', 'src/dedup/explain/x.cc': '#include "engine/x.h"\n'})
        self.bad('src/dedup/explain/x.cc:1: explain may not include twinset/measure/walk.h',
                 {**pages, 'src/dedup/explain/x.cc': '#include "twinset/measure/walk.h"\n'})
        self.bad('include/twinset/error.h:1: a header of the core may not include twinset/measure/walk.h',
                 {**pages, 'include/twinset/error.h': '#include "twinset/measure/walk.h"\n'})
        self.bad('include/twinset/misc/x.h: include/twinset/ has the folders measure and corpora only',
                 {'include/twinset/misc/x.h': '\n'})

    def test_intrinsics_stay_in_kernels(self):
        self.bad('src/stages/text/text.h:1: SIMD belongs into kernels/',
                 {'src/stages/text/text.h': '#include <immintrin.h>\n'})

    def test_one_door_to_json(self):
        header = '#include <nlohmann/json.hpp>\n'
        self.good({'src/ground/base/json.cc': header, 'src/ground/base/json_test.cc': header})
        for path in ('src/dedup/pipeline/run/run.h', 'apps/cli/main.cc'):
            self.bad(path + ':1: only src/ground/base/json.cc includes', {path: header})

    def test_floors(self):
        tree = {'src/stages/text/html/tree.h': '#include "text/charset/charset.h"\n', 'src/stages/text/charset/charset.h': '\n',
                'src/stages/text/charset/charset_test.cc': '#include "text/html/tree.h"\n'}
        self.good(tree)
        self.bad('src/stages/text/charset/x.cc:1: text/charset may not include text/html/tree.h',
                 {**tree, 'src/stages/text/charset/x.cc': '#include "text/html/tree.h"\n'})
        self.bad('src/stages/text/loft/x.cc: text has the floors charset',
                 {**tree, 'src/stages/text/loft/x.cc': '#include "text/html/tree.h"\n'})

    def test_rooms_stay_small(self):
        self.good({'src/ground/core/FORMAT.md': '#\n', **{'src/ground/core/x%d.h' % i: '\n' for i in range(50)}})
        self.bad('src/ground/core: 51 files in one room', {'src/ground/core/x%d.h' % i: '\n' for i in range(51)})

    def test_unknown_folder(self):
        self.bad('src/misc/x.h: src/ holds the rooms of the house', {'src/misc/x.h': '\n'})
        self.bad('src/stages/store/x.h: src/ holds the rooms of the house', {'src/stages/store/x.h': '\n'})

    def test_missing_file(self):
        self.bad('src/stages/read/reader.h:1: no such file: src/ground/base/gone.h',
                 {'src/stages/read/reader.h': '#include "base/gone.h"\n'})

    def test_empty_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, str(TOOLS / self.tool), folder],
                                    capture_output=True)
            self.assertEqual(result.returncode, 1)


class Sizes(ToolCase):
    tool = 'check_sizes'

    def test_limits_hold(self):
        self.good({'src/ground/base/bytes.h': '\n' * 250, 'src/ground/base/x.cc': '\n' * 800,
                   'src/stages/text/tables.inc': '\n' * 5000})

    def test_long_header(self):
        self.bad('src/ground/base/bytes.h: 251 lines; the limit is 250',
                 {'src/ground/base/bytes.h': '\n' * 251})

    def test_long_source(self):
        self.bad('src/ground/base/x.cc: 801 lines; the limit is 800', {'src/ground/base/x.cc': '\n' * 801})

    def test_warning(self):
        code, output = run(self.tool, {'src/ground/base/x.cc': '\n' * 401})
        self.assertEqual(code, 0)
        self.assertIn('warning: src/ground/base/x.cc: 401 lines', output)


class Names(ToolCase):
    tool = 'check_names'

    def test_good(self):
        self.good()
        self.good({'src/stages/text/text.h': '#include "kernels/kernels.h"\n\nstruct Bytes;\n'
                                      'struct Outer {\n  struct Bytes {};\n};\n'})

    def test_two_types_of_one_name(self):
        self.bad('src/stages/text/text.h:3: Bytes is a type of src/ground/base/bytes.h already',
                 {'src/stages/text/text.h': '#include "base/bytes.h"\n\nclass Bytes final {\n};\n'})

    def test_nothing_to_check(self):
        self.bad('.: no type found', {'src/ground/base/bytes.h': '\n'})


class MethodNames(ToolCase):
    tool = 'check_method_names'
    row = {'src/dedup/methods/exact_methods.cc': 'void G() { info.name = "exact"; }\n'}

    def test_good(self):
        self.good()
        self.good({**self.row, 'src/dedup/pipeline/run/plan.cc': '// exact, minhash\nf("exact", "minhash-like");\n',
                   'src/dedup/options/presets.cc': 'f("minhash");\n',
                   'src/dedup/pipeline/plan_test.cc': 'f("minhash");\n',
                   'src/stages/sketch/minhash.cc':
                       'std::string name() const override { return "minhash"; }\n'})

    def test_name_outside_its_row(self):
        for source in ('if (method == "minhash") F();', 'F("minhash, fss");',
                       'F("add --method minhash");'):
            self.bad('src/dedup/pipeline/run/plan.cc:2: the method minhash is named outside its row',
                     {'src/dedup/pipeline/run/plan.cc': '\n' + source + '\n'})

    def test_word_that_names_a_method(self):
        for source in ('if (options.method.name != "exact") F();', 'F("add --method exact");',
                       'F(FindMethod("exact"));'):
            self.bad('src/dedup/pipeline/run/plan.cc:1: the method exact is named outside its row',
                     {**self.row, 'src/dedup/pipeline/run/plan.cc': source + '\n'})

    def test_nothing_to_check(self):
        self.bad('.: no row of a method found', {'src/dedup/methods/minhash_methods.cc': None})


class Equality(ToolCase):
    tool = 'check_equality'
    name = 'tools/equality_exceptions.txt'
    listed = {name: '# A list.\n\nA checksum finds accidents.\n  src/ground/store/blob.cc\n',
              'src/ground/store/blob.cc': 'auto x = Hash64(page);\n'}

    def test_good(self):
        self.good(self.listed)
        self.good({**self.listed, 'src/ground/base/hash.h': 'uint64_t Hash64(int);\n',
                   'src/stages/read/a.cc': '// Hash64 of it.\nauto x = Say("Hash64(x)");\n',
                   'src/stages/read/a_test.cc': 'auto x = Hash64("a");\n', 'src/stages/read/b.cc': 'x = MyHash64(1);\n'})

    def test_use_that_is_not_listed(self):
        for use in ('Hash64(a)', 'Hash128(a, 1)', 'std::hash<int>()', 'MakeExtractor(o)', 'XXH3_64bits(p, 1)',
                    'F(Sha1)', 'Hasher64 h', 'crc32(0, p, 1)', 'EVP_Digest(p)', 'boost::hash_combine(h, 1)',
                    '*RabinFingerprint::Create(p)', 'Mixed() + (h = Mix64(h ^ 1))', '(h ^ c) * 0x100000001B3ull'):
            self.bad('src/stages/read/a.cc:3: ', {**self.listed, 'src/stages/read/a.cc': '/* x\n*/\nauto x = %s;\n' % use})
        self.bad('apps/cli/a.cc:1: ', {**self.listed, 'apps/cli/a.cc': 'auto x = Hash64(a);\n'})
        self.good({**self.listed, 'src/stages/read/a.cc': 'slot = Mix64(key) & mask;\n'})

    def test_list(self):
        self.bad('tools/equality_exceptions.txt:4: src/ground/store/blob.cc uses no public hash',
                 {**self.listed, 'src/ground/store/blob.cc': 'int x;\n'})
        self.bad('tools/equality_exceptions.txt:1: no reason stands above src/ground/store/blob.cc',
                 {**self.listed, self.name: '  src/ground/store/blob.cc\n'})
        self.bad('tools/equality_exceptions.txt:1: a reason is a sentence',
                 {**self.listed, self.name: 'Checksums\n  src/ground/store/blob.cc\n'})
        self.bad('tools/equality_exceptions.txt:3: src/ground/store/blob.cc is listed twice',
                 {**self.listed, self.name: 'That harms nobody here.\n' + 2 * '  src/ground/store/blob.cc\n'})
        self.bad('.: no tools/equality_exceptions.txt found', {})


class Docs(ToolCase):
    tool = 'check_docs'

    def test_good_tree(self):
        self.good()

    def test_broken_link(self):
        self.bad('NOTES.md:2: broken link: src/gone.h', {'NOTES.md': '\n[x](src/gone.h)\n'})
        headings = '# A `b`: c\n## [A](src/) b c\n```\n# fence\n```\n'
        self.good({'NOTES.md': headings + '[x](#a-b-c) [y](OTHER.md#a-b-c-1)\n', 'OTHER.md': headings})
        for gone in ('#gone', '#fence', 'OTHER.md#gone', 'OTHER.md#a-b-c-2'):
            self.bad('NOTES.md:6: broken link: %s' % gone, {'NOTES.md': headings + '[x](%s)\n' % gone,
                                                           'OTHER.md': headings})

    def test_missing_path(self):
        self.bad('NOTES.md:1: no such path: src/ground/base/gone.h', {'NOTES.md': '`src/ground/base/gone.h`\n'})
        self.bad('NOTES.md:1: no such path: base/gone', {'NOTES.md': '`base/gone`\n'})

    def test_code_blocks_are_not_paths(self):
        self.good({'NOTES.md': '```sh\n`src/ground/base/gone.h`\n```\n'})

    def test_method_without_page(self):
        self.bad('docs/methods/exact.md: the method exact has no page',
                 {'src/dedup/methods/exact_methods.cc': 'void G() { info.name = "exact"; }\n'})

    def test_page_without_method(self):
        self.bad('docs/methods/spex.md: no method of that name', {'docs/methods/spex.md': '#\n'})

    def test_page_that_no_document_links(self):
        pages = {'docs/methods/star-cover.md': '#\n', 'src/ground/base/bytes.h': '// docs/methods/star-cover.md\n'}
        self.bad('docs/methods/star-cover.md: no document links this page',
                 {**pages, 'docs/README.md': '[exact](methods/exact.md)\n', 'docs/methods/exact.md': '#\n'})
        self.good({**pages, 'docs/README.md': '[a](methods/star-cover.md) [b](methods/minhash.md) [c](formats/results.md)\n'})

    def test_page_that_a_source_refers_to(self):
        source = {'src/ground/base/bytes.h': '// docs/methods/star-cover.md\n'}
        self.good({**source, 'docs/methods/star-cover.md': '#\n'})
        self.bad('src/ground/base/bytes.h:1: refers to a missing document: docs/methods/star-cover.md', source)

    def test_document_that_any_file_names(self):
        for name in ('src/ground/base/bytes.h', 'tools/run_bench', 'CMakeLists.txt', 'docs/formats/results.md'):
            for gone in ('gone.md', 'docs/gone.md', '../other/gone.md'):
                self.bad('%s:2: refers to a missing document: %s' % (name, gone),
                         {'CMakeLists.txt': '', name: '\n# see %s.\n' % gone})
        self.good({'src/ground/base/bytes.h': '// CHANGELOG.md, README.md; docs/methods/NAME.md, docs/*.md\n'})

    def test_format_key_nobody_writes(self):
        for page in ('docs/formats/results.md', 'docs/methods/minhash.md', 'src/ground/base/FORMAT.md'):
            self.bad('%s:1: no source writes or reads the key "gone"' % page, {page: '`"gone"` is a key.\n'})

    def test_version(self):
        self.bad('CHANGELOG.md: has no heading for version 0.1.0', {'CHANGELOG.md': '## 0.0.9\n'})
        self.bad('CMakeLists.txt: states another version',
                 {'CMakeLists.txt': 'project(twinset VERSION 0.2.0)\n'})

    def test_make_target(self):
        self.bad('README.md: the Makefile has no target benchmark',
                 {'README.md': '`make demo` `make test` `make benchmark`\n'})
        self.good({'README.md': '`make demo` `make test` `twinset patch make found --out p`\n'})

    def test_readme_names_the_commands(self):
        self.bad('README.md: does not name `make test`', {'README.md': '`make demo`\n'})

    def test_machine_path(self):
        for path in ('/' + 'work/main', '/' + 'home/me/x', '/' + 'tmp/' + 'build-x'):
            self.bad('tools/x.py:2: a path of one machine', {'tools/x.py': '\nopen("%s")\n' % path})
        self.good({'tools/x.py': 'u = "http://host' + '/' + 'home/x"; w = "OUT/.work/"\n'})

    def test_registry_address(self):
        self.bad('tools/x.py:1: the address of a package registry',
                 {'tools/x.py': 'u = "https://%s/simple"\n' % ('py' + 'pi.org')})


class Format(ToolCase):
    tool = 'check_format'

    def setUp(self):
        if not any(pathlib.Path(p, 'clang-format-14').exists() for p in ('/usr/bin', '/usr/local/bin')):
            self.skipTest('SKIPPED (no clang-format-14): tools/install_dependencies format')

    def test_good_and_bad(self):
        self.good()
        self.bad('src/ground/base/x.cc:1: not formatted', {'src/ground/base/x.cc': 'int  F( ){return 1;}\n'})

    def test_comments_begin_as_sentences(self):
        self.bad('src/ground/base/x.h:1: a comment begins with "Of"', {'src/ground/base/x.h': '// Of the row that is open.\n'})
        self.bad('src/ground/base/x.h:2: a comment begins with "Whether"', {'src/ground/base/x.h': '\n// Whether it ends.\n'})
        self.good({'src/ground/base/x.h': '// Returns true iff it ends.\n// Of two, the first.\n// Often.\n'})

    def test_rates(self):
        self.bad('src/ground/base/x.h:1: write "per": 8 bytes a record', {'src/ground/base/x.h': '// 8 bytes a record.\n'})
        self.good({'src/ground/base/x.h': '// 8 bytes per record; the bytes a record has.\n'})


if __name__ == '__main__':
    unittest.main()
