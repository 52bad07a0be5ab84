"""The same loops through cuda-python: prints "line nanoseconds" for each. Arguments: folder with the kernels, rounds."""

import sys
import time

import numpy
from cuda.bindings import driver


def check(answer):
    if answer[0] != driver.CUresult.CUDA_SUCCESS:
        raise SystemExit(str(answer[0]))
    return answer[1] if len(answer) == 2 else answer[1:]


folder, rounds = sys.argv[1], int(sys.argv[2])
launches = rounds // 20 + 1
check(driver.cuInit(0))
device = check(driver.cuDeviceGet(0))
context = check(driver.cuDevicePrimaryCtxRetain(device))
check(driver.cuCtxSetCurrent(context))
stream = check(driver.cuStreamCreate(0))
event = check(driver.cuEventCreate(0))
memory = check(driver.cuMemAlloc(4096))
module = check(driver.cuModuleLoad(f"{folder}/kernels.cubin".encode()))
kernels = {n: check(driver.cuModuleGetFunction(module, f"empty{n}".encode())) for n in (0, 1, 16, 256)}
check(driver.cuEventRecord(event, stream))
check(driver.cuStreamSynchronize(stream))
host = numpy.zeros(4, dtype=numpy.uint8)


def measure(line, count, work):
    for _ in range(count // 10 + 1):
        work()
    runs = []
    for _ in range(5):
        driver.cuCtxSynchronize()
        start = time.perf_counter_ns()
        for _ in range(count):
            work()
        runs.append((time.perf_counter_ns() - start) / count)
    driver.cuCtxSynchronize()
    print(f"{line} {sorted(runs)[2]:.2f}", flush=True)


def launch(n):
    import ctypes

    values = tuple(range(n))
    types = (ctypes.c_int,) * n
    kernel = kernels[n]
    return lambda: driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, (values, types) if n else 0, 0)


def alloc_free():
    driver.cuMemFree(driver.cuMemAlloc(64)[1])


warp = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE
kind = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE
measure("cuCtxGetCurrent", rounds // 10, driver.cuCtxGetCurrent)
measure("cuDeviceGetAttribute", rounds // 10, lambda: driver.cuDeviceGetAttribute(warp, device))
measure("cuPointerGetAttribute", rounds // 10, lambda: driver.cuPointerGetAttribute(kind, memory))
measure("cuEventRecord", rounds // 10, lambda: driver.cuEventRecord(event, stream))
measure("cuEventQuery", rounds // 10, lambda: driver.cuEventQuery(event))
measure("cuStreamQuery", rounds // 10, lambda: driver.cuStreamQuery(stream))
measure("cuMemAlloc+cuMemFree", launches, alloc_free)
measure("cuMemcpyHtoD 4 bytes", launches, lambda: driver.cuMemcpyHtoD(memory, host, 4))
for n, line in ((0, "launch 0 arguments"), (1, "launch 1 argument"), (16, "launch 16 arguments"), (256, "launch 256 arguments")):
    measure(line, launches, launch(n))
