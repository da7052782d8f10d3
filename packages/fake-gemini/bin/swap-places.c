/*
 * usage: swap-places [--thread] <one> <other> [<one> <other> ...]
 *
 * Exchanges the entries of each pair, one pair after the other, until SIGTERM: a name leads to the one or to the other at
 * every moment, and never to nothing. A mount point stays where it is. Prints "ready" first, and how many exchanges it made
 * last. With --thread the first thread ends, and another one goes on: the process looks like one that has ended.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

/* From no pause at all to about as long as a call looks at a directory. */
static const long pauses_ns[] = {0, 0, 0, 20000, 100000, 500000, 3000000};

static volatile sig_atomic_t is_over = 0;

static void end(int signal_number) {
  (void)signal_number;
  is_over = 1;
}

static int exchange(int count, char **words) {
  unsigned long exchanges = 0;
  unsigned int seed = 1;
  signal(SIGTERM, end);
  puts("ready");
  fflush(stdout);
  while (!is_over) {
    for (int index = 1; index + 1 < count; index += 2) {
      if (syscall(SYS_renameat2, AT_FDCWD, words[index], AT_FDCWD, words[index + 1], RENAME_EXCHANGE) == 0) {
        exchanges += 1;
      } else if (errno != EBUSY) {
        perror("renameat2");
        return 1;
      }
    }
    struct timespec pause = {0, pauses_ns[rand_r(&seed) % (sizeof pauses_ns / sizeof *pauses_ns)]};
    if (pause.tv_nsec > 0) {
      nanosleep(&pause, NULL);
    }
  }
  printf("%lu\n", exchanges);
  return 0;
}

static int word_count;

static void *exchange_apart(void *words) {
  exit(exchange(word_count - 1, (char **)words + 1));
}

int main(int count, char **words) {
  if (count < 2 || strcmp(words[1], "--thread") != 0) {
    return exchange(count, words);
  }
  pthread_t thread;
  word_count = count;
  if (pthread_create(&thread, NULL, exchange_apart, words) == 0) {
    syscall(SYS_exit, 0);
  }
  return 1;
}
