#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

int kv_peer_uid(int fd, uid_t *uid, pid_t *pid) {
  struct ucred cred;
  socklen_t size = sizeof cred;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) < 0) return -1;
  *uid = cred.uid;
  *pid = cred.pid;
  return 0;
}

int kv_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int kv_child_status(const void *info) { return ((const siginfo_t *)info)->si_status; }

int kv_child_code(const void *info) { return ((const siginfo_t *)info)->si_code; }

int kv_accept(int listening) { return accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

void kv_release_free_memory(void) { malloc_trim(0); }

int kv_route_socket(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}
