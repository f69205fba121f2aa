// The escapes that the doctor tries from within the sandbox, in the order of escape_probes.cpp.
#pragma once

#include <array>

namespace grader::host {

inline constexpr std::array kEscapes = {
    "read /etc/passwd",
    "read its own shared object",
    "list the root directory",
    "create a file in /",
    "create a file in /tmp",
    "read the memory of process 1 through /proc",
    "read the memory of process 1 directly",
    "trace process 1",
    "kill process 1",
    "signal every process",
    "limit the resources of process 1",
    "lift its own resource limits",
    "open an internet socket",
    "open a local socket",
    "open a netlink socket",
    "open a socket to the virtual machine's host",
    "fork",
    "start a shell",
    "start a thousand threads",
    "become root",
    "make a user namespace",
    "mount a file system",
    "change the root directory",
    "use io_uring",
    "load a kernel filter program (bpf)",
    "use the kernel's key rings",
    "open performance counters",
    "handle page faults (userfaultfd)",
    "make System V shared memory",
    "make an anonymous file",
    "make executable memory",
    "make its code writable",
    "write to the arguments that the grader sent",
    "use descriptors that the grader left open",
    "set a timer that outlives the call",
    "replace its filter of system calls",
    "type into the grader's terminal",
    "make a 32-bit system call",
    "raise its own priority",
    "read the machine's name",
};

}  // namespace grader::host
