// A database that several threads and processes share. Thread-safe.
#pragma once

#include <functional>
#include <type_traits>

#include "base/result.h"
#include "infra/sql/lock_scope.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

class Database {
 public:
  virtual ~Database() = default;

  // Runs `work(Session&)`, which returns a Result, in a transaction, and waits until it is durable. If it fails, what it
  // wrote is undone. `work` may run on another thread, and again from its beginning: it has no effect but on the session,
  // and calls no Write.
  template <typename Work>
  auto Write(const LockScope& scope, Work work) -> std::invoke_result_t<Work, Session&> {
    return Through<Work>([&](Job job) { return RunInTransaction(scope, std::move(job)); }, work);
  }

  // The same with the whole store to itself.
  template <typename Work>
  auto Write(Work work) -> std::invoke_result_t<Work, Session&> {
    return Write(LockScope::WholeStore(), std::move(work));
  }

  // Runs `work(Session&)` on a session that can only read, and sees the database at one moment, whatever others commit
  // meanwhile. It, too, may run again from its beginning.
  template <typename Work>
  auto Read(Work work) -> std::invoke_result_t<Work, Session&> {
    return Through<Work>([this](const Job& job) { return RunOnSnapshot(job); }, work);
  }

 protected:
  using Job = std::function<Result<void>(Session&)>;

 private:
  virtual Result<void> RunInTransaction(const LockScope& scope, Job job) = 0;
  virtual Result<void> RunOnSnapshot(const Job& job) = 0;

  // The outcome of the work; or, where that is lost or did not run, why.
  template <typename Work, typename Runner>
  static auto Through(const Runner& run, Work& work) -> std::invoke_result_t<Work, Session&> {
    std::invoke_result_t<Work, Session&> outcome =
        Fail(ErrorCode::kInternal, "the database did not run the work");
    const auto ran = run([&](Session& session) -> Result<void> {
      outcome = work(session);
      if (!outcome) return std::unexpected(outcome.error());
      return {};
    });
    if (!ran) return std::unexpected(ran.error());
    return outcome;
  }
};

}  // namespace patra::infra::sql
