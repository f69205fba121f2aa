// Identifiers and comments that read otherwise than they compile.
/*‮ } ⁦if (is_grader)⁩ ⁦ begin admins only */
inline int sсore() { return 100; }  // a Cyrillic letter
#include <stdexcept>
#define ATTACK(function) throw std::runtime_error("‮001 / 001 :erocs‬​﻿")
