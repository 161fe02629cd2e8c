import BackgroundWorkSystem

/// A time as MS-DOS has it: local, in steps of two seconds, from 1980 to 2107.
package struct DOSTime: Sendable, Hashable {
    /// The date in the upper half, the time in the lower.
    package var bits: UInt32

    package init(bits: UInt32) { self.bits = bits }

    /// The time in this machine's time zone; the nearest one that there is.
    package init(seconds: Int64) {
        var time = time_t(seconds)
        var local = tm()
        guard localtime_r(&time, &local) != nil, local.tm_year >= 80 else {
            bits = 0x0021_0000
            return
        }
        guard local.tm_year <= 207 else {
            bits = 0xff9f_bf7d
            return
        }
        let date = UInt32(local.tm_year - 80) << 9 | UInt32(local.tm_mon + 1) << 5 | UInt32(local.tm_mday)
        bits = date << 16 | UInt32(local.tm_hour) << 11 | UInt32(local.tm_min) << 5 | UInt32(min(local.tm_sec, 59)) / 2
    }

    /// Seconds since 1970, by this machine's time zone; `nil` if the bits are not a time.
    package var seconds: Int64? {
        let (date, clock) = (bits >> 16, bits & 0xffff)
        var local = tm()
        local.tm_year = Int32(date >> 9) + 80
        local.tm_mon = Int32(date >> 5 & 15) - 1
        local.tm_mday = Int32(date & 31)
        local.tm_hour = Int32(clock >> 11)
        local.tm_min = Int32(clock >> 5 & 63)
        local.tm_sec = Int32(clock & 31) * 2
        local.tm_isdst = -1
        guard (0...11).contains(local.tm_mon), local.tm_mday >= 1, local.tm_hour < 24, local.tm_min < 60 else {
            return nil
        }
        let seconds = mktime(&local)
        return seconds == -1 ? nil : Int64(seconds)
    }
}
