/** Marks products for which the scraping schedule must be computed again. */
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";

export interface MarkPlace {
  readonly workspaceId: string;
  readonly productId: string;
}

const EMPTY = new Uint8Array();
const MARKS = {
  key: { workspaceId: "id", productId: "id" },
  codec: { encode: () => EMPTY, decode: () => ({}) },
} as const;

export const scheduleMarks = defineStoreTable<MarkPlace, "workspaceId" | "productId">({
  prefix: "sd",
  about: "a change that affects whether and when the product is fetched",
  ...MARKS,
});

export const dueMarks = defineStoreTable<MarkPlace, "workspaceId" | "productId">({
  prefix: "sdn",
  about: "the product is due immediately, however recently it was fetched",
  ...MARKS,
});

/** Costs one mutation and no check. */
export function markForSchedule(write: Write, workspaceId: string, productId: string): void {
  scheduleMarks.put(write, {}, { workspaceId, productId });
}

/** Marks a product that must be scraped immediately. Costs two mutations and no check. */
export function markAwaited(write: Write, workspaceId: string, productId: string): void {
  markForSchedule(write, workspaceId, productId);
  dueMarks.put(write, {}, { workspaceId, productId });
}

/** Up to `max` marks, divided equally among the workspaces that have marks. */
export async function listScheduleMarks(store: Store, max: number): Promise<MarkPlace[]> {
  const marks: MarkPlace[] = [];
  const lasts = new Map<string, MarkPlace | null>();
  for await (const workspaceId of listMarkedWorkspaces(store)) lasts.set(workspaceId, null);
  while (lasts.size > 0 && marks.length < max) {
    const share = Math.ceil((max - marks.length) / lasts.size);
    for (const [workspaceId, after] of lasts) {
      const limit = Math.min(share, max - marks.length);
      const next = { within: { workspaceId }, after, limit };
      const rows = limit === 0 ? [] : await scheduleMarks.list({ store }, next);
      const found = rows.map(({ row }) => row);
      marks.push(...found);
      const end = found.length < limit ? undefined : found.at(-1);
      if (end) lasts.set(workspaceId, end);
      else lasts.delete(workspaceId);
    }
  }
  return marks;
}

async function* listMarkedWorkspaces(store: Store): AsyncGenerator<string> {
  for (let after: Pick<MarkPlace, "workspaceId"> | null = null;;) {
    const [found]: readonly { readonly row: MarkPlace }[] = await scheduleMarks.list({ store }, {
      after,
      limit: 1,
    });
    if (found === undefined) return;
    after = { workspaceId: found.row.workspaceId };
    yield after.workspaceId;
  }
}
