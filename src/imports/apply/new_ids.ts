import { sha256 } from "../../base/sha256.ts";
import type { Context } from "../../platform/store/context.ts";
import type { ImportJob } from "../state/import_job.ts";
import { requireCursor } from "./walk.ts";

/**
 * Gives new products their ids: in the order of the file for a small import, else in the order of
 * application, which the store writes twice as fast (docs/decisions/http.md). The former are made
 * of the job and the record's index, so a repeated batch gives the same.
 */
export function newIds(
  job: ImportJob,
  { newId }: Pick<Context, "newId">,
): (index: number) => string {
  const { idSeconds } = requireCursor(job);
  if (idSeconds === null) return () => newId();
  const source = hex(idSeconds, 8) + sha256(job.jobId).slice(0, 5).toHex();
  return (index) => source + hex(index, 6);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
