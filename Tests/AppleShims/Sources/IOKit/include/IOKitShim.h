#ifndef IOKITSHIM_H
#define IOKITSHIM_H

#include "IOPowerSources.h"

// What a test says of the power sources. At first there is only external power. It posts the notifications itself.
void shim_set_power_sources(CFTimeInterval remaining, IOPSLowBatteryWarningLevel warning);

#endif
