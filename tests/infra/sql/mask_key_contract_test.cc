// The key by which masks of people's data are marked.
#include <gtest/gtest.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::mask_key_contract_test {

class MaskKeyContract : public testing::LedgerTest {};
RUN_ON_EVERY_LEDGER(MaskKeyContract);

TEST_P(MaskKeyContract, AStoreHasOneKeyWhoeverOpensIt) {
  const auto key = ports_->store().mask_key();
  EXPECT_EQ(key.size(), 64u);
  const auto other = backend_->Connect(clock_);
  EXPECT_EQ(other->store().mask_key(), key);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_mask_key"), 1);
}

}  // namespace patra::mask_key_contract_test
