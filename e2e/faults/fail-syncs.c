// Preloaded into a server: fsync and fdatasync fail with EIO while the file named by FAIL_SYNCS exists.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sync_or_fail(long call, int descriptor) {
  const char *file = getenv("FAIL_SYNCS");
  if (file != NULL && access(file, F_OK) == 0) {
    errno = EIO;
    return -1;
  }
  return (int)syscall(call, descriptor);
}

int fsync(int descriptor) { return sync_or_fail(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return sync_or_fail(SYS_fdatasync, descriptor); }
