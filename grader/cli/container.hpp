// A stand-in for a container as Docker starts it without options, for tests.
#pragma once

namespace grader {

/// Confines the calling process, which must be root, as Docker confines the first one of a
/// container: the system calls of its default profile
/// (https://github.com/moby/profiles/blob/main/seccomp/default.json, of 2026-06-30), its fourteen
/// capabilities, /sys not writable. There is no AppArmor, and processes and files stay those of the
/// machine. Ends the process with exit code 126 where that cannot be done.
void enter_default_container();

/// Becomes a user that has nothing, for good. Ends the process with 126 where that is refused.
void become_nobody();

}  // namespace grader
