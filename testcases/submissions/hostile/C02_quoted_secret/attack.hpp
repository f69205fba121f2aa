// Includes a secret file so that the compiler quotes it in an error.
#include "@SECRET@"
#include "@LOCAL_SECRET@"
#include "/etc/passwd"
#include "/proc/self/environ"
