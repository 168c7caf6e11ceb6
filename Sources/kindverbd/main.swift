import Daemon
import Glibc

exit(kindverbdMain(Array(CommandLine.arguments.dropFirst())))
