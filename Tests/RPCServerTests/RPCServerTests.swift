import Testing

@testable import RPCServer
