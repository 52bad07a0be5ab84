/* A stand-in of our own, for reading headers as for a system whose C library is not installed. */
#pragma once
#include <stddef.h>
