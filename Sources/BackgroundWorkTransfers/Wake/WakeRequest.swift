import BackgroundWorkModel

/// The wish to be launched when work falls due and no process is there.
package struct WakeRequest: Sendable, Hashable, Codable {
    /// Not before this instant on the wall clock.
    package var earliest: WallTime
    /// Conditions of the device that must hold as well.
    package var needs: Constraints

    package init(earliest: WallTime, needs: Constraints = []) {
        self.earliest = earliest
        self.needs = needs
    }
}
