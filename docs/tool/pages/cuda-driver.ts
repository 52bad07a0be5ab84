/**
 * The package: every function under NVIDIA's names (`cuMemAlloc_v2`) and, as a reference to one of them, under the plain names
 * (`cuMemAlloc`) that the headers give a meaning; the enums, records, handles and constants; look-ups, memory, kernel arguments.
 *
 * @module cuda-driver
 */
export * from "cuda-driver";
