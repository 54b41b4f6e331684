// A thread beside a worker that does one thing at a time for it.
//
// It lives as long as the worker's own thread: a parser keeps its buffers by thread, and they are several times as
// large as a page.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace patra::app {

class SideThread {
 public:
  // The calling thread's own.
  static SideThread& Mine();

  // REQUIRES: nothing is under way
  void Begin(std::function<void()> job);
  void Await();  // until what was begun is done; at once where nothing was

 private:
  SideThread() = default;

  void Run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::function<void()> job_;
  std::jthread thread_;  // the last member: it ends before what it uses
};

}  // namespace patra::app
