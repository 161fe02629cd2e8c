/// A pattern for names or paths that are left out, as in a shell.
///
/// It matches without regard to case. Characters are those that a reader sees, in whatever way a file system composes
/// them.
struct ExclusionPattern: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        /// One component of a path.
        case component([Token])
        /// `**`: any number of components.
        case anyComponents
    }

    private enum Token: Sendable, Hashable {
        case character(Character)
        /// `?`
        case anyCharacter
        /// `*`
        case anyCharacters
        /// `[a-z]`, or `[!a-z]`.
        case oneOf([ClosedRange<Character>], isNegated: Bool)
    }

    private let parts: [Part]
    /// Whether it is compared with the whole path, and not with the name alone.
    private let isForPaths: Bool
    private let isForFolders: Bool

    init(_ text: String) {
        var text = text.lowercased()[...]
        isForFolders = text.last == "/"
        while text.last == "/" { text.removeLast() }
        isForPaths = text.contains("/")
        parts = text.split(separator: "/").map { $0 == "**" ? .anyComponents : .component(Self.tokens($0)) }
    }

    /// What is wrong with a pattern's text; `nil` if nothing is.
    static func complaint(about text: String) -> String? {
        if text.allSatisfy({ $0.isWhitespace || $0 == "/" }) { return "it has a blank pattern" }
        if text.utf8.count > 1_000 { return "it has a pattern of \(text.utf8.count) bytes; the limit is 1000" }
        if text.utf8.contains(0) { return "it has a pattern with a NUL character" }
        return nil
    }

    /// - Parameter path: the components from the folder that is compressed, in lower case.
    func matches(_ path: [[Character]], isFolder: Bool) -> Bool {
        if isForFolders && !isFolder { return false }
        guard isForPaths else {
            guard let name = path.last, let only = parts.first else { return false }
            return Self.matches(only, name)
        }
        return Wildcards.match(
            parts[...], path[...], isMany: { $0 == .anyComponents }, matches: { Self.matches($0, $1) })
    }

    private static func matches(_ part: Part, _ name: [Character]) -> Bool {
        switch part {
        case .anyComponents: true
        case .component(let tokens):
            Wildcards.match(
                tokens[...], name[...], isMany: { $0 == .anyCharacters }, matches: { matches($0, $1) })
        }
    }

    private static func matches(_ token: Token, _ character: Character) -> Bool {
        switch token {
        case .character(let own): own == character
        case .anyCharacter, .anyCharacters: true
        case .oneOf(let ranges, let isNegated): ranges.contains { $0.contains(character) } != isNegated
        }
    }

    private static func tokens(_ text: Substring) -> [Token] {
        var tokens: [Token] = []
        var rest = text
        while let first = rest.popFirst() {
            switch first {
            case "*": if tokens.last != .anyCharacters { tokens.append(.anyCharacters) }
            case "?": tokens.append(.anyCharacter)
            case "\\": tokens.append(.character(rest.popFirst() ?? "\\"))
            case "[":
                if let token = characterClass(&rest) { tokens.append(token) } else { tokens.append(.character("[")) }
            default: tokens.append(.character(first))
            }
        }
        return tokens
    }

    /// Reads what follows a bracket; `nil`, and nothing is read, if no bracket closes it.
    private static func characterClass(_ text: inout Substring) -> Token? {
        var rest = text
        var ranges: [ClosedRange<Character>] = []
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest.removeFirst() }
        var isFirst = true
        while let first = rest.popFirst() {
            if first == "]", !isFirst {
                text = rest
                return .oneOf(ranges, isNegated: isNegated)
            }
            isFirst = false
            let low = first == "\\" ? rest.popFirst() ?? first : first
            var high = low
            if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
                high = end
                rest.removeFirst(2)
            }
            if low <= high { ranges.append(low...high) }
        }
        return nil
    }
}

/// Matching with a wildcard for any number of elements, in time that grows with the product of both lengths at most.
private enum Wildcards {
    static func match<Token, Element>(
        _ pattern: ArraySlice<Token>, _ text: ArraySlice<Element>, isMany: (Token) -> Bool,
        matches: (Token, Element) -> Bool
    ) -> Bool {
        var (token, element) = (pattern.startIndex, text.startIndex)
        // Where the last wildcard was, and how far it reaches.
        var (many, reached): (Int?, Int) = (nil, 0)
        while element < text.endIndex {
            if token < pattern.endIndex, isMany(pattern[token]) {
                (many, reached) = (token, element)
                token += 1
            } else if token < pattern.endIndex, matches(pattern[token], text[element]) {
                token += 1
                element += 1
            } else if let many {
                reached += 1
                (token, element) = (many + 1, reached)
            } else {
                return false
            }
        }
        while token < pattern.endIndex, isMany(pattern[token]) { token += 1 }
        return token == pattern.endIndex
    }
}

/// The patterns of one folder.
struct Exclusions: Sendable {
    private let patterns: [ExclusionPattern]

    init(_ patterns: [String]) { self.patterns = patterns.map(ExclusionPattern.init) }

    /// Whether something is left out, by the names of the folders that lead to it and its own.
    func matches(folders: @autoclosure () -> [[UInt8]], name: [UInt8], isFolder: Bool) -> Bool {
        if patterns.isEmpty { return false }
        let path = (folders() + [name]).map { Array(String(decoding: $0, as: UTF8.self).lowercased()) }
        return patterns.contains { $0.matches(path, isFolder: isFolder) }
    }
}
