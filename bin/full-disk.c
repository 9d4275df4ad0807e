// Preloaded into a program to simulate a full disk while the first byte of FULL_DISK_FILE is not 0: files cannot grow,
// but existing bytes can be overwritten.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_full(void) {
  static volatile char *flag;
  static int is_known;
  if (!is_known) {
    const char *path = getenv("FULL_DISK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
      void *mapped = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
      if (mapped != MAP_FAILED) flag = mapped;
      close(file);
    }
    is_known = 1;
  }
  return flag && *flag;
}

// An `offset` of -1 means the current position.
static int refuses(int fd, off_t offset, size_t count) {
  struct stat file;
  if (!is_full() || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
  if (offset < 0) offset = fcntl(fd, F_GETFL) & O_APPEND ? file.st_size : lseek(fd, 0, SEEK_CUR);
  if (offset + (off_t)count <= file.st_size) return 0;
  errno = ENOSPC;
  return 1;
}

static size_t total(const struct iovec *parts, int count) {
  size_t bytes = 0;
  for (int at = 0; at < count; at++) bytes += parts[at].iov_len;
  return bytes;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  return refuses(fd, -1, count) ? -1 : syscall(SYS_write, fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return refuses(fd, -1, total(parts, count)) ? -1 : syscall(SYS_writev, fd, parts, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  return refuses(fd, offset, count) ? -1 : syscall(SYS_pwrite64, fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return refuses(fd, offset, total(parts, count)) ? -1 : syscall(SYS_pwritev, fd, parts, count, offset, 0);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return pwritev64(fd, parts, count, offset);
}

int posix_fallocate64(int fd, off64_t offset, off64_t count) {
  if (refuses(fd, offset, count)) return ENOSPC;
  return syscall(SYS_fallocate, fd, 0, offset, count) == 0 ? 0 : errno;
}

int posix_fallocate(int fd, off_t offset, off_t count) { return posix_fallocate64(fd, offset, count); }
