// What a transaction has to itself. Others that need the same wait until it is over.
//
// Transactions of patra read, decide and write, so two of them that decide about the same things must not run at once. SQLite has
// one writer and needs nothing more. A server runs many transactions side by side: there the first thing that one does is to lock
// what it names here. Without a name it has the whole store to itself, which is always right and never fast; what every page and
// every claim does names less.
#pragma once

#include <string>
#include <string_view>

namespace patra::infra::sql {

class LockScope {
 public:
  static LockScope WholeStore() { return LockScope(Kind::kWholeStore, {}); }

  // Everything of one source: its plans, slices, tasks, cursors and records.
  static LockScope Source(std::string_view provenance) {
    return LockScope(Kind::kNamed, "source/" + std::string(provenance));
  }

  // Who is given which task, and how many of them run.
  static LockScope Queue() { return LockScope(Kind::kNamed, "queue"); }

  // Which job fires, and who plans for it.
  static LockScope Schedule() { return LockScope(Kind::kNamed, "schedule"); }

  // Who publishes which message.
  static LockScope Outbox() { return LockScope(Kind::kNamed, "outbox"); }

  // In which order others hear of what was committed.
  static LockScope Changes() { return LockScope(Kind::kNamed, "changes"); }

  // Rows that nobody else decides about, or statements that decide by themselves.
  static LockScope RowsAlone() { return LockScope(Kind::kRows, {}); }

  // The whole store, also while it takes no changes (promotion_table.h): for whoever moves it.
  static LockScope Mover() { return LockScope(Kind::kMover, {}); }

  bool is_whole_store() const { return kind_ == Kind::kWholeStore || is_mover(); }
  bool is_mover() const { return kind_ == Kind::kMover; }
  const std::string& name() const { return name_; }  // empty where none is locked

 private:
  enum class Kind { kWholeStore, kMover, kNamed, kRows };
  LockScope(Kind kind, std::string name) : kind_(kind), name_(std::move(name)) {}

  Kind kind_;
  std::string name_;
};

}  // namespace patra::infra::sql
