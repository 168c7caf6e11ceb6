// A load client that is no bottleneck: CLIENTS connections, each with one request in flight, driven by one poll loop.
//
//   client SOCKET CLIENTS COUNT lf|brace REQUEST
//
// `lf`: a reply ends with a line feed (kindverbd). `brace`: with the closing brace of its object (ovsdb-server).
// Prints: median µs, 99th percentile µs, replies per second.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// How many replies end in the piece; `depth` and `quoted` are the state of the reply that is being read.
struct reader { int depth, quoted, escaped; };

static int replies(struct reader *r, const char *piece, ssize_t size, int by_line) {
  int found = 0;
  if (by_line) {
    const char *end = piece + size;
    for (const char *at = piece; (at = memchr(at, '\n', end - at)); at++) found++;
    return found;
  }
  for (ssize_t i = 0; i < size; i++) {
    char c = piece[i];
    if (r->quoted) {
      if (r->escaped) r->escaped = 0;
      else if (c == '\\') r->escaped = 1;
      else if (c == '"') r->quoted = 0;
    } else if (c == '"') r->quoted = 1;
    else if (c == '{') r->depth++;
    else if (c == '}' && --r->depth == 0) found++;
  }
  return found;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  int clients = atoi(argv[2]), count = atoi(argv[3]), by_line = !strcmp(argv[4], "lf");
  size_t size = strlen(argv[5]) + 1;
  char *request = malloc(size + 1);
  strcpy(request, argv[5]);
  if (by_line) strcat(request, "\n"); else size--;
  struct pollfd *fds = calloc(clients, sizeof *fds);
  struct reader *readers = calloc(clients, sizeof *readers);
  double *sent = calloc(clients, sizeof *sent), *times = calloc(count + clients, sizeof *times);
  static char buffer[1 << 18];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  for (int i = 0; i < clients; i++) {
    fds[i].fd = socket(AF_UNIX, SOCK_STREAM, 0);
    fds[i].events = POLLIN;
    if (connect(fds[i].fd, (void *)&address, sizeof address)) { perror("connect"); return 1; }
  }
  double start = now();
  for (int i = 0; i < clients; i++) { sent[i] = now(); if (write(fds[i].fd, request, size) < 0) return 1; }
  int done = 0, started = clients;
  while (done < count) {
    if (clients > 1) poll(fds, clients, -1);
    for (int i = 0; i < clients && done < count; i++) {
      if (clients > 1 && !fds[i].revents) continue;
      ssize_t got = read(fds[i].fd, buffer, sizeof buffer);
      if (got <= 0) { fprintf(stderr, "connection closed\n"); return 1; }
      if (!replies(&readers[i], buffer, got, by_line)) continue;
      times[done++] = now() - sent[i];
      if (started < count) { started++; sent[i] = now(); if (write(fds[i].fd, request, size) < 0) return 1; }
      else fds[i].fd = clients > 1 ? -fds[i].fd - 1 : fds[i].fd;
    }
  }
  double total = now() - start;
  qsort(times, done, sizeof *times, compare);
  printf("%.2f %.2f %.0f\n", times[done / 2], times[done * 99 / 100], done / total * 1e6);
  return 0;
}
