/**
 * Small JSON files beside the store that tell `doctor` and `/metrics` of the last good backup and
 * restore drill. They are no rows, so that a backup only reads the store.
 */
import type { Config } from "./config.ts";
import { z } from "zod";

interface Mark<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

const markOf = <T>(name: string, schema: z.ZodType<T>): Mark<T> => ({ name, schema });

export const backupMark = markOf(
  "backup",
  z.object({ at: z.iso.datetime(), path: z.string(), bytes: z.int() }),
);

export const drillMark = markOf(
  "drill",
  z.object({
    at: z.iso.datetime(),
    path: z.string().nullable(),
    isSound: z.boolean(),
    seconds: z.number(),
    findings: z.array(z.string()),
  }),
);

/** The folder of the store; null if the store is no file of this machine. */
export function fileFolder({ KV_URL, DENO_DEPLOYMENT_ID, DATA_DIR }: Config): string | null {
  return KV_URL === null && DENO_DEPLOYMENT_ID === null ? DATA_DIR : null;
}

const pathOf = (dataDir: string, { name }: { readonly name: string }) =>
  `${dataDir}/kurant.${name}.json`;

/** Null if there is none, and for a file of another form. */
export async function readMark<T>(dataDir: string | null, mark: Mark<T>): Promise<T | null> {
  if (dataDir === null) return null;
  try {
    const stored: unknown = JSON.parse(await Deno.readTextFile(pathOf(dataDir, mark)));
    return mark.schema.safeParse(stored).data ?? null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Replaces the mark. It appears complete or not at all. */
export async function writeMark<T>(dataDir: string, mark: Mark<T>, value: T): Promise<void> {
  const path = pathOf(dataDir, mark);
  const part = `${path}.${Deno.pid}.part`;
  await Deno.writeTextFile(part, `${JSON.stringify(value, null, 2)}\n`);
  await Deno.rename(part, path);
}
