// Reaches for parts of the kernel with a record of holes.
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
inline void attack(int function) {
  switch (function) {
    case 0: unshare(CLONE_NEWUSER); break;
    case 1: syscall(SYS_io_uring_setup, 1, nullptr); break;
    case 2: syscall(SYS_bpf, 0, nullptr, 0); break;
    case 3: syscall(SYS_userfaultfd, 1); break;
    case 4: syscall(SYS_perf_event_open, nullptr, 0, 0, 0, 0); break;
    case 5: socket(38 /* AF_ALG */, SOCK_SEQPACKET, 0); break;
    case 6: mount("x", "/tmp", "tmpfs", 0, nullptr); break;
    case 7: syscall(SYS_keyctl, 0, -4, 1); break;
    case 8: static_cast<void>(chroot("/")); break;
    case 9: syscall(SYS_pivot_root, "/", "/"); break;
    default: syscall(SYS_kexec_load, 0, 0, nullptr, 0);
  }
}
#define ATTACK(function) attack(function)
