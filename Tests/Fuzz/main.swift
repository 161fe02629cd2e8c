import BackgroundWorkSystem
import CBackgroundWorkCurl

/// bgwork-fuzz [--seed N] [--seconds N] [--case N]: tries URLs until the time has passed, or one case, and fails with the
/// first URL that the security policy and libcurl read differently.
func value(_ option: String) -> UInt64? {
    guard let place = CommandLine.arguments.firstIndex(of: option) else { return nil }
    guard let text = CommandLine.arguments[(place + 1)...].first, let number = UInt64(text) else {
        print("\(option) needs a number")
        exit(2)
    }
    return number
}

let seed = value("--seed") ?? UInt64.random(in: 0...UInt64(UInt32.max))
let only = value("--case")
let end = ContinuousClock.now + .seconds(Int64(value("--seconds") ?? 10))
print("\(String(cString: curl_version())), seed \(seed)")

var number = only ?? 0
var count = AddressInvariants.Count()
repeat {
    var grammar = URLGrammar(random: Randomness(seed: seed, case: number))
    let url = grammar.url()
    if only != nil { print("\"\(url)\"") }
    if let violation = AddressInvariants.violation(url, &count) {
        print("--seed \(seed) --case \(number): \"\(url)\": \(violation)")
        print(Array(url.utf8))
        exit(1)
    }
    number += 1
} while only == nil && ContinuousClock.now < end
print("\(number - (only ?? 0)) URLs")
print("libcurl takes \(count.addresses) addresses, \(count.names) names, and \(count.unclear) unclear hosts")
guard only != nil || min(count.addresses, count.names) > 0 else { exit(1) }
