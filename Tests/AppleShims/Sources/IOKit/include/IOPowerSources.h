#ifndef IOPOWERSOURCES_H
#define IOPOWERSOURCES_H

// As much of IOKit/ps/IOPowerSources.h (github.com/apple-oss-distributions/IOKitUser) as the package uses.

// CoreFoundation, CFDate.h
typedef double CFTimeInterval;

#define kIOPSNotifyLowBattery "com.apple.system.powersources.lowbattery"
#define kIOPSNotifyPowerSource "com.apple.system.powersources.source"

#define kIOPSTimeRemainingUnknown ((CFTimeInterval)-1.0)
#define kIOPSTimeRemainingUnlimited ((CFTimeInterval)-2.0)

typedef enum {
    kIOPSLowBatteryWarningNone = 1,
    kIOPSLowBatteryWarningEarly = 2,
    kIOPSLowBatteryWarningFinal = 3
} IOPSLowBatteryWarningLevel;

IOPSLowBatteryWarningLevel IOPSGetBatteryWarningLevel(void);
CFTimeInterval IOPSGetTimeRemainingEstimate(void);

#endif
