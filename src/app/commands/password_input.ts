import { Failure } from "../../base/failure.ts";
import { printError, readInput } from "./terminal.ts";

/**
 * The password of a command, never an argument, which a process list would show. The line end
 * behind it, which `echo` and editors add, is no part of it.
 */
export async function readPassword(file: string | undefined): Promise<string> {
  if (file === undefined && Deno.stdin.isTerminal()) printError("Password, then Enter and Ctrl-D:");
  const text = file === undefined ? await readInput() : await readFile(file);
  const password = text.replace(/\r?\n$/, "");
  if (password !== "") return password;
  throw new Failure("validation_failed", "The password is empty: send it on standard input");
}

async function readFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The password file "${path}" cannot be read: ${reason}`;
    throw new Failure("validation_failed", message, undefined, { cause });
  }
}
