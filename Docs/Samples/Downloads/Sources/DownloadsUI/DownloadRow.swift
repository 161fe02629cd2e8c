import DownloadsModel
import SwiftUI

/// The name of a download, its progress, and what can be done with it.
struct DownloadRow: View {
    let download: Download
    let store: DownloadStore

    var body: some View {
        VStack(alignment: .leading) {
            Text(download.name)
            if !download.isOver { ProgressView(value: download.fraction) }
            HStack {
                Text(status)
                switch download.state {
                case .waiting, .running:
                    Button("Pause") { Task { await store.pause(download.id) } }
                    Button("Cancel") { Task { await store.cancel(download.id) } }
                case .paused:
                    Button("Resume") { Task { await store.resume(download.id) } }
                    Button("Cancel") { Task { await store.cancel(download.id) } }
                case .failed, .cancelled:
                    Button("Try again") { Task { await store.retry(download.id) } }
                case .finishing, .finished:
                    EmptyView()
                }
            }
            .buttonStyle(.borderless)  // otherwise a tap on the row presses all of its buttons
        }
    }

    private var status: String {
        switch download.state {
        case .waiting: "waiting"
        case .running: download.fraction.map { "\(Int($0 * 100)) %" } ?? "\(download.bytes) bytes"
        case .paused: "paused"
        case .finishing: "finishing"
        case .finished(let file): file.lastPathComponent
        case .failed(let message): message
        case .cancelled: "cancelled"
        }
    }
}
