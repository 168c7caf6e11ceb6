import Testing

@testable import JSONRPC
