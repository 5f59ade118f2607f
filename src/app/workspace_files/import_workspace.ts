/**
 * Creates a workspace from a file of any size, in many commits. Until the last line is written, the
 * name of the workspace says that the import is incomplete. A person must delete a workspace whose
 * import was interrupted.
 */
import { z } from "zod";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { newWorkspace } from "../../accounts/set_up.ts";
import type { Workspace } from "../../accounts/workspace.ts";
import {
  addWorkspace,
  listWorkspaces,
  readWorkspace,
  saveWorkspace,
  workspacesVersion,
} from "../../accounts/workspace_store.ts";
import { Failure } from "../../base/failure.ts";
import { productDefaults } from "../../catalogue/products/product.ts";
import { commandContext, type Context, type Tools } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { putLines } from "./put_lines.ts";
import { type LineOf, type LineType, WorkspaceLine } from "./workspace_line.ts";

/** Throws `conflict` if the workspace's name is in use. */
export async function importWorkspace(
  tools: Tools,
  lines: AsyncIterable<WorkspaceLine>,
  named: string | undefined,
): Promise<Workspace> {
  let settings: LineOf<"workspace"> | null = null;
  let ctx: Context | null = null;
  for await (const batch of batchesOf(lines)) {
    const [first] = batch.lines;
    if (first?.type === "workspace") {
      settings = named === undefined ? first : { ...first, name: named };
      ctx = commandContext(tools, await begin(tools, settings.name));
    } else if (first?.type !== "end") {
      if (!ctx) throw new Error("The lines do not begin with their workspace");
      await putAll(ctx, batch);
    }
  }
  if (!ctx || !settings) throw new Error("There are no lines");
  return await end(ctx, settings);
}

async function begin(tools: Tools, name: string): Promise<string> {
  return await transact(tools, async (write) => {
    const version = await workspacesVersion(tools.store);
    await requireNameFree(tools, name);
    const workspace = newWorkspace(tools, `${[...name].slice(0, 180).join("")} (incomplete)`);
    addWorkspace(write, workspace, version);
    return workspace.id;
  });
}

async function requireNameFree({ store }: Tools, name: string): Promise<void> {
  const workspaces = await listWorkspaces(store);
  if (!workspaces.some((workspace) => workspace.name === name)) return;
  const message = `There is a workspace "${name}" already: choose another name by --name`;
  throw new Failure("conflict", message);
}

async function end(ctx: Context, line: LineOf<"workspace">): Promise<Workspace> {
  const { type: _, format: _format, exportedAt, id: from, ...settings } = line;
  return await transact(ctx, async (write) => {
    const found = await readWorkspace(ctx);
    const workspace = { ...settings, id: found.workspace.id };
    saveWorkspace(write, workspace, found.versionstamp);
    addAuditRow(write, ctx, {
      action: "workspace.import",
      resource: { type: "workspace", id: workspace.id, label: workspace.name },
      after: { from, exportedAt },
    });
    return workspace;
  });
}

interface Batch {
  readonly type: LineType;
  readonly lines: WorkspaceLine[];
}

async function* batchesOf(lines: AsyncIterable<WorkspaceLine>): AsyncGenerator<Batch> {
  let batch: Batch | null = null;
  for await (const line of lines) {
    if (batch && (batch.type !== line.type || batch.lines.length >= 300)) {
      yield batch;
      batch = null;
    }
    batch ??= { type: line.type, lines: [] };
    batch.lines.push(line);
  }
  if (batch) yield batch;
}

async function putAll(ctx: Context, { type, lines }: Batch): Promise<void> {
  for (let at = 0; at < lines.length;) {
    at += await transact(ctx, (write) => putLines(write, ctx, type, lines.slice(at)));
  }
}

const LINE_CHARACTERS_MAX = 4_000_000;
const NEWLINE = "\n";

/** Throws an error with the number of an invalid line. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<WorkspaceLine> {
  let number = 0;
  let last: LineType | null = null;
  for await (const text of textLines(bytes)) {
    number++;
    if (last === "end") throw refuse(number, "comes after the end of the file");
    const line = parseLine(text, number);
    if ((number === 1) !== (line.type === "workspace")) {
      throw refuse(number, 'is out of place: the file must begin with its only "workspace" line');
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
    throw foreign("it is not UTF-8");
  }
}

/** Adds to a product the fields that files of older versions lack. */
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
