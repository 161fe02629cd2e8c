import Foundation

/// The options of a benchmark that has parts: `--only PART`, `--folder DIR`, texts, and numbers above 0.
struct BenchmarkOptions<Part: CaseIterable & RawRepresentable> where Part.RawValue == String {
    private(set) var parts = Array(Part.allCases)
    /// Where the benchmark's own folder is made.
    private(set) var parent = FileManager.default.temporaryDirectory.path
    private(set) var texts: [String: String] = [:]
    private var numbers: [String: Int]

    /// `nil` when the arguments make no sense.
    ///
    /// - Parameters:
    ///   - numbers: the options that are numbers, with their defaults.
    ///   - texts: those that are texts.
    init?(_ arguments: some Sequence<String>, numbers: [String: Int], texts: Set<String> = []) {
        self.numbers = numbers
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--folder": parent = value
            case "--only":
                guard let part = Part(rawValue: value) else { return nil }
                parts = [part]
            case _ where texts.contains(option): self.texts[option] = value
            default:
                guard numbers[option] != nil, let number = Int(value), number > 0 else { return nil }
                self.numbers[option] = number
            }
        }
    }

    func number(_ option: String) -> Int { numbers[option] ?? 1 }
}
