/**
 * The Mandelbrot set, computed on the GPU and written as PNG: npx tsx examples/image.ts [file, else mandelbrot.png]
 * Every pixel is compared with the one that JavaScript finds.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import * as cuda from "cuda-driver";

const { f64, i32, ptr } = cuda.kernel;
const file = process.argv[2] ?? "mandelbrot.png";
const [width, height] = [960, 640];
const [left, top, step] = [-2.25, 1, 1 / 320]; // the upper left corner, and the distance of two pixels
const most = 500; // steps after which a point counts as one of the set

/* Red, green, blue, opacity, for each number of steps: waves of three phases. Black, at the end, is the set itself. */
const palette = new Uint8Array(4 * (most + 1));
for (let steps = 0; steps <= most; steps++) {
  const wave = (phase: number) => Math.round(127.5 * (1 - Math.cos(Math.sqrt(steps) * 0.9 + phase)));
  palette.set(steps < most ? [wave(0), wave(0.5), wave(1.1), 255] : [0, 0, 0, 255], 4 * steps);
}

cuda.cuInit(0);
const device = cuda.cuDeviceGet(0);
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(device));
const library = cuda.cuLibraryLoadFromFile(fileURLToPath(new URL("kernels/mandelbrot.ptx", import.meta.url)));
const mandelbrot = cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, "mandelbrot"));

const pixels = new Uint8Array(4 * width * height);
const colours = cuda.cuMemAlloc(palette.byteLength);
const image = cuda.cuMemAlloc(pixels.byteLength);
cuda.cuMemcpyHtoD(colours, palette);
const params = cuda.kernelParams(
  i32(width),
  i32(height),
  f64(left),
  f64(top),
  f64(step),
  i32(most),
  ptr(colours),
  ptr(image),
);
cuda.cuLaunchKernel(mandelbrot, Math.ceil(width / 16), Math.ceil(height / 16), 1, 16, 16, 1, 0, null, params, null);
cuda.cuCtxSynchronize();
cuda.cuMemcpyDtoH(pixels, image);
for (const memory of [colours, image]) cuda.cuMemFree(memory);
cuda.cuLibraryUnload(library);
cuda.cuDevicePrimaryCtxRelease(device);

/** A piece of a PNG file: length, name, content, checksum of the two. */
function chunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** A PNG file of pixels of four bytes: red, green, blue, opacity. */
function png(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8); // bits a channel, and colour with opacity; what follows are zeros
  /* Each row begins with its filter: 0, none. */
  const rows = Buffer.alloc(height * (4 * width + 1));
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(4 * width * y, 4 * width * (y + 1)), y * (4 * width + 1) + 1);
  }
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

writeFileSync(file, png(width, height, pixels));
console.log(`${file}: ${width} x ${height} pixels`);

/** As the kernel does it, operation by operation: numbers are doubles in both. */
function stepsAt(px: number, py: number): number {
  const cx = left + px * step;
  const cy = top - py * step;
  let [x, y, steps] = [0, 0, 0];
  for (; steps < most; steps++) {
    const [xx, yy] = [x * x, y * y];
    if (xx + yy > 4) break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  return steps;
}

const found = new Uint32Array(pixels.buffer);
const wanted = new Uint32Array(palette.buffer);
const wrong = found.filter((pixel, i) => pixel !== wanted[stepsAt(i % width, Math.floor(i / width))]).length;
if (wrong > 0) {
  console.log(`wrong result: ${wrong} pixels`);
  process.exitCode = 1;
}
