/**
 * Another process that works on memory of the first: doubles 32-bit words there.
 * Asked with {kind, words, ...}; answers {sum} of the words as it found them, or {error}.
 */
import type * as Cuda from "cuda-driver";
import { cuda } from "../count.ts";
import { blocks, kernel, launch, words } from "../device.ts";
import { answer, argument } from "./child.ts";

interface Request {
  kind: "memory" | "physical" | "pool" | "event";
  words: number;
  /** Bytes of a handle, in hexadecimal. */
  handle?: string;
  size?: number;
  device?: number;
}

const { ptr, u32 } = cuda.kernel;
const request = argument<Request>();
const descriptor = 3;
const device = (request.device ?? 0) as Cuda.CUdevice;
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(cuda.cuDeviceGet(device)));

function filled<T extends Cuda.Struct>(record: T): T {
  record.$bytes.set(Buffer.from(request.handle ?? "", "hex"));
  return record;
}

/** Doubles them, and says what they were. */
function double(memory: bigint): number {
  const sum = words(memory, request.words).reduce((total, word) => total + word, 0);
  launch(kernel("scale"), blocks(request.words), ptr(memory), u32(request.words), u32(2), u32(0));
  cuda.cuCtxSynchronize();
  return sum;
}

function work(): number {
  const here = { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: device };
  const flags = cuda.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  const posix = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if (request.kind === "memory") {
    const memory = cuda.cuIpcOpenMemHandle(
      filled(new cuda.CUipcMemHandle()),
      cuda.CUipcMem_flags.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS,
    );
    const sum = double(memory);
    cuda.cuIpcCloseMemHandle(memory);
    return sum;
  }
  if (request.kind === "physical") {
    const size = request.size ?? 0;
    const piece = cuda.cuMemImportFromShareableHandle(descriptor, posix);
    const memory = cuda.cuMemAddressReserve(size, 0, 0n, 0);
    cuda.cuMemMap(memory, size, 0, piece, 0);
    cuda.cuMemSetAccess(memory, size, { location: here, flags }, 1);
    const sum = double(memory);
    cuda.cuMemUnmap(memory, size);
    cuda.cuMemRelease(piece);
    cuda.cuMemAddressFree(memory, size);
    return sum;
  }
  if (request.kind === "pool") {
    const pool = cuda.cuMemPoolImportFromShareableHandle(descriptor, posix, 0);
    cuda.cuMemPoolSetAccess(pool, { location: here, flags }, 1);
    const memory = cuda.cuMemPoolImportPointer(pool, filled(new cuda.CUmemPoolPtrExportData()));
    const sum = double(memory);
    cuda.cuMemFree(memory);
    cuda.cuMemPoolDestroy(pool);
    return sum;
  }
  const event = cuda.cuIpcOpenEventHandle(filled(new cuda.CUipcEventHandle()));
  cuda.cuEventSynchronize(event);
  const done = cuda.cuEventQuery(event) ? 1 : 0;
  cuda.cuEventDestroy(event);
  return done;
}

try {
  answer({ sum: work() });
} catch (error) {
  answer({ error: (error as Error).message });
}
