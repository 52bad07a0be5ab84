import { UserError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import { formatVersion, parseVersionRequest, type VersionRequest } from "../versions.ts";
import { type CachedRelease, cachedReleases, cacheFolder } from "./cache.ts";
import { firstHeader, readHeaders } from "./headers.ts";
import { type Machine, pathsOf, thisMachine } from "./machine.ts";
import {
  condaPlaces,
  type Examined,
  examinePlace,
  installedPlaces,
  nvccPlaces,
  type Place,
  pipPlaces,
  shimmedPipPlaces,
  variablePlaces,
  variableVersion,
} from "./places.ts";
import type { HeaderText, Toolkit } from "./toolkit.ts";

/** A toolkit's include folder on this machine. */
export interface FoundToolkit {
  /** CUDA_VERSION of its first header. */
  version: number;
  directory: string;
  /** `12.4.127`, where it is known: of fetched headers. */
  release: string | null;
  /** `--toolkit`, `CUDA_HOME`, `nvcc on PATH`, `/usr/local`, `conda`, `pip`, `wheel 12.4.127`, ... */
  origin: string;
  /** As they were read while looking; null: not yet, where a hash says what they are. */
  headers: HeaderText[] | null;
}

type Located = { kind: "found"; toolkit: FoundToolkit; warnings: Warning[] } | NotHere;

interface Warning {
  /** What looked like a toolkit and is none, or what was chosen where there was a choice. */
  about: "passed over" | "choice";
  text: string;
}

/** No such headers are here: the history must answer. */
interface NotHere {
  kind: "history";
  /** null: its newest. */
  version: number | null;
  /** `12.4.127`, where exactly that was asked for. */
  release: string | null;
  /** Another release of the version that is here: what to read where the history does not have the one asked for. */
  near: FoundToolkit | null;
  warnings: Warning[];
}

export interface LocateRequest {
  /** What `--toolkit` says: a folder, or a version. */
  toolkit?: string | undefined;
  /** What a folder that `toolkit` names is said to come from; `--toolkit` where this does not say. */
  origin?: string;
  machine?: Machine;
  /** Cache of fetched headers; looked at only for a version. */
  cache?: string;
}

/**
 * Finds the toolkit to read. A folder: that one. A version: an installed toolkit, else fetched headers, else the history.
 * Nothing: the installed one, else the history.
 * @throws UserError if an option or a variable names a folder that holds no toolkit.
 */
export function locate(library: Library, request: LocateRequest = {}): Located {
  const machine = request.machine ?? thisMachine();
  if (request.toolkit === undefined) return locateInstalled(library, machine);
  const version = parseVersionRequest(request.toolkit);
  if (version) return locateVersion(version, library, machine, request.cache ?? cacheFolder(machine.env));
  const { resolve } = pathsOf(machine);
  const place: Place = { origin: request.origin ?? "--toolkit", folder: resolve(request.toolkit), named: true };
  return { kind: "found", toolkit: mustHold(place, library, machine), warnings: [] };
}

/** Reads a found toolkit's headers. @throws UserError */
export function readToolkit(found: FoundToolkit, library: Library, machine: Machine = thisMachine()): Toolkit {
  return { ...found, headers: found.headers ?? readHeaders(found.directory, library, machine) };
}

/** Every toolkit that can be found here, each once, in search order; and what looked like one and is none. */
export function findAll(
  library: Library,
  machine: Machine = thisMachine(),
): { toolkits: FoundToolkit[]; refused: string[] } {
  const toolkits: FoundToolkit[] = [];
  const refused: string[] = [];
  const seen = new Set<string>();
  for (const place of allPlaces(machine)) {
    const examined = examinePlace(place, library, machine);
    const key = machine.disk.real(examined.directory);
    if (seen.has(key)) continue;
    seen.add(key);
    const toolkit = foundAt(place, examined);
    if (toolkit) toolkits.push(toolkit);
    else if (examined.folder.state === "refused") refused.push(`${place.origin}: ${examined.folder.reason}`);
    else if (place.named) refused.push(emptyPlace(place, library));
  }
  return { toolkits, refused };
}

function locateInstalled(library: Library, machine: Machine): Located {
  const warnings: Warning[] = [];
  const variables = variablePlaces(machine);
  const chosen = variables[0];
  if (chosen) {
    const toolkit = mustHold(chosen, library, machine);
    warnings.push(...variableWarnings(toolkit, variables, library, machine));
    warnings.push(...nvccWarnings(toolkit, machine));
    return { kind: "found", toolkit, warnings };
  }
  const searches = [nvccPlaces, installedPlaces, condaPlaces];
  for (const place of searches.flatMap((search) => search(machine))) {
    const { toolkit, passedOver } = look(place, library, machine);
    warnings.push(...passedOver);
    if (toolkit) return { kind: "found", toolkit, warnings: [...warnings, ...nvccWarnings(toolkit, machine)] };
  }
  for (const search of [pipPlaces, shimmedPipPlaces]) {
    const { toolkit, notes } = newestOf(search(machine), library, machine);
    warnings.push(...notes);
    if (toolkit) return { kind: "found", toolkit, warnings: [...warnings, ...nvccWarnings(toolkit, machine)] };
  }
  return { kind: "history", version: null, release: null, near: null, warnings };
}

function locateVersion(request: VersionRequest, library: Library, machine: Machine, cache: string): Located {
  const { version, release } = request;
  const installed = (search: Search) =>
    search(machine)
      .flatMap((place) => look(place, library, machine).toolkit ?? [])
      .filter((toolkit) => toolkit.version === version);
  const fetched = () => cachedReleases(library, cache, version).map(foundInCache).reverse();
  let near: FoundToolkit | null = null;
  for (const toolkits of [
    ...quickSearches.map((search) => () => installed(search)),
    fetched,
    () => installed(shimmedPipPlaces),
  ]) {
    for (const toolkit of toolkits()) {
      const releases = toolkit.release === null ? installedReleases(toolkit, machine) : [toolkit.release];
      if (release === null || releases.includes(release)) return { kind: "found", toolkit, warnings: [] };
      near ??= toolkit;
    }
  }
  return { kind: "history", version, release, near, warnings: [] };
}

type Search = (machine: Machine) => Place[];

/** Where toolkits may be installed, in the order of the search. */
const quickSearches: readonly Search[] = [variablePlaces, nvccPlaces, installedPlaces, condaPlaces, pipPlaces];

function allPlaces(machine: Machine): Place[] {
  return [...quickSearches, shimmedPipPlaces].flatMap((search) => search(machine));
}

function look(
  place: Place,
  library: Library,
  machine: Machine,
): { examined: Examined; toolkit: FoundToolkit | null; passedOver: Warning[] } {
  const examined = examinePlace(place, library, machine);
  const { folder } = examined;
  const passedOver: Warning[] =
    folder.state === "refused" ? [{ about: "passed over", text: `passed over: ${folder.reason}` }] : [];
  return { examined, toolkit: foundAt(place, examined), passedOver };
}

/** The toolkit at a place that someone named. @throws UserError if there is none */
function mustHold(place: Place, library: Library, machine: Machine): FoundToolkit {
  const { examined, toolkit } = look(place, library, machine);
  if (toolkit) return toolkit;
  if (examined.folder.state === "refused") throw new UserError(`${place.origin}: ${examined.folder.reason}`);
  if (machine.disk.isFile(place.folder)) {
    throw new UserError(
      `${place.origin} names a file, ${place.folder}: name the folder that holds ${firstHeader(library)}`,
    );
  }
  if (!machine.disk.isFolder(place.folder))
    throw new UserError(`${place.origin} names ${place.folder}, which does not exist`);
  throw new UserError(emptyPlace(place, library));
}

function emptyPlace(place: Place, library: Library): string {
  const header = firstHeader(library);
  return `${place.origin} names ${place.folder}, but there is no ${header} in it or in its include folder: install that toolkit's headers, or name another`;
}

/** pip may hold an old toolkit and a new one side by side: the newest counts, and the choice is told. */
function newestOf(
  places: readonly Place[],
  library: Library,
  machine: Machine,
): { toolkit: FoundToolkit | null; notes: Warning[] } {
  const looked = places.map((place) => look(place, library, machine));
  const notes = looked.flatMap(({ passedOver }) => passedOver);
  const toolkits = looked.flatMap(({ toolkit }) => toolkit ?? []);
  const newest = toolkits.reduce<FoundToolkit | null>(
    (best, next) => (best && best.version >= next.version ? best : next),
    null,
  );
  if (newest && new Set(toolkits.map((toolkit) => machine.disk.real(toolkit.directory))).size > 1) {
    const all = toolkits.map((toolkit) => `${formatVersion(toolkit.version)} in ${toolkit.directory}`).join(", ");
    notes.push(choice(`pip has several toolkits (${all}): the newest, ${formatVersion(newest.version)}, is used`));
  }
  return { toolkit: newest, notes };
}

/** CUDA_HOME and CUDA_PATH may disagree; a versioned variable may name another version than it says. */
function variableWarnings(
  chosen: FoundToolkit,
  variables: readonly Place[],
  library: Library,
  machine: Machine,
): Warning[] {
  const warnings: Warning[] = [];
  for (const place of variables) {
    const toolkit = place.origin === chosen.origin ? chosen : look(place, library, machine).toolkit;
    const versioned = /_V\d/i.test(place.origin);
    if (versioned && place.origin === chosen.origin && toolkit) {
      if (variableVersion(place.origin) !== formatVersion(toolkit.version)) {
        warnings.push(
          choice(
            `${place.origin} names ${toolkit.directory}, whose headers are of CUDA ${formatVersion(toolkit.version)}`,
          ),
        );
      }
    }
    if (versioned || place.origin === chosen.origin) continue;
    if (toolkit && machine.disk.real(toolkit.directory) === machine.disk.real(chosen.directory)) continue;
    const other = toolkit
      ? `CUDA ${formatVersion(toolkit.version)} in ${toolkit.directory}`
      : `${place.folder}, which holds no toolkit`;
    warnings.push(
      choice(
        `${chosen.origin} (CUDA ${formatVersion(chosen.version)} in ${chosen.directory}) and ${place.origin} (${other}) disagree: ${chosen.origin} is used`,
      ),
    );
  }
  return warnings;
}

/** The headers decide; a compiler of another version is worth a word. */
function nvccWarnings(toolkit: FoundToolkit, machine: Machine): Warning[] {
  const { join } = pathsOf(machine);
  const place = nvccPlaces(machine)[0];
  if (!place) return [];
  const compiler = join(place.folder, "bin", machine.platform === "win32" ? "nvcc.exe" : "nvcc");
  const release = /release (\d+\.\d+)/.exec(machine.run(compiler, ["--version"]) ?? "")?.[1];
  if (release === undefined || release === formatVersion(toolkit.version)) return [];
  return [
    choice(
      `nvcc on PATH says CUDA ${release}, the headers in ${toolkit.directory} say ${formatVersion(toolkit.version)}: the headers decide`,
    ),
  ];
}

function choice(text: string): Warning {
  return { about: "choice", text };
}

/** `12.4.1` and, as wheels count, `12.4.127`: from the installer's own version file, where there is one. */
function installedReleases(toolkit: FoundToolkit, machine: Machine): string[] {
  const { join, dirname } = pathsOf(machine);
  const bytes = machine.disk.read(join(dirname(toolkit.directory), "version.json"));
  if (bytes === null) return [];
  try {
    const file = JSON.parse(Buffer.from(bytes).toString("utf8")) as Record<string, { version?: string } | undefined>;
    return [file.cuda?.version, file.cuda_cudart?.version].filter((release) => release !== undefined);
  } catch {
    return [];
  }
}

function foundInCache({ version, directory, release }: CachedRelease): FoundToolkit {
  return { version, directory, release, origin: `wheel ${release}`, headers: null };
}

function foundAt({ origin }: Place, { directory, folder }: Examined): FoundToolkit | null {
  if (folder.state !== "toolkit") return null;
  return { version: folder.version, directory, release: null, origin, headers: folder.headers };
}
