// Every database that a store can be in. Suites of contracts run on each of them.
#pragma once

#include "tests/infra/mysql/mysql_backend.h"
#include "tests/infra/sqlite/sqlite_backend.h"

#define RUN_ON_EVERY_LEDGER(suite)                                                                 \
  INSTANTIATE_TEST_SUITE_P(Contract, suite,                                                        \
                           ::testing::Values(::patra::testing::kSqlite, ::patra::testing::kMysql), \
                           [](const auto& backend) { return std::string(backend.param.name); })
