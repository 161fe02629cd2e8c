import DownloadsModel
import SwiftUI

/// A field for an address, and the downloads.
struct DownloadList: View {
    let store: DownloadStore
    @State private var address = ""

    var body: some View {
        List {
            HStack {
                TextField("https://example.com/film.mp4", text: $address)
                Button("Add") {
                    let added = address
                    address = ""
                    Task { await store.add(added) }
                }
                .buttonStyle(.borderless)
                .disabled(address.isEmpty)
            }
            if let problem = store.problem { Text(problem) }
            ForEach(store.downloads) { download in
                DownloadRow(download: download, store: store)
                    .swipeActions {
                        if !download.isOver { Button("Cancel") { Task { await store.cancel(download.id) } } }
                    }
            }
        }
    }
}
