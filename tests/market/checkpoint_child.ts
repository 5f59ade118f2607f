/**
 * A process that writes a checkpoint of a workspace's table, or is killed before the checkpoint is
 * complete.
 */
import { createClock } from "../../src/platform/store/context.ts";
import { createRuleCache } from "../../src/rules/rule.ts";
import { writeCheckpoint } from "../../src/market/current/checkpoint.ts";
import { fillTable, readTerms } from "../../src/market/current/read_market.ts";
import { MarketTable } from "../../src/market/table/market_table.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { leashedStore } from "../killed_process.ts";

const [dataDir = "", workspaceId = "", lateMs = "0"] = Deno.args;
const opened = await openStore({ kvUrl: null, dataDir }, 60_000);
const { now, newId } = await createClock(opened, () => new Date(Date.now() - Number(lateMs)));
const store = leashedStore(opened);
const workspace = { store, workspaceId, now, newId, isUnwanted: () => false };
const terms = await readTerms(workspace, createRuleCache());
const table = new MarketTable(0);
const nowMs = now().getTime();
const position = await fillTable(workspace, table, terms, nowMs, () => false);
const moment = { table, position, asOfMs: nowMs, knownSinceMs: nowMs };
await writeCheckpoint(workspace, terms.version, moment);
opened.kv.close();
Deno.exit(0);
