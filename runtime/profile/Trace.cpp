#include "runtime/profile/Trace.h"

#include "runtime/core/Decimal.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string_view>
#include <utility>

using namespace axloom::runtime;

namespace {

// Some 150 bytes each; a viewer takes about so many.
constexpr int64_t mostSlices = 1'000'000;

// Never freed: calls that began under a trace may go on after its end, also when the program ends.
Trace *started = nullptr;
std::atomic<Trace *> activeTrace{nullptr};

// Threads by numbers of ours, 0 the first that is seen.
int threadNumber() {
  static std::atomic<int> count{0};
  thread_local int number = count++;
  return number;
}

// Names of functions may be any text.
std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (char c : name) {
    char code[8];
    std::snprintf(code, sizeof(code), "\\u%04x", unsigned(uint8_t(c)));
    bool isPlain = uint8_t(c) >= ' ' && c != '"' && c != '\\';
    text += isPlain ? std::string(1, c) : code;
  }
  return text + '"';
}

double microseconds(TraceClock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

} // namespace

void Trace::start(const std::string &path) {
  stop();
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork([] { started ? started->beforeFork() : void(); },
                   [] { started ? started->mutex.unlock() : void(); },
                   [] { started ? started->leaveToParent() : void(); });
    std::atexit(stop);
  });
  started = new Trace(path);
  activeTrace = started;
}

void Trace::stop() {
  if (started)
    started->end();
}

// The child would end the file, and write again what had not been written yet.
void Trace::beforeFork() {
  mutex.lock();
  if (file)
    std::fflush(file);
}

void Trace::leaveToParent() {
  activeTrace = nullptr;
  file = nullptr;
  mutex.unlock();
}

void Trace::startFromEnvironment() {
  static std::once_flag once;
  const char *path = std::getenv("AXLOOM_TRACE");
  if (path && *path)
    std::call_once(once, [&] { start(path); });
}

Trace *Trace::active() { return activeTrace; }

Trace::Trace(const std::string &path)
    : file(std::fopen(path.c_str(), "w")), opened(TraceClock::now()) {
  if (!file)
    throw Error(AXL_ERROR_FILE,
                concat("cannot write the trace '", path, "': ", std::strerror(errno)));
  std::fputs("[\n", file);
}

Trace::~Trace() { end(); }

void Trace::end() {
  Trace *ended = this;
  activeTrace.compare_exchange_strong(ended, nullptr);
  std::lock_guard lock(mutex);
  if (!file)
    return;
  if (slices > mostSlices)
    std::fprintf(stderr, "the trace has the first %lld of %lld slices\n",
                 static_cast<long long>(mostSlices), static_cast<long long>(slices));
  std::fputs("{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\","
             "\"args\":{\"name\":\"axloom\"}}\n]\n",
             file);
  bool failed = std::ferror(file);
  if (std::fclose(std::exchange(file, nullptr)) != 0 || failed)
    std::fputs("the trace could not be written as a whole\n", stderr);
}

void Trace::slice(const char *name, TraceClock::time_point begin, TraceClock::time_point end,
                  const std::string &details) {
  slice(name, threadNumber(), begin, end, details);
}

void Trace::slice(const char *name, int thread, TraceClock::time_point begin,
                  TraceClock::time_point end, const std::string &details) {
  std::string at = decimal(microseconds(begin - opened), 3);
  std::string took = decimal(microseconds(end - begin), 3);
  std::lock_guard lock(mutex);
  if (file && ++slices <= mostSlices)
    std::fprintf(file,
                 "{\"ph\":\"X\",\"pid\":0,\"tid\":%d,\"name\":%s,\"ts\":%s,\"dur\":%s,"
                 "\"args\":%s},\n",
                 thread, quoted(name).c_str(), at.c_str(), took.c_str(), details.c_str());
}

TracedCall::TracedCall(const char *name)
    : trace(Trace::active()), name(name), begin(TraceClock::now()) {}

TracedCall::~TracedCall() {
  if (trace)
    trace->slice(name, begin, TraceClock::now());
}

void TracedLaunch::add(TraceClock::time_point begin, TraceClock::time_point end) {
  std::lock_guard lock(mutex);
  int thread = threadNumber();
  auto known = std::ranges::find(shares, thread, &Share::thread);
  if (known == shares.end())
    known = shares.insert(known, {thread, begin, end, {}, 0});
  known->end = end;
  known->busy += end - begin;
  ++known->chunks;
}

TracedLaunch::~TracedLaunch() {
  for (const Share &share : shares)
    trace->slice(kernel, share.thread, share.begin, share.end,
                 concat("{\"chunks\":", share.chunks,
                        ",\"busy_us\":", int64_t(microseconds(share.busy)), "}"));
}
