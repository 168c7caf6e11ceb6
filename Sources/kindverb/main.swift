import Commands
import Glibc

exit(kindverbMain(Array(CommandLine.arguments.dropFirst())))
