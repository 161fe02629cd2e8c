import BackgroundWorkModel

/// What items have in common that decides whether they may run now.
package struct ClaimGroup: Sendable, Hashable {
    package var queue: String
    package var worker: String
    package var constraints: Constraints
}
