/**
 * Mails the newest hash of each audit log once a day. A person with access to the store can change
 * the stored hash, but not the mailed hash.
 */
import { findLastSeal } from "../../accounts/audit/audit_seal_store.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { languageOf } from "../../base/language.ts";
import { alertWordsOf } from "../../engine/wording/alert_text.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { mailQueue } from "./mail_store.ts";

export const headMails = defineTable<{ readonly day: string }>({
  prefix: "amd",
  about: "the last day in UTC on which the newest seal of the audit log was mailed",
  key: {},
});

interface HeadMailSetup {
  readonly store: Store;
  readonly clock: Pick<ClockAndIds, "now" | "newId">;
  readonly to: readonly string[];
}

/** Returns the number of queued mails. Several processes may call this. */
export async function queueHeadMails({ store, clock, to }: HeadMailSetup): Promise<number> {
  const day = clock.now().toISOString().slice(0, 10);
  let count = 0;
  await eachApart("mails of seals", await listWorkspaces(store), async ({ id, name, locale }) => {
    const place = { store, workspaceId: id };
    if ((await headMails.find(place, {}))?.row.day === day) return;
    const seal = await findLastSeal(place);
    if (seal === null) return;
    const words = alertWordsOf(languageOf(locale));
    const worded = {
      subject: words.sealSubject(name, seal.number),
      text: `${words.seal(name, seal.number, seal.at)}\n\n${seal.hash}\n\n${words.sealUse}\n`,
    };
    await transact(place, async (write) => {
      const found = await headMails.find(place, {});
      if (found?.row.day === day) return;
      headMails.save(write, place, found, { day });
      mailQueue.add(write, {
        partition: [id],
        id: clock.newId(),
        dueMs: clock.now().getTime(),
        value: { alertIds: [], to, failures: 0, worded },
      });
    });
    count++;
  });
  return count;
}
