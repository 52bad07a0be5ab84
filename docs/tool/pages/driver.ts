/**
 * The same functions under the names of cuda-python.
 *
 * @module cuda-driver/v2/driver
 */
export * from "cuda-driver/v2/driver";
