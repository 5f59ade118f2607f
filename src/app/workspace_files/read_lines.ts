/** Parses a workspace file and validates its lines one by one. */
import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import { productDefaults } from "../../catalogue/products/product.ts";
import { type LineType, WorkspaceLine } from "./workspace_line.ts";

/** Maximum length of a line; the longest valid line is a rule with 1,000 SKUs. */
const LINE_CHARACTERS_MAX = 4_000_000;
const NEWLINE = "\n";

/**
 * Yields all lines in order, one in memory at a time. Throws `validation_failed`, with the line
 * number, for an invalid line, and if the file does not begin and end like a workspace file.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<WorkspaceLine> {
  let number = 0;
  let last: LineType | null = null;
  for await (const text of textLines(bytes)) {
    number++;
    if (last === "end") throw refuse(number, "stands behind the end of the file");
    const line = parseLine(text, number);
    if ((number === 1) !== (line.type === "workspace")) {
      throw refuse(number, 'must be the one "workspace" line, which begins the file');
    }
    if (line.type === "end" && line.lines !== number - 1) {
      throw refuse(number, `says that ${line.lines} lines are before it: some are missing`);
    }
    last = line.type;
    yield line;
  }
  if (last !== "end") throw refuse(number + 1, "is missing: the file was cut");
}

async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of bytes) {
    const parts = (rest + decodeChunk(decoder, chunk)).split(NEWLINE);
    rest = parts.pop() ?? "";
    yield* parts;
    if (rest.length > LINE_CHARACTERS_MAX) throw foreign("a line of it is too long");
  }
  if (rest !== "") yield rest;
}

function decodeChunk(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    // The file is not UTF-8, so it is another file or damaged.
    throw foreign("it is not UTF-8");
  }
}

/** Adds the later fields that a product of an older file lacks. */
function completed(value: unknown): unknown {
  const isProduct = typeof value === "object" && value !== null && "type" in value &&
    value.type === "product";
  return isProduct ? { ...productDefaults(), ...value } : value;
}

function parseLine(text: string, number: number): WorkspaceLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(number, "is no JSON");
  }
  const parsed = WorkspaceLine.safeParse(completed(value));
  if (parsed.success) return parsed.data;
  throw refuse(number, `is wrong: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, " ")}`);
}

function refuse(number: number, what: string): Failure {
  return new Failure("validation_failed", `Line ${number} of the workspace file ${what}`);
}

function foreign(what: string): Failure {
  return new Failure("validation_failed", `The file is no workspace file: ${what}`);
}
