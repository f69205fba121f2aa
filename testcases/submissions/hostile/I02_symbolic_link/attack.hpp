// A header that is a symbolic link to a secret.
#include "notes.hpp"
