// Leaves shared memory, queues, keys and locks for the next submission.
#include <fcntl.h>
#include <mqueue.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdlib>
inline void attack(int function) {
  const key_t key = static_cast<key_t>(std::atoi("@KEY@"));
  switch (function % 8) {
    case 0: shm_open("/hostile-@NAME@", O_CREAT | O_RDWR, 0666); break;
    case 1: shmget(key, 4096, IPC_CREAT | 0666); break;
    case 2: mq_open("/hostile-@NAME@", O_CREAT | O_RDWR, 0666, nullptr); break;
    case 3: syscall(SYS_add_key, "user", "hostile-@NAME@", "x", 1, -4); break;
    case 4: flock(open("/lib64/ld-linux-x86-64.so.2", O_RDONLY), LOCK_EX); break;
    case 5: semget(key, 1, IPC_CREAT | 0666); break;
    case 6: msgget(key, IPC_CREAT | 0666); break;
    default: memfd_create("hostile", 0);
  }
}
#define ATTACK(function) attack(function)
