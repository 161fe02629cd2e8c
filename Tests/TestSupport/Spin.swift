/// Keeps a thread busy, as a worker does that calculates.
package func spin(for duration: Duration) {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: duration)
    while clock.now < end {}
}
