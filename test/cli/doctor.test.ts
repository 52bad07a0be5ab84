import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { describeDriver, type Finding, stubFindings } from "../../generator/commands/doctor.ts";
import { packageRoot } from "../../generator/root.ts";
import { attempt } from "../support/command.ts";
import { driver } from "../support/drivers.ts";

const program = join(packageRoot(), "generator", "cli.ts");
const generated = join(packageRoot(), "generated");
const work = mkdtempSync(join(tmpdir(), "codegen-doctor-"));
after(() => rmSync(work, { recursive: true, force: true }));

/** Problems and notes, in short. */
function said(findings: readonly Finding[]): string[] {
  return findings.filter(({ level }) => level !== "ok").map(({ level, about, text }) => `${level} ${about}: ${text}`);
}

const absent = {
  path: "libcuda.so.1",
  reason: "cannot open shared object file: No such file or directory",
};
const stub = { path: "libcuda.so.1", reason: "/x/stubs/libcuda.so.1 is a toolkit's link-time stub, not a driver" };
const orphan = {
  path: "libcuda.so.1",
  reason: "libnvidia-fatbinaryloader.so.390.157: cannot open shared object file: No such file or directory",
};
const present = { failed: null, path: "/x/libcuda.so.1", version: 12040, passedOver: [], devices: 2, error: null };

describe("the driver", () => {
  test("that is not there is worth a note, on Windows too; one that is named and not there is a problem", () => {
    const none = { failed: "driver" as const, message: "", tried: [absent] };
    const note = ["note driver: none is here: what needs one throws until NVIDIA's driver is installed"];
    assert.deepEqual(said(describeDriver(none, 13000, undefined)), note);
    const windows = { ...none, tried: [{ path: "nvcuda.dll", reason: "error 126" }] };
    assert.deepEqual(said(describeDriver(windows, 13000, undefined)), note);
    assert.deepEqual(said(describeDriver(none, 13000, "/x/libcuda.so.1")), [
      "problem driver: CUDA_DRIVER_LIBRARY names /x/libcuda.so.1, which is not there: name another, or unset it",
    ]);
  });

  test("that is there and cannot be used is a problem, also before one that can", () => {
    const passed = (reason: string) => `problem driver: libcuda.so.1 was passed over: ${reason}`;
    const tried = [absent, orphan];
    const broken = said(describeDriver({ failed: "driver", message: "", tried }, null, undefined));
    assert.deepEqual(broken.slice(0, -1), [passed(orphan.reason)]);
    assert.deepEqual(said(describeDriver({ ...present, passedOver: [absent, stub] }, 12040, undefined)), [
      passed(stub.reason),
    ]);
  });

  test("older than the package, or without a GPU: notes; one that fails otherwise: a problem", () => {
    assert.deepEqual(said(describeDriver(present, 12040, undefined)), []);
    assert.deepEqual(said(describeDriver(present, 13000, undefined)), [
      "note driver: the package knows CUDA 13.0, the driver 12.4: what is newer throws when it is called",
    ]);
    const fails = (code: string) =>
      said(
        describeDriver({ ...present, devices: null, error: { code, message: `cuInit: ${code}` } }, 12040, undefined),
      );
    assert.deepEqual(fails("CUDA_ERROR_NO_DEVICE"), ["note gpu: the driver sees none"]);
    assert.deepEqual(fails("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"), [
      "problem gpu: cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
    ]);
  });

  test("a stub on the loader's path is named with its folder", () => {
    const stubs = join(work, "cuda/lib64/stubs");
    mkdirSync(stubs, { recursive: true });
    writeFileSync(join(stubs, "libcuda.so"), "");
    const [finding] = stubFindings({ LD_LIBRARY_PATH: `/usr/lib:${stubs}` });
    assert.match(finding?.text ?? "", /leads to .*stubs\/libcuda\.so, a stub for linking only: take .*stubs out of it/);
    assert.deepEqual(stubFindings({ LD_LIBRARY_PATH: ":/usr/lib" }), []);
  });
});

/** What the machine's own CUDA set-up would say is no matter here. */
const withoutCuda = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^CUDA_|^LD_LIBRARY_PATH$/.test(name))
    .map((name) => [name, undefined]),
);

interface Report {
  problems: number;
  findings: Finding[];
}

async function doctor(out: string, env: Record<string, string> = {}): Promise<Report & { code: number }> {
  const args = ["--import", import.meta.resolve("tsx"), program, "doctor", "--out", out, "--json"];
  const { code, stdout } = await attempt(process.execPath, args, { env: { ...withoutCuda, ...env } });
  return { code, ...(JSON.parse(stdout) as Report) };
}

describe("the committed package", () => {
  test("with a real driver and no GPU: nothing is wrong", async () => {
    const { path, env } = await driver(12040);
    const { code, problems, findings } = await doctor(generated, { ...env, CUDA_DRIVER_LIBRARY: path });
    assert.deepEqual([code, problems], [0, 0], JSON.stringify(findings));
    const about = (name: Finding["about"]) => findings.filter((finding) => finding.about === name);
    assert.match(about("driver")[0]?.text ?? "", new RegExp(`^CUDA 12\\.4 in ${path}$`));
    assert.equal(about("driver")[1]?.level, "note");
    assert.equal(about("addon")[0]?.level, "ok");
  });

  test("without a driver: a note; one that is named and not there, or is none: a problem", async (context) => {
    const none = await doctor(generated, { LD_LIBRARY_PATH: join(work, "nothing") });
    const found = none.findings.find(({ about, level }) => about === "driver" && level === "ok");
    if (found) context.diagnostic(`this machine has a driver: ${found.text}`);
    assert.deepEqual([none.code, none.problems], [0, 0], JSON.stringify(none.findings));
    const named = async (path: string) => said((await doctor(generated, { CUDA_DRIVER_LIBRARY: path })).findings);
    const missing = join(work, "missing.so");
    const says = `problem driver: CUDA_DRIVER_LIBRARY names ${missing}, which is not there: name another, or unset it`;
    assert.ok((await named(missing)).includes(says));
    const text = join(work, "text.so");
    writeFileSync(text, "no library");
    assert.ok((await named(text)).some((line) => line.startsWith(`problem driver: ${text} was passed over: `)));
  });

  test("damaged: files that are missing, an addon that does not load", async () => {
    const out = join(work, "damaged");
    cpSync(generated, out, { recursive: true, filter: (from) => !/[/\\](node_modules|obj)/.test(from) });
    rmSync(join(out, "native/shim.c"));
    writeFileSync(join(out, "build/Release/cuda_driver.node"), "no addon");
    const { code, problems, findings } = await doctor(out);
    assert.deepEqual([code, problems], [1, 2]);
    assert.deepEqual(
      findings.filter(({ level }) => level === "problem").map(({ about }) => about),
      ["package", "addon"],
    );
    assert.match(said(findings).join("\n"), /lacks native\/shim\.c: run codegen generate/);
    assert.match(said(findings).join("\n"), /does not load: .*addon cannot be loaded; build it with/);
  });

  test("a Python that is called python is asked for pip too, as fetch asks it", async () => {
    const path = join(work, "python-only");
    mkdirSync(path);
    writeFileSync(join(path, "python"), "#!/bin/sh\necho 'pip 99.1 from /x (python 3.12)'\n");
    chmodSync(join(path, "python"), 0o755);
    const pip = async (out: string) =>
      (await doctor(out, { PATH: path })).findings.filter(({ about }) => about === "pip");
    assert.deepEqual(await pip(join(work, "none")), [{ about: "pip", level: "ok", text: "pip 99.1" }]);
    rmSync(join(path, "python"));
    assert.equal((await pip(join(work, "none")))[0]?.level, "note");
  });

  test("not built yet: a note that says how", async () => {
    const out = join(work, "unbuilt");
    cpSync(generated, out, { recursive: true, filter: (from) => !/[/\\](build|dist|node_modules)/.test(from) });
    const { code, findings } = await doctor(out);
    assert.equal(code, 0, JSON.stringify(findings));
    assert.match(said(findings).join("\n"), /can be asked only through a built package: run npm install in .*unbuilt/);
  });
});
