import BackgroundWorkSystem
import CBackgroundWorkLinux

extension LinkFreePath {
    /// As open(2), and fails where a component is a link.
    static func open(_ path: String, _ flags: Int32) -> Int32 { bgw_open_without_links(path, flags) }

    /// The same for a folder of which only names are used: it need not be readable.
    static func openFolder(_ path: String) -> Int32 { bgw_open_folder_without_links(path) }

    /// A folder in an open one. -1 if there is a link at the name.
    static func openFolder(_ name: String, in folder: Int32) -> Int32 { bgw_open_subfolder(folder, name) }
}
