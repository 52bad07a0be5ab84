/**
 * The frame: 64-bit slots through which a call goes to the addon. Slot 0 holds the index of the function, then its CUresult;
 * slot n the n-th parameter; from OUT_SLOT on lie the values that the driver writes, then short strings.
 * This file is also copied into every generated package, so it imports nothing.
 */

/** First slot of out values; those before it are parameters. */
export const OUT_SLOT = 32;

/** First slot of short strings. */
export const TEXT_SLOT = 64;

/** Bytes of the whole. */
export const FRAME_SIZE = 8192;

/** What the addon leaves in slot 0 where the function has no address yet. */
export const UNRESOLVED = -2147483648;
