/** A process that makes automatic links in a store until none is left, or it is killed. */
import { createClock } from "../../../src/platform/store/clock.ts";
import { ProductIndexes } from "../../../src/scraping/suggestions/product_indexes.ts";
import { SelfLinker } from "../../../src/scraping/suggestions/link_by_itself.ts";

import { openStore } from "../../../src/platform/store/open_store.ts";
import { leashedStore } from "../../killed_process.ts";
import { NOTHING_ALLOWED } from "../../nothing_allowed.ts";

const store = leashedStore(await openStore({ kvUrl: null, dataDir: Deno.args[0]! }, 60_000));
const clock = await createClock(store, () => new Date());
const linker = new SelfLinker({
  store,
  clock,
  indexes: new ProductIndexes(),
  allowed: NOTHING_ALLOWED,
});
await linker.round(new AbortController().signal);
store.kv.close();
Deno.exit(0);
