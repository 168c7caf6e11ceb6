// What Swift cannot reach in Linux's C library: variadic calls and structures behind feature macros.
#pragma once
#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// The uid of the process at the other end of a connected Unix socket (SO_PEERCRED); -1 with errno on failure.
/// `pid` receives its process id, as it was when it connected.
int kv_peer_uid(int fd, uid_t *uid, pid_t *pid);
/// Makes a child that is spawned with `actions` close every descriptor from `first` up.
int kv_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
/// The status and code (CLD_EXITED …) that a `siginfo_t` of a child carries.
int kv_child_status(const void *info);
int kv_child_code(const void *info);
/// accept4(2) with SOCK_CLOEXEC and SOCK_NONBLOCK.
int kv_accept(int listening);
/// malloc_trim(3).
void kv_release_free_memory(void);
/// A netlink socket that tells of links, addresses and routes that come and go (rtnetlink(7)); -1 with errno on failure.
int kv_route_socket(void);
