// Calls home over TCP, UDP, netlink and the virtual machine's socket, and listens.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdlib>
inline void attack(int function) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<unsigned short>(std::atoi("@PORT@")));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* address = reinterpret_cast<const sockaddr*>(&to);
  switch (function % 5) {
    case 0: connect(socket(AF_INET, SOCK_STREAM, 0), address, sizeof to); break;
    case 1: sendto(socket(AF_INET, SOCK_DGRAM, 0), "hidden", 6, 0, address, sizeof to); break;
    case 2: socket(AF_NETLINK, SOCK_RAW, 0); break;
    case 3: socket(AF_VSOCK, SOCK_STREAM, 0); break;
    default: {
      const int listener = socket(AF_INET, SOCK_STREAM, 0);
      to.sin_port = 0;
      bind(listener, address, sizeof to);
      listen(listener, 1);
      accept(listener, nullptr, nullptr);
    }
  }
}
#define ATTACK(function) attack(function)
