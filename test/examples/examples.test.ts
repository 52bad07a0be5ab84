/**
 * The examples on the stand-in driver. It computes nothing, so each must come to its end, find that its result is wrong, and
 * say so with exit code 1 and nothing on standard error. What it asked of the driver is compared call by call.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { crc32, inflateSync } from "node:zlib";
import { functionFacts } from "../standin/facts.ts";
import { controlAddon, newestDocument, standinLibrary } from "../standin/library.ts";
import { patternBytes } from "../standin/pattern.ts";
import { attempt } from "../support/command.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const PRELOAD = fileURLToPath(new URL("standin.ts", import.meta.url));
/* Who calls these is the package, for itself. */
const UPKEEP = new Set(["cuDriverGetVersion", "cuGetProcAddress_v2", "cuCtxGetCurrent", "cuCtxSetCurrent"]);

type Call = [name: string, values: string[]];
interface Told {
  stdout: string;
  calls: Call[];
  /** Names of the calls, without the package's own. */
  names: string[];
}

let scratch: string;
const ran = new Set<string>();

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "examples-"));
  await standinLibrary(newestDocument());
  await controlAddon();
});
after(() => rmSync(scratch, { recursive: true, force: true }));

async function run(name: string, ...args: string[]): Promise<Told> {
  ran.add(`${name}.ts`);
  const file = join(scratch, `${name}${args.length}.json`);
  const preload = pathToFileURL(PRELOAD).href;
  const script = join(EXAMPLES, `${name}.ts`);
  const { code, stdout, stderr } = await attempt(
    process.execPath,
    ["--import", "tsx", "--import", preload, script, ...args],
    {
      env: { EXAMPLE_CALLS: file, NODE_TEST_CONTEXT: undefined, CUDA_API_PER_THREAD_DEFAULT_STREAM: undefined },
    },
  );
  assert.equal(stderr, "", "no exception and no warning");
  assert.equal(code, 1, stdout);
  assert.match(stdout.trimEnd().split("\n").at(-1) ?? "", /^wrong result: /, "what the last line says");
  const calls = JSON.parse(readFileSync(file, "utf8")) as Call[];
  return { stdout, calls, names: calls.map(([called]) => called).filter((called) => !UPKEEP.has(called)) };
}

function times(count: number, ...names: string[]): string[] {
  return Array.from({ length: count }, () => names).flat();
}

/** The arguments of the calls of one function, as numbers. */
function values({ calls }: Told, name: string): number[][] {
  return calls.filter(([called]) => called === name).map(([, given]) => given.map(Number));
}

/** The pieces of a PNG file, each with a right checksum. */
function chunksOf(file: Buffer): [name: string, content: Buffer][] {
  assert.equal(file.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    assert.equal(file.readUInt32BE(at + 8 + length), crc32(named));
    chunks.push([named.toString("latin1", 0, 4), named.subarray(4)]);
    at += 12 + length;
  }
  return chunks;
}

const BEGIN = ["cuInit", "cuDeviceGet", "cuDevicePrimaryCtxRetain"];
const LOAD = ["cuLibraryLoadFromFile", "cuLibraryGetKernel", "cuKernelGetFunction"];
const END = ["cuLibraryUnload", "cuDevicePrimaryCtxRelease_v2"];

describe("examples", { concurrency: 2 }, () => {
  it("deviceQuery", async () => {
    const told = await run("deviceQuery");
    const attributes = "cuDeviceGetAttribute";
    assert.deepEqual(told.names, [
      ...["cuInit", "cuDeviceGetCount"],
      ...times(
        2,
        ...["cuDeviceGet", "cuDeviceGetPCIBusId", ...times(8, attributes)],
        ...["cuDeviceGetUuid_v2", "cuDeviceTotalMem_v2", ...times(16, attributes)],
        ...["cuDeviceGetName", "cuDeviceGetByPCIBusId"],
      ),
    ]);
    assert.deepEqual(
      values(told, "cuDeviceGet").map(([, ordinal]) => ordinal),
      [0, 1],
    );
    assert.match(told.stdout, /^device 1: cuDeviceGetName name é$/m);
  });

  const saxpy = ["cuMemcpyHtoD_v2", "cuMemcpyHtoD_v2", "cuLaunchKernel", "cuCtxSynchronize", "cuMemcpyDtoH_v2"];
  const ofSaxpy = (formats: number) => [
    ...[...BEGIN, "cuMemAlloc_v2", "cuMemAlloc_v2"],
    ...times(formats, ...LOAD, ...saxpy, "cuLibraryUnload"),
    ...["cuMemFree_v2", "cuMemFree_v2", "cuDevicePrimaryCtxRelease_v2"],
  ];

  it("saxpy, of what lies in examples/kernels", async () => {
    const told = await run("saxpy");
    const formats = told.stdout.match(/^(cubin|ptx|fatbin): 0 of 1000000 equal/gm)?.length ?? 0;
    assert.ok(formats >= 1, "the PTX is committed");
    assert.deepEqual(told.names, ofSaxpy(formats));
    assert.deepEqual(values(told, "cuLaunchKernel")[0]?.slice(1, 9), [3907, 1, 1, 256, 1, 1, 0, 0]);
    assert.deepEqual(values(told, "cuMemcpyHtoD_v2")[0]?.[2], 4_000_000);
  });

  it("saxpy, of a folder: the three formats", async () => {
    const told = await run("saxpy", "/some/folder");
    assert.deepEqual(told.names, ofSaxpy(3));
    assert.deepEqual(
      told.stdout.split("\n").map((line) => line.split(":")[0]),
      ["cubin", "ptx", "fatbin", "wrong result", ""],
    );
  });

  it("streams", async () => {
    const told = await run("streams");
    const chunks = times(8, "cuMemcpyHtoDAsync_v2", "cuLaunchKernel", "cuMemcpyDtoHAsync_v2");
    const finish = ["cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime_v2"];
    assert.deepEqual(told.names, [
      ...[...BEGIN, ...LOAD, ...times(2, "cuMemHostRegister_v2"), ...times(8, "cuMemAlloc_v2")],
      ...[...times(4, "cuStreamCreate"), ...times(3, "cuEventCreate")],
      ...times(2, "cuEventRecord", ...chunks, ...finish),
      ...["cuEventRecord", ...times(3, "cuStreamWaitEvent"), ...chunks],
      ...[...times(3, "cuEventRecord", "cuStreamWaitEvent"), ...finish],
      ...[...times(3, "cuEventDestroy_v2"), ...times(4, "cuStreamDestroy_v2"), ...times(8, "cuMemFree_v2")],
      ...[...times(2, "cuMemHostUnregister"), ...END],
    ]);
    /* Each round's chunks, one behind the other in the two page-locked buffers. */
    const [[input] = [], [output] = []] = values(told, "cuMemHostRegister_v2");
    const round = Array.from({ length: 8 }, (_, chunk) => chunk * 2 ** 22);
    const expected = [...round, ...round, ...round];
    const sources = values(told, "cuMemcpyHtoDAsync_v2").map(([, source]) => Number(source) - Number(input));
    const targets = values(told, "cuMemcpyDtoHAsync_v2").map(([target]) => Number(target) - Number(output));
    assert.deepEqual([sources, targets], [expected, expected]);
  });

  it("graph", async () => {
    const told = await run("graph");
    const timed = (...work: string[]) => [
      ...["cuMemcpyHtoDAsync_v2", "cuEventRecord", ...work, "cuEventRecord", "cuMemcpyDtoHAsync_v2"],
      ...["cuStreamSynchronize", "cuEventElapsedTime_v2"],
    ];
    assert.deepEqual(told.names, [
      ...[...BEGIN, ...LOAD, "cuStreamCreate", ...times(2, "cuEventCreate"), ...times(2, "cuMemAlloc_v2")],
      ...["cuStreamBeginCapture_v2", ...times(20, "cuLaunchKernel"), "cuStreamEndCapture"],
      ...["cuGraphInstantiateWithFlags", "cuGraphGetNodes", "cuGraphGetNodes"],
      ...[...timed(...times(20, "cuLaunchKernel")), ...timed("cuGraphLaunch")],
      ...[...timed(...times(500, "cuLaunchKernel")), ...timed(...times(25, "cuGraphLaunch"))],
      ...["cuGraphExecDestroy", "cuGraphDestroy", ...times(2, "cuEventDestroy_v2"), "cuStreamDestroy_v2"],
      ...[...times(2, "cuMemFree_v2"), ...END],
    ]);
    /* The two packed forms in turn. */
    const params = values(told, "cuLaunchKernel").map((given) => given[9]);
    assert.equal(new Set(params).size, 2);
    assert.ok(params.every((address, at) => address === params[at % 2]));
  });

  it("jitLog", async () => {
    const told = await run("jitLog");
    const load = ["cuLibraryLoadData", "cuLibraryGetKernel", "cuKernelGetFunction", "cuFuncGetAttribute"];
    assert.deepEqual(told.names, [
      ...[...BEGIN, ...times(2, ...load, "cuLibraryUnload")],
      ...["cuLibraryLoadData", "cuLibraryGetModule", ...END],
    ]);
    const counts = values(told, "cuLibraryLoadData").map((given) => [given[4], given[7]]);
    assert.deepEqual(counts, [
      [5, 0],
      [5, 0],
      [2, 0],
    ]);
  });

  it("asyncCopies", async () => {
    const told = await run("asyncCopies");
    /* Four trips run at once: of each step, as many as should be, and none before the one that it needs. */
    const steps: [name: string, count: number][] = [
      ["cuInit", 1],
      ["cuDeviceGet", 1],
      ["cuDevicePrimaryCtxRetain", 1],
      ["cuMemHostRegister_v2", 8],
      ["cuStreamCreate", 4],
      ["cuMemAlloc_v2", 8],
      ["cuMemcpyHtoDAsync_v2", 4],
      ["cuMemcpyDtoDAsync_v2", 4],
      ["cuMemcpyDtoHAsync_v2", 4],
      ["cuStreamSynchronize", 4],
      ["cuMemFree_v2", 8],
      ["cuStreamDestroy_v2", 4],
      ["cuMemHostUnregister", 8],
      ["cuDevicePrimaryCtxRelease_v2", 1],
    ];
    assert.deepEqual(told.names.toSorted(), steps.flatMap(([name, count]) => times(count, name)).toSorted());
    const seen = new Map(steps.map(([name]) => [name, 0]));
    for (const called of told.names) {
      seen.set(called, (seen.get(called) ?? 0) + 1);
      const shares = steps.map(([name, count]) => (seen.get(name) ?? 0) / count);
      assert.deepEqual(shares, shares.toSorted().reverse(), `${called} came too early`);
    }
    assert.equal(told.names.at(-1), "cuDevicePrimaryCtxRelease_v2");
    assert.match(told.stdout, /^meanwhile the event loop went round [1-9]\d* times$/m);
  });

  it("image: a PNG file of the pixels that the driver gave", async () => {
    const file = join(scratch, "image.png");
    const told = await run("image", file);
    assert.deepEqual(told.names, [
      ...[...BEGIN, ...LOAD, ...times(2, "cuMemAlloc_v2"), "cuMemcpyHtoD_v2", "cuLaunchKernel", "cuCtxSynchronize"],
      ...["cuMemcpyDtoH_v2", ...times(2, "cuMemFree_v2"), ...END],
    ]);
    assert.deepEqual(values(told, "cuLaunchKernel")[0]?.slice(1, 9), [60, 40, 1, 16, 16, 1, 0, 0]);

    const chunks = chunksOf(readFileSync(file));
    assert.deepEqual(
      chunks.map(([name]) => name),
      ["IHDR", "IDAT", "IEND"],
    );
    assert.equal(chunks[0]?.[1].toString("hex"), "000003c0000002800806000000");
    const rows = inflateSync(chunks[1]?.[1] ?? Buffer.alloc(0));
    assert.equal(rows.length, 640 * (1 + 4 * 960));
    const copy = functionFacts(newestDocument()).find(({ api }) => api.name === "cuMemcpyDtoH_v2")?.params[0];
    assert.equal(copy?.name, "dstHost");
    const pixels = Buffer.from(patternBytes(copy.content, copy.seed, 4 * 960 * 640));
    for (let y = 0; y < 640; y++) {
      const row = rows.subarray(y * 3841, (y + 1) * 3841);
      assert.equal(row[0], 0);
      assert.ok(row.subarray(1).equals(pixels.subarray(y * 3840, (y + 1) * 3840)), `row ${y}`);
    }
  });
});

it("every example was run, and every kernel has its PTX", () => {
  const files = readdirSync(EXAMPLES);
  assert.deepEqual(
    files.filter((name) => name.endsWith(".ts")),
    [...ran].sort(),
  );
  const kernels = readdirSync(join(EXAMPLES, "kernels")).filter((name) => name.endsWith(".cu"));
  assert.ok(kernels.length >= 4);
  for (const kernel of kernels) {
    const entry = /__global__ void (\w+)/.exec(readFileSync(join(EXAMPLES, "kernels", kernel), "utf8"))?.[1];
    const ptx = readFileSync(join(EXAMPLES, "kernels", kernel.replace(/cu$/, "ptx")), "utf8");
    assert.match(ptx, new RegExp(`^\\.visible \\.entry ${entry}\\(`, "m"));
    assert.doesNotMatch(ptx, /\/\/|\/\*/, "no comments");
  }
});
