extension RandomAccessCollection {
    /// The elements in pieces, as long as each one follows the one before.
    func runs(where follows: (Element, Element) throws -> Bool) rethrows -> [SubSequence] {
        var found: [SubSequence] = []
        var start = startIndex
        while start != endIndex {
            var last = start
            var end = index(after: start)
            while end != endIndex, try follows(self[last], self[end]) {
                last = end
                formIndex(after: &end)
            }
            found.append(self[start..<end])
            start = end
        }
        return found
    }
}
