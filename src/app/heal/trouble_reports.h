// What people see of trouble: alerts, quarantined records, fuses, signals and the healing journal.
#pragma once

#include "domain/alert/alert.h"
#include "domain/heal/adjustment.h"
#include "domain/heal/heal_entry.h"
#include "domain/quarantine/quarantined.h"
#include "domain/signal/signal.h"
#include "domain/task/hold.h"
