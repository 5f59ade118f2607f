/** A child process that runs all trend jobs of one kind. */
import {
  createPastTrendKind,
  createTrendKind,
  PAST_TREND_KIND,
} from "../../src/market/trends/trend_job.ts";
import { openLeashed, workOff } from "../killed_process.ts";
import { openMarketCache } from "./market_reader.ts";

const [dataDir = "", now = "", kind = ""] = Deno.args;
const tables = openMarketCache();
const trends = kind === PAST_TREND_KIND ? createPastTrendKind(tables) : createTrendKind(tables);
await workOff(await openLeashed(dataDir, () => new Date(now)), [trends]);
