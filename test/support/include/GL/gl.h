/* A stand-in of our own: as much of this header as the toolkit's headers need to be read by a compiler. */
#pragma once
typedef unsigned int GLuint;
typedef unsigned int GLenum;
