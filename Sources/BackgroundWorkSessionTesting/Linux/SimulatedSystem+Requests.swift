/// What the app says.
extension SimulatedSystem {
    func received(_ request: SystemRequest, from connection: Int) {
        if case .hello(let process) = request {
            app = App(connection: connection)
            app?.process = process
            isAwake = true
            send(.permitted(permitted.sorted()))
            return changed()
        }
        guard app?.connection == connection else { return }
        switch request {
        case .hello: break
        case .register(let identifier): app?.registered.insert(identifier)
        case .submit(let call, let request): send(.submitted(call: call, refusal: submit(request)))
        case .cancel(let identifier): pending[identifier] = nil
        case .completed(let window, let success):
            if windows[window] == .open { windows[window] = .ended(success: success) }
        case .beginActivity(let number):
            app?.activities.insert(number)
            send(isAwake ? .activityGranted(number) : .activityExpired(number))
        case .activityEnded(let number): app?.activities.remove(number)
        }
        changed()
    }

    private func submit(_ request: PendingLaunch) -> Refusal? {
        if let refusal { return refusal }
        guard permitted.contains(request.identifier) else { return .notPermitted }
        let others = pending.values.filter { $0.identifier != request.identifier && $0.isRefresh == request.isRefresh }
        guard others.count < (request.isRefresh ? Self.mostRefreshes : Self.mostProcessing) else {
            return .tooManyPendingTaskRequests
        }
        pending[request.identifier] = request
        return nil
    }

    func disconnected(_ connection: Int) {
        guard app?.connection == connection else { return }
        app = nil
        for (window, state) in windows where state == .open { windows[window] = .ended(success: false) }
        changed()
    }
}
