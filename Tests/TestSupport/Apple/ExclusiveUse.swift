/// Lets one test at a time use what all tests of the process have in common.
package actor ExclusiveUse {
    /// The network's path of the stand-ins for Apple's modules.
    package static let networkPath = ExclusiveUse()

    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Runs the body when no other test holds this.
    package func hold<T, E: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(E) -> sending T
    ) async throws(E) -> sending T {
        await take()
        do throws(E) {
            let result = try await body()
            await giveBack()
            return result
        } catch {
            await giveBack()
            throw error
        }
    }

    private func take() async {
        if isHeld { await withCheckedContinuation { waiting.append($0) } } else { isHeld = true }
    }

    private func giveBack() {
        if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
}
