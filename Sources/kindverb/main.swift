import Commands
import Glibc

exit(kindverbMain(CommandLine.argc, CommandLine.unsafeArgv))
