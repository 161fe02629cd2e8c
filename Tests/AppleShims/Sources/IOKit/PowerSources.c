#include "IOKitShim.h"

#include <stdatomic.h>

static _Atomic(CFTimeInterval) remaining = kIOPSTimeRemainingUnlimited;
static _Atomic(IOPSLowBatteryWarningLevel) warning = kIOPSLowBatteryWarningNone;

void shim_set_power_sources(CFTimeInterval newRemaining, IOPSLowBatteryWarningLevel newWarning) {
    remaining = newRemaining;
    warning = newWarning;
}

IOPSLowBatteryWarningLevel IOPSGetBatteryWarningLevel(void) { return warning; }

CFTimeInterval IOPSGetTimeRemainingEstimate(void) { return remaining; }
