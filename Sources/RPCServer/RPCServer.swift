// RPCServer
