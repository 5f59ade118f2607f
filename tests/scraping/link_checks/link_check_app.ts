import { waitForJob } from "../../../src/platform/jobs/job_store.ts";
import type { CheckLine, LinkCheck } from "../../../src/scraping/link_checks/link_check.ts";
import type { Caller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { ok } from "node:assert/strict";

export const CHECKS = "/api/link-checks";

export async function begin(caller: Caller, body: unknown, path = CHECKS): Promise<string> {
  return (await caller.begin<{ jobId: string }>(path, body)).jobId;
}

export async function checked(app: TestApp, id: string): Promise<LinkCheck> {
  await waitForJob(app, "link_check", id, PATIENCE_MS);
  const check = await app.viewer.read<LinkCheck>(`${CHECKS}/${id}`);
  ok(check.status === "succeeded", JSON.stringify(check));
  return check;
}

export async function linesOf(app: TestApp, id: string, query = ""): Promise<CheckLine[]> {
  const path = `${CHECKS}/${id}/lines?limit=200${query}`;
  return (await app.viewer.read<{ items: CheckLine[] }>(path)).items;
}
