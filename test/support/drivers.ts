/**
 * Real builds of libcuda, taken out of Debian's packages, for tests on machines with no GPU.
 * They are NVIDIA's: they live in the cache and nowhere else.
 *
 * The machine's apt set-up is read (which mirror, which proxy) and never written: sources, lists, caches and configuration
 * are our own, for the length of one call.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cached } from "./cache.ts";
import { attempt, command } from "./command.ts";
import rows from "./drivers.json" with { type: "json" };

export interface DriverBuild {
  /** What cuDriverGetVersion says: 12020. */
  cuda: number;
  /** `535.261.03` */
  release: string;
  /** The shared library. */
  path: string;
  /** Environment that a process needs, from its start on, to load it, by path or as libcuda.so.1. */
  env: { LD_LIBRARY_PATH: string };
}

interface DriverRow {
  cuda: number;
  release: string;
  packages: string[];
  /** File name -> sha256. */
  files: Record<string, string>;
}

/** Nothing but these is kept of a package. */
const WANTED = /^(libcuda|libnvidia-fatbinaryloader)\.so\.\d[\d.]*\d$/;
const SUITES = ["bullseye", "bookworm", "trixie", "sid"];
const KEYRINGS = ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/** All builds, oldest first; fetched on the first call, offline afterwards. */
export async function drivers(): Promise<DriverBuild[]> {
  const builds: DriverBuild[] = [];
  let apt: Promise<Apt> | undefined;
  try {
    for (const row of rows as DriverRow[]) {
      const folder = await cached(`drivers/${row.release}`, async (empty) => {
        apt ??= openApt();
        await fetchDriver(await apt, row, empty);
      });
      const path = join(folder, `libcuda.so.${row.release}`);
      const inherited = process.env.LD_LIBRARY_PATH;
      const env = { LD_LIBRARY_PATH: inherited ? `${folder}:${inherited}` : folder };
      builds.push({ cuda: row.cuda, release: row.release, path, env });
    }
  } finally {
    if (apt)
      await apt.then(
        (opened) => opened.close(),
        () => {},
      );
  }
  return builds;
}

/** The build of one CUDA version (12020), by itself. */
export async function driver(cuda: number): Promise<DriverBuild> {
  const build = (await drivers()).find((candidate) => candidate.cuda === cuda);
  if (!build) throw new Error(`there is no driver of CUDA ${cuda} in test/support/drivers.json`);
  return build;
}

async function fetchDriver(apt: Apt, row: DriverRow, folder: string): Promise<void> {
  for (const name of row.packages) {
    const tree = await apt.unpack(name, row.release);
    for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && WANTED.test(entry.name)) {
        await copyFile(join(entry.parentPath, entry.name), join(folder, entry.name));
      }
    }
  }
  const found = await hashes(folder);
  for (const [file, hash] of Object.entries(row.files)) {
    if (found[file] !== hash) {
      throw new Error(
        `${file} from ${row.packages.join(", ")} has sha256 ${found[file] ?? "(no such file)"}, ` +
          `test/support/drivers.json says ${hash}: look at the package and correct the list`,
      );
    }
  }
  const unknown = Object.keys(found).find((file) => !(file in row.files));
  if (unknown) throw new Error(`${unknown} (sha256 ${found[unknown]}) is not listed in test/support/drivers.json`);
  await symlink(`libcuda.so.${row.release}`, join(folder, "libcuda.so.1"));
}

async function hashes(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const file of (await readdir(folder)).sort()) {
    found[file] = createHash("sha256")
      .update(await readFile(join(folder, file)))
      .digest("hex");
  }
  return found;
}

interface Apt {
  /** Fetches and unpacks the package `name` of the upstream release `release`; gives the folder. */
  unpack(name: string, release: string): Promise<string>;
  close(): Promise<void>;
}

/** An apt of our own over the machine's mirror. */
async function openApt(): Promise<Apt> {
  const mirror = await debianMirror();
  const folder = await mkdtemp(join(tmpdir(), "codegen-apt-"));
  for (const part of ["lists/partial", "cache/archives/partial", "none"]) {
    await mkdir(join(folder, part), { recursive: true });
  }
  const config = join(folder, "apt.conf");
  await writeFile(config, await aptConfiguration(folder));
  const env = { APT_CONFIG: config, LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" };

  /** Suites that fail are passed over here: whether one matters shows when a package is looked for. */
  async function update(option: string): Promise<string> {
    const lines = SUITES.map((suite) => `deb [arch=amd64 ${option}] ${mirror} ${suite} non-free\n`);
    await writeFile(join(folder, "sources.list"), lines.join(""));
    return (await attempt("apt-get", ["update"], { env })).stderr.trim();
  }

  async function offered(name: string): Promise<string[]> {
    const table = await command("apt-cache", ["madison", name], { env });
    return table.split("\n").flatMap((line) => line.split("|")[1]?.trim() ?? []);
  }

  /** 535.261.03-1 and 1:535.261.03-1+b1 are both release 535.261.03; any packaging of it holds the same file. */
  async function find(name: string, release: string): Promise<string | undefined> {
    const versions = await offered(name);
    return versions.find((version) => version.replace(/^\d+:/, "").replace(/-[^-]*$/, "") === release);
  }

  const keyring = KEYRINGS.find((file) => existsSync(file));
  let said = await update(keyring ? `signed-by=${keyring}` : "");
  let signed = true;

  async function unpack(name: string, release: string): Promise<string> {
    let version = await find(name, release);
    if (!version && signed) {
      // A machine of an older Debian may lack the key of a newer suite. The lists are then read unsigned: they only say where
      // a file lies, and every file is held to the sha256 in drivers.json, which is a stronger promise than the signature.
      signed = false;
      said = (await update("trusted=yes")) || said;
      version = await find(name, release);
    }
    if (!version) {
      const versions = (await offered(name)).join(", ") || "none at all";
      throw new Error(
        `Debian's mirror has no ${name} of release ${release} today, it offers ${versions}: ` +
          `correct test/support/drivers.json${said ? ` (apt said: ${said.split("\n").slice(-3).join(" ")})` : ""}`,
      );
    }
    const download = await mkdtemp(join(folder, `${name}-`));
    await command("apt-get", ["download", `${name}:amd64=${version}`], { env, cwd: download });
    const [deb] = await readdir(download);
    if (!deb) throw new Error(`apt-get download ${name} left no file`);
    await command("dpkg", ["-x", join(download, deb), join(download, "tree")]);
    return join(download, "tree");
  }

  return { unpack, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Where this machine gets Debian from: the part before /dists/ of the first Debian suite that apt would ask for. */
async function debianMirror(): Promise<string> {
  const uris = await command("apt-get", ["update", "--print-uris"]);
  const names = "bullseye|bookworm|trixie|forky|sid|oldoldstable|oldstable|stable|testing|unstable";
  const line = new RegExp(`^'(.+)/dists/(?:${names})/InRelease'`, "m").exec(uris);
  if (!line?.[1])
    throw new Error("apt on this machine has no Debian suite configured; the driver tests need Debian's mirror");
  return line[1];
}

/**
 * What the machine says of proxies and transports, and nothing else of its configuration: no hooks that would clean or
 * refresh the system's caches, no further index files.
 */
async function aptConfiguration(folder: string): Promise<string> {
  const machine = (await command("apt-config", ["dump"])).split("\n");
  const kept = machine.filter((line) => /^(Acquire::(?!IndexTargets)|APT::Architecture )/.test(line));
  return [
    ...kept,
    `Dir::Etc::Main "/nonexistent";`,
    `Dir::Etc::Parts "${folder}/none";`,
    `Dir::Etc::SourceList "${folder}/sources.list";`,
    `Dir::Etc::SourceParts "${folder}/none";`,
    `Dir::Etc::Preferences "/nonexistent";`,
    `Dir::Etc::PreferencesParts "${folder}/none";`,
    `Dir::State::Lists "${folder}/lists";`,
    `Dir::Cache "${folder}/cache";`,
    `Acquire::Languages "none";`,
    `Acquire::Retries "3";`,
    // Our folders belong to whoever runs the tests; apt's own user could not write there.
    `APT::Sandbox::User "";`,
    "",
  ].join("\n");
}
