/**
 * Installs and runs third-party programs that read our OpenAPI documents. Each program is installed
 * once, into a folder in the user's home.
 */
import { stdout } from "node:process";

export const PROGRAMS_ROOT = `${Deno.env.get("HOME") ?? "/tmp"}/.cache/kurant/generators`;

export class Broken extends Error {}

export function say(text: string): void {
  stdout.write(`${text}\n`);
}

export async function run(
  cwd: string,
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: { CI: "1", ...env },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (code === 0) return text.decode(stdout);
  const said = (text.decode(stdout) + text.decode(stderr)).trim().split("\n").slice(-25).join("\n");
  throw new Broken(`${program} ${args.join(" ")} ended with ${code}:\n${said}`);
}

async function isThere(program: string): Promise<boolean> {
  try {
    await new Deno.Command(program, {
      args: [program === "go" ? "version" : "--version"],
      stdout: "null",
      stderr: "null",
    }).output();
    return true;
  } catch {
    return false;
  }
}

/** Runs `work` only if all programs in `needs` exist. If `work` throws `Broken`, the exit code becomes 1. */
export async function attempt(
  name: string,
  needs: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const there = await Promise.all(needs.map(isThere));
  const lacking = needs.filter((_, n) => !there[n]);
  if (lacking.length > 0) return say(`lacking  ${name}: there is no ${lacking.join(", no ")}`);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    say(`failed   ${name}\n${error.message}`);
    Deno.exitCode = 1;
  }
}

export async function hasFile(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

export async function installNpm(folder: string, packages: readonly string[]): Promise<void> {
  await once(folder, packages, async () => {
    await Deno.writeTextFile(`${folder}/package.json`, '{"private": true, "type": "module"}');
    const quiet = ["--no-fund", "--no-audit", "--ignore-scripts", "--save-exact"];
    await run(folder, "npm", ["install", ...quiet, ...packages]);
  });
}

export async function installPip(folder: string, packages: readonly string[]): Promise<void> {
  await once(folder, packages, async () => {
    await run(folder, "python3", ["-m", "venv", "--clear", folder]);
    await run(folder, `${folder}/bin/pip`, ["install", "--quiet", ...packages]);
  });
}

async function once(folder: string, packages: readonly string[], install: () => Promise<void>) {
  const note = `${folder}/installed.txt`;
  const wanted = packages.join("\n");
  if (await hasFile(note) && await Deno.readTextFile(note) === wanted) return;
  await Deno.mkdir(folder, { recursive: true });
  await install();
  await Deno.writeTextFile(note, wanted);
}
