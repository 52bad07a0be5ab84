#!/usr/bin/env node
import module from "node:module";
import { Command, CommanderError } from "commander";
import { UserError } from "./errors.ts";
import { generatorVersion } from "./root.ts";

// From Node 22.8 on, what was compiled once need not be again.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();

const toolkitOption = [
  "--toolkit <dir|version>",
  "an installed toolkit, an include folder, or a version such as 12.4",
] as const;
const outOption = ["--out <dir>", "folder of the generated package", "generated"] as const;
const jsonOption = ["--json", "print facts as JSON"] as const;

const program = new Command("codegen")
  .description("Reads the CUDA driver API from NVIDIA's own headers and writes a Node.js package that calls it.")
  .version(generatorVersion())
  .showSuggestionAfterError(true)
  .helpCommand(false)
  .configureHelp({ showGlobalOptions: false })
  .configureOutput(errorsTo("codegen --help"))
  .exitOverride()
  .hook("preAction", (_program, run) => {
    // A script whose variable is unset must not write into the current folder.
    for (const [name, value] of Object.entries(run.opts())) {
      if (value === "") throw new UserError(`--${name} is empty: give it a value, or leave it out`);
    }
  });

// Each command's code is loaded when it runs: a look-up must not wait for a parser.
command("generate", "read headers and write the package (also what codegen alone does)", { isDefault: true })
  .allowExcessArguments()
  .option(...toolkitOption)
  .option(...outOption)
  .option("--docs", "copy the comments of your own headers into the package")
  .option(...jsonOption)
  .action(async (options, { args }: Command) => {
    // What is no command's name is an argument of the default command.
    if (args[0] !== undefined) {
      const isNamed = program.args[0] === "generate";
      throw new UserError(isNamed ? `generate takes options only, not "${args[0]}"` : unknownCommand(args[0]));
    }
    const { generate } = await import("./commands/generate.ts");
    finish(await generate(options));
  });

command("check", "regenerate in memory and compare; exit code 1 if anything differs")
  .option(...outOption)
  .option(
    "--toolkit <dir|version>",
    "compare with this toolkit; without it, with the one that the package was made from",
  )
  .option(...jsonOption)
  .action(async (options) => {
    const { check } = await import("./commands/check.ts");
    finish(await check(options));
  });

command("inspect", "print the API document: for a person on a terminal, as JSON elsewhere")
  .option(...toolkitOption)
  .option("--omissions", "print instead what the headers declare and the document leaves out, with the reasons")
  .option("--json", "print JSON on a terminal too")
  .option("--text", "print for a person elsewhere too")
  .action(async (options) => {
    const { inspect } = await import("./commands/inspect.ts");
    finish(await inspect(options));
  });

command("lookup", "what get_proc_address_v2 would answer")
  .argument(
    "<symbol>",
    'base name such as cuMemAlloc; or - for questions on standard input, a line each: {"symbol": "cuMemAlloc", "cudaVersion": "12.4"}, with "flags" and "driver" where they matter',
  )
  .option("--cuda <version>", "CUDA version to ask for: 12.4 or 12040")
  .option("--flags <flags>", "default, legacy, per-thread, or a number", "default")
  .option("--driver <version>", "CUDA version of the driver; without it, of the newest toolkit known")
  .option(...jsonOption)
  .action(async (symbol, options) => {
    const { lookup } = await import("./commands/lookup.ts");
    finish(await lookup(symbol, options));
  });

command("diff", "what changed between two toolkits")
  .argument("<a>", "folder or version")
  .argument("<b>", "folder or version")
  .option(...jsonOption)
  .action(async (a, b, options) => {
    const { diffToolkits } = await import("./commands/diff.ts");
    finish(await diffToolkits(a, b, options));
  });

command("toolkits", "every toolkit found here, and every one in the history")
  .option(...jsonOption)
  .action(async (options) => {
    const { toolkits } = await import("./commands/toolkits.ts");
    finish(await toolkits(options));
  });

command("learn", "read headers into the history")
  .option(...toolkitOption)
  .option(...jsonOption)
  .action(async (options) => {
    const { learnToolkit } = await import("./commands/learn.ts");
    finish(await learnToolkit(options));
  });

command("fetch", "get headers from NVIDIA's Python wheels through pip, checked by hash, into a cache")
  .argument("<version...>", "12.4, 12.4.127 or newest")
  .option(...jsonOption)
  .action(async (versions, options) => {
    const { fetchHeaders } = await import("./commands/fetch.ts");
    finish(await fetchHeaders(versions, options));
  });

command("doctor", "what is here and what is wrong; exit code 1 if something is")
  .option(...outOption)
  .option(...jsonOption)
  .action(async (options) => {
    const { doctor } = await import("./commands/doctor.ts");
    finish(await doctor(options));
  });

command("help", "what a command does, or which there are")
  .argument("[command]")
  .action((name: string | undefined) => {
    const named = program.commands.find((entry) => entry.name() === name);
    if (name !== undefined && named === undefined) throw new UserError(unknownCommand(name));
    (named ?? program).outputHelp();
  });

function command(name: string, description: string, options: { isDefault?: boolean } = {}): Command {
  return program
    .command(name, options)
    .description(description)
    .configureOutput(errorsTo(options.isDefault ? "codegen --help" : `codegen help ${name}`));
}

/** One line for each error, and where it says what is right. */
function errorsTo(help: string) {
  return {
    outputError: (text: string, write: (text: string) => void) => write(`codegen: ${oneLine(text)}: see ${help}\n`),
  };
}

/** Not process.exit: what was printed into a pipe must get there first. */
function finish(code: number): void {
  process.exitCode = code;
}

function unknownCommand(name: string): string {
  const names = program.commands.map((entry) => entry.name());
  return `unknown command "${name}": it is one of ${names.join(", ")}`;
}

function messageOf(error: unknown): string {
  if (error instanceof UserError) return oneLine(error.message);
  if ((error as NodeJS.ErrnoException | null)?.syscall === "uv_cwd")
    return "the folder that this runs in is gone: run it in one that is there";
  return `this should not happen, please report it: ${error instanceof Error ? error.stack : error}`;
}

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/^error: |\.$/g, "")
    .replace(/\s*\n\s*/g, " ");
}

// A reader that has seen enough (codegen inspect | head) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`codegen: cannot write what there is to print (${error.code})\n`);
  process.exit(2);
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    finish(error.exitCode === 0 ? 0 : 2);
  } else {
    process.stderr.write(`codegen: ${messageOf(error)}\n`);
    finish(2);
  }
}
