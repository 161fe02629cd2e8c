extension DownloadConfiguration: CustomReflectable {
    /// Without secrets: URLs without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "savePath": savePath, "sessionIdentifier": sessionIdentifier as Any,
                "checksum": checksum as Any, "onDuplicate": onDuplicate, "maxBytes": maxBytes as Any,
                "isResumable": isResumable, "mirrors": mirrors.map(ShownURL.text), "connections": connections,
                "fileMode": fileMode as Any, "options": options,
            ], displayStyle: .struct)
    }
}

extension UploadConfiguration: CustomReflectable {
    /// Without secrets: its URL without user, password, query and fragment.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": ShownURL.text(url), "filePath": filePath, "method": method, "form": form,
                "sessionIdentifier": sessionIdentifier as Any, "options": options,
            ], displayStyle: .struct)
    }
}

extension UploadForm: CustomStringConvertible, CustomReflectable {
    /// The form, with the values of secret fields hidden.
    public var description: String {
        switch self {
        case .body(let mimeType): "body(mimeType: \(mimeType ?? "nil"))"
        case .multipart(let fieldName, let fileName, let mimeType, let fields):
            "multipart(fieldName: \(fieldName), fileName: \(fileName ?? "nil"), mimeType: \(mimeType ?? "nil"), "
                + "fields: \(ShownParts.members(fields)))"
        case .tus(let metadata): "tus(metadata: \(ShownParts.members(metadata)))"
        }
    }

    /// As ``description``.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension DownloadJob: CustomReflectable {
    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "checksum": checksum as Any, "onDuplicate": onDuplicate, "maxBytes": maxBytes as Any,
                "isResumable": isResumable, "mirrors": mirrors.map(ShownURL.text), "connections": connections,
                "savesIntoFolder": savesIntoFolder, "mountPoint": mountPoint as Any, "fileMode": fileMode as Any,
                "resumeToken": resumeToken.map { _ in ShownParts.hidden } as Any,
            ], displayStyle: .struct)
    }
}

extension ResumeToken: CustomReflectable {
    package var customMirror: Mirror {
        Mirror(self, children: ["url": ShownURL.text(url)], displayStyle: .struct)
    }
}

extension TransferSpecification: CustomReflectable {
    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "reference": reference, "sessionIdentifier": sessionIdentifier, "url": ShownURL.text(url), "job": job,
                "options": options, "securityPolicy": securityPolicy, "savePath": savePath, "workerName": workerName,
            ], displayStyle: .struct)
    }
}

extension SpecificationDocument: CustomReflectable {
    package var customMirror: Mirror {
        Mirror(self, children: ["specification": specification], displayStyle: .struct)
    }
}
