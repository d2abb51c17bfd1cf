#include "engine/pipe_engine.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/process/child_process.h"
#include "base/test_dir.h"
#include "engine/pipe_protocol.h"

namespace twinset {
namespace {

// A small program of the protocol; `answer` is Python that answers `request`.
std::string Program(const std::string& answer,
                    const std::string& hello = "reply(protocol=1)") {
  return "import json, os, sys, time\n"
         "state = {}\n"
         "def reply(**values):\n"
         "    print(json.dumps({'id': request['id'], 'ok': True, **values}), "
         "flush=True)\n"
         "for line in sys.stdin:\n"
         "    request = json.loads(line)\n"
         "    if request['op'] == 'hello':\n"
         "        " +
         hello +
         "\n"
         "        continue\n"
         "    " +
         answer + "\n";
}

class PipeEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(FileExists("/usr/bin/python3"))
        << "the programs of these tests are Python: tools/install_dependencies";
  }
  // No child is left behind, not even a dead one.
  void TearDown() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  PipeEngineOptions Options(const std::string& program) {
    EXPECT_TRUE(WriteWholeFile(dir_ / "fake.py", program));
    PipeEngineOptions options;
    options.program = "/usr/bin/python3";
    options.arguments = {"-S", "-E", dir_ / "fake.py", dir_.path()};
    options.timeout_ms = 20000;
    options.name = "fake";
    return options;
  }
  std::unique_ptr<Engine> Open(const std::string& answer) {
    return *OpenPipeEngine(Options(Program(answer)));
  }

  TestDir dir_;
  const EngineQuery query_{{"a", "b"}, false, 2};
};

TEST_F(PipeEngineTest, AsksAndAnswers) {
  auto options = Options(Program(
      "reply(urls=request['terms'], hits=7) if request['op'] == 'query' else "
      "reply(page={'url': request['url'], 'text': 't', 'title': 'T', 'date': "
      "'d', 'language': 'en', 'fields': [['spam', 'true'], ['b', '[1]']]})",
      "reply(protocol=1, type='fake', max_results=10, max_terms=3, "
      "documents=request['configuration']['n'])"));
  options.configuration = R"({"n": 5})";
  auto engine = OpenPipeEngine(options);
  ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
  const EngineInfo info = (*engine)->Info();
  EXPECT_EQ(info.name, "fake");
  EXPECT_EQ(info.type, "fake");
  EXPECT_EQ(info.max_results, 10u);
  EXPECT_EQ(info.max_terms, 3u);
  EXPECT_EQ(info.documents, 5);
  EXPECT_EQ((*engine)->Query(query_).value(),
            (EngineAnswer{{"a", "b"}, 7, true}));
  const EnginePage page = {"http://a/", "t",  "T",
                           "d",         "en", {{"spam", "true"}, {"b", "[1]"}}};
  EXPECT_EQ((*engine)->Fetch("http://a/").value(), page);
}

TEST_F(PipeEngineTest, PassesOnTheProgramsErrors) {
  const auto engine = Open(
      "print(json.dumps({'id': request['id'], 'ok': False, 'error': {'code': "
      "'not-found', 'message': 'no\\nsuch page', 'where': 'x'}}), flush=True)");
  for (int i = 0; i < 7; ++i) {  // reported errors never use up the program
    const auto page = engine->Fetch("x");
    ASSERT_FALSE(page.has_value());
    EXPECT_EQ(page.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(page.error().message, "no such page");
    EXPECT_EQ(page.error().where, "x");
  }
}

TEST_F(PipeEngineTest, RestartsAProgramThatDied) {
  // Dies at the first query of each process but the second.
  const auto engine = Open(
      "path = sys.argv[1] + '/ran'\n"
      "    ran = os.path.exists(path)\n"
      "    open(path, 'w').close()\n"
      "    if not ran: sys.exit('broken\\nout of cheese')\n"
      "    reply(urls=['u'])");
  const auto first = engine->Query(query_);
  ASSERT_FALSE(first.has_value());
  EXPECT_EQ(first.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(first.error().message,
            "the program ended with exit code 1: out of cheese");
  const auto second = engine->Query(query_);
  ASSERT_TRUE(second.has_value()) << second.error().ToString();
  EXPECT_EQ(*second, (EngineAnswer{{"u"}, 0, false}));
}

TEST_F(PipeEngineTest, GivesUpOnAProgramThatAlwaysDies) {
  const auto engine = Open("os.kill(os.getpid(), 9)");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(engine->Query(query_).error().message,
              "the program was ended by signal 9");
  }
  const Error error = engine->Query(query_).error();
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
  EXPECT_NE(error.message.find("5 times"), std::string::npos);
}

TEST_F(PipeEngineTest, DoesNotWaitForever) {
  PipeEngineOptions options;
  options.program = "/bin/sh";
  options.arguments = {
      "-c", "read x; echo '{\"id\":1,\"ok\":true,\"protocol\":1}'; sleep 60"};
  options.timeout_ms = 500;
  auto engine = OpenPipeEngine(options);
  ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
  const auto before = std::chrono::steady_clock::now();
  const auto answer = (*engine)->Query(query_);
  const auto waited = std::chrono::steady_clock::now() - before;
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(answer.error().message, "the program did not answer in time");
  EXPECT_GE(waited, std::chrono::milliseconds(500));
  EXPECT_LT(waited, std::chrono::seconds(20));
}

TEST_F(PipeEngineTest, RefusesGarbage) {
  const std::pair<const char*, const char*> cases[] = {
      {"print('hello', flush=True)", "no JSON object"},
      {"print('{}', flush=True)", "another question"},
      {"request['id'] += 1; reply(urls=[])", "another question"},
      {"request['id'] = -1; reply(urls=[])", "another question"},
      {"print('{\"id\": %d}' % request['id'], flush=True)", "no \"ok\""},
      {"reply()", "no list \"urls\""},
      {"reply(urls=[1])", "else than text"},
      {"reply(urls=['a', 'b', 'c'])", "more results than asked for"},
      {"reply(urls=[], hits=-1)", "\"hits\""},
      {"reply(urls=[], hits=1.5)", "\"hits\""},
      {"os.write(1, b'\\xff\\x00\\n')", "no JSON object"},
      {"reply(ok=False)", "says neither ok nor an error"},
  };
  for (const auto& [answer, complaint] : cases) {
    const auto engine = Open(answer);
    const auto result = engine->Query(query_);
    ASSERT_FALSE(result.has_value()) << answer;
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt) << answer;
    EXPECT_NE(result.error().message.find(complaint), std::string::npos)
        << result.error().message;
  }
}

TEST_F(PipeEngineTest, RefusesAnotherVersion) {
  const auto engine =
      OpenPipeEngine(Options(Program("pass", "reply(protocol=2)")));
  ASSERT_FALSE(engine.has_value());
  EXPECT_EQ(engine.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(engine.error().where, "/usr/bin/python3");
}

TEST_F(PipeEngineTest, NamesAMissingProgramAndABadConfiguration) {
  PipeEngineOptions options;
  options.program = "twinset-engine-none";
  EXPECT_EQ(OpenPipeEngine(options).error().code, ErrorCode::kIo);
  options.program = dir_.path();  // a folder is no program
  EXPECT_EQ(OpenPipeEngine(options).error().code, ErrorCode::kIo);
  options.configuration = "[]";
  EXPECT_EQ(OpenPipeEngine(options).error().code, ErrorCode::kUsage);
}

TEST_F(PipeEngineTest, BuildsAndStaysBroken) {
  const auto options = Options(
      Program("state[request.get('document', {}).get('url')] = 1\n"
              "    if request['op'] == 'finish': reply(documents=len(state))\n"
              "    elif request['document']['url'] == 'c': sys.exit(3)\n"
              "    else: reply(added=request['document']['tokens'] == ['x'])"));
  EngineDocument document;
  document.page.url = "a";
  document.page.fields = {{"spam", "true"}};
  document.tokens = {"x"};
  auto good = OpenPipeBuilder(options);
  ASSERT_TRUE(good.has_value());
  EXPECT_TRUE((*good)->Add(document).value());
  document.tokens = {};
  EXPECT_FALSE((*good)->Add(document).value());
  EXPECT_TRUE((*good)->Finish().has_value());
  EXPECT_FALSE((*good)->Finish().has_value());
  auto bad = OpenPipeBuilder(options);
  document.page.url = "c";
  EXPECT_EQ((*bad)->Add(document).error().message,
            "the program ended with exit code 3");
  EXPECT_EQ((*bad)->Finish().error().message,
            "the program ended with exit code 3");
}

TEST_F(PipeEngineTest, ChildrenAreBounded) {
  auto endless = ChildProcess::Start("/usr/bin/yes", {std::string(100, 'y')});
  ASSERT_TRUE(endless.has_value());
  const auto soon = ChildProcess::Deadline(20000);
  EXPECT_EQ(endless->ReadLine(100, soon).value(), std::string(100, 'y'));
  EXPECT_EQ(endless->ReadLine(99, soon).error().code, ErrorCode::kCorrupt);
  std::string bytes = "what was in it";
  ASSERT_TRUE(endless->ReadBytes(3, soon, &bytes));
  EXPECT_EQ(bytes, "yyy");
  const pid_t pid = endless->pid();
  endless->Kill();
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(endless->ReadLine(9, soon).error().code, ErrorCode::kUnavailable);
  // Nobody reads: the write ends in time and without a signal.
  auto deaf = ChildProcess::Start("/usr/bin/sleep", {"60"});
  EXPECT_EQ(deaf->Write(std::string(8 << 20, 'x'), ChildProcess::Deadline(20))
                .error()
                .code,
            ErrorCode::kUnavailable);
  auto gone = ChildProcess::Start("/usr/bin/true", {});
  std::string message;
  for (int i = 0; i < 2000 && message.empty(); ++i) {
    const auto status = gone->Write("x\n", soon);
    if (!status) message = status.error().message;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(message, "the program ended with exit code 0");
}

// What it writes to its standard error neither blocks it nor is an answer.
TEST_F(PipeEngineTest, TalkativeProgramsAnswerToo) {
  const auto engine =
      Open("os.write(2, b'x' * 1000000); reply(urls=['u'], hits=1)");
  EXPECT_EQ(engine->Query(query_).value(), (EngineAnswer{{"u"}, 1, true}));
}

TEST_F(PipeEngineTest, GrandchildrenEndToo) {
  auto child =
      ChildProcess::Start("/bin/sh", {"-c", "sleep 60 & echo $!; wait"});
  const pid_t grandchild = static_cast<pid_t>(
      std::stol(child->ReadLine(100, ChildProcess::Deadline(20000)).value()));
  EXPECT_EQ(::kill(grandchild, 0), 0);
  child->Kill();
  // It is init's to reap: gone or a zombie soon.
  for (int i = 0; i < 2000 && ::kill(grandchild, 0) == 0; ++i) {
    const auto stat =
        ReadWholeFile("/proc/" + std::to_string(grandchild) + "/stat", 1000);
    if (!stat || stat->find(") Z ") != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_LT(i, 1999);
  }
}

TEST_F(PipeEngineTest, ProgramsAreFoundInTheirFolder) {
  ASSERT_TRUE(WriteWholeFile(dir_ / "twinset-fake", "#!/bin/sh\n"));
  ASSERT_EQ(::setenv("TWINSET_LIBEXEC", dir_.path().c_str(), 1), 0);
  EXPECT_FALSE(FindProgram("twinset-fake").has_value());  // not executable
  std::filesystem::permissions(dir_ / "twinset-fake",
                               std::filesystem::perms::owner_all);
  EXPECT_EQ(FindProgram("twinset-fake").value(), dir_ / "twinset-fake");
  ::unsetenv("TWINSET_LIBEXEC");
  EXPECT_FALSE(FindProgram("twinset-fake").has_value());
  EXPECT_FALSE(FindProgram("sh").has_value());  // PATH is not searched
  EXPECT_EQ(FindProgram("/bin/sh").value(), "/bin/sh");
}

}  // namespace
}  // namespace twinset
