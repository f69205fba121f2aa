// Includes devices that never end.
#include "/dev/zero"
#include "/dev/stdin"
#include "/dev/urandom"
#include "/dev/tty"
