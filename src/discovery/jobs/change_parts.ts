import { type KnownUrl, urlPart } from "../../competitors/discovery/known_url.ts";
import { readUrlPart, saveUrlPart } from "../../competitors/discovery/url_store.ts";
import { checkShop, type ShopStep } from "./shop_step.ts";

const PARTS_PER_COMMIT = 4;

/**
 * Changes what is known of some addresses of a shop, some parts in a commit: `merge` answers the pages of
 * a part, or null where nothing changes. Doing it twice changes nothing.
 */
export async function changeParts(
  step: ShopStep,
  urls: Iterable<string>,
  merge: (known: readonly KnownUrl[], ofPart: ReadonlySet<string>) => readonly KnownUrl[] | null,
): Promise<void> {
  const { tools, place } = step;
  const parts = [...Map.groupBy(urls, urlPart)];
  for (let at = 0; at < parts.length; at += PARTS_PER_COMMIT) {
    const batch = await Promise.all(
      parts.slice(at, at + PARTS_PER_COMMIT).map(async ([part, ofPart]) => ({
        part,
        before: await readUrlPart(place, part),
        ofPart: new Set(ofPart),
      })),
    );
    const changes = batch.flatMap(({ part, before, ofPart }) => {
      const after = merge(before.urls, ofPart);
      return after === null ? [] : [{ part, before, after }];
    });
    if (changes.length === 0) {
      await tools.beat();
      continue;
    }
    await tools.checkpoint({}, (write) => {
      checkShop(write, step);
      for (const { part, before, after } of changes) {
        saveUrlPart(write, place, part, before, after);
      }
    });
  }
}
