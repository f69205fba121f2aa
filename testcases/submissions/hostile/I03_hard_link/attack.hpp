// A header that is a hard link to a file outside: it must keep its mode, owner and content.
#include "notes.hpp"
