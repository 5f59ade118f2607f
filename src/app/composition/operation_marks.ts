/**
 * Files that record the last successful backup and the last test of a backup. The store does not
 * contain these records, because a backup must not write to the store.
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

/** Returns the folder of the store file; null if the store is not a file. */
export function fileFolder({ KV_URL, DENO_DEPLOYMENT_ID, DATA_DIR }: Config): string | null {
  return KV_URL === null && DENO_DEPLOYMENT_ID === null ? DATA_DIR : null;
}

const pathOf = (dataDir: string, { name }: { readonly name: string }) =>
  `${dataDir}/kurant.${name}.json`;

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

/** Replaces the file in one step, so that a reader never sees a part of it. */
export async function writeMark<T>(dataDir: string, mark: Mark<T>, value: T): Promise<void> {
  const path = pathOf(dataDir, mark);
  const part = `${path}.${Deno.pid}.part`;
  await Deno.writeTextFile(part, `${JSON.stringify(value, null, 2)}\n`);
  await Deno.rename(part, path);
}
