/* A stand-in of our own: as much of this header as the toolkit's headers need to be read by a compiler. */
#pragma once
typedef void *EGLImageKHR;
typedef void *EGLStreamKHR;
typedef void *EGLSyncKHR;
