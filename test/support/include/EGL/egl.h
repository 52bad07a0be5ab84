/* A stand-in of our own: as much of this header as the toolkit's headers need to be read by a compiler. */
#pragma once
#include <stdint.h>
typedef int32_t EGLint;
