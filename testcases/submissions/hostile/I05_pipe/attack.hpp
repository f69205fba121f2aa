// A header that is a named pipe nobody writes to: a reader would wait for ever.
#include "notes.hpp"
