import { spawn } from "node:child_process";

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
}

/** Runs a program to its end and gives its standard output; a failure is an error with the end of what it said. */
export async function command(program: string, args: string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await attempt(program, args, options);
  if (code === 0) return stdout;
  throw new Error(
    `${program} ${args.join(" ").slice(0, 200)} failed (${code}): ${(stderr || stdout).trim().slice(-2000)}`,
  );
}

/** As `command`, but a failure is an answer. `code` is -1 where a signal ended it. */
export function attempt(
  program: string,
  args: string[],
  options: CommandOptions = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, ...options.env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (data: Buffer) => out.push(data));
    child.stderr.on("data", (data: Buffer) => err.push(data));
    child.on("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "ENOENT" ? new Error(`${program} is needed for this test and is not installed`) : error);
    });
    child.on("close", (code, signal) => {
      const stderr = Buffer.concat(err).toString() + (signal ? `\nended by ${signal}` : "");
      resolve({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr });
    });
    child.stdin.on("error", () => {}); // a program that ends before it has read everything says why itself
    child.stdin.end(options.input ?? "");
  });
}
