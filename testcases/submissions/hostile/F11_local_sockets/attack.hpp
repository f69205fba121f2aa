// Talks to services on the machine: an abstract socket, Docker's, a port.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstring>
inline void attack(int function) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  const char* path = function % 2 == 0 ? "/var/run/docker.sock" : "@SOCKET@";
  std::strncpy(to.sun_path + function % 2, path, sizeof to.sun_path - 2);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(client, reinterpret_cast<const sockaddr*>(&to), static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + std::strlen(path))) == 0) {
    static_cast<void>(write(client, "hostile", 7));
  }
}
#define ATTACK(function) attack(function)
