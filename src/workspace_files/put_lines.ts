/**
 * How the lines of each type become rows. All answer how many lines they have taken: a commit is
 * half full at most, so that what the lines share has room.
 */
import { putAlerts } from "../alerts/alert_store.ts";
import { putAuditRow } from "../audit/audit_store.ts";
import { setOfferGeneration } from "../catalogue/products/offer_generation_store.ts";
import { checkFieldVersion, findFieldVersion } from "../catalogue/products/field_block_store.ts";
import { addPriceChange } from "../catalogue/prices/price_history_store.ts";
import { shard } from "../catalogue/products/product.ts";
import { putProduct } from "../catalogue/products/product_store.ts";
import { createTally } from "../catalogue/products/product_tally.ts";
import { blocksOfStore, saveTallyTo } from "../catalogue/products/save_tally.ts";
import { addCompetitor } from "../competitors/competitor_store.ts";
import { putLinkRemoval, putRemovedMatch } from "../competitors/matches/match_store.ts";
import { saveRuleState } from "../evaluation/rule_state_store.ts";
import { saveProfile } from "../imports/profiles/import_profile_store.ts";
import { addObservation, markCompetitors } from "../observations/observation_store.ts";
import type { Context } from "../platform/store/context.ts";
import { shareOfCommit, type Write } from "../platform/store/kv.ts";
import { addProposal } from "../proposals/proposal_store.ts";
import { moveToDeleted, saveRule } from "../rules/rule_store.ts";
import { putFires } from "../rules/rule_stats_store.ts";
import { putMatches } from "./put_matches.ts";
import { putUsers } from "./put_users.ts";
import type { LineOf, LineType, WorkspaceLine } from "./workspace_line.ts";

const DAY_MS = 24 * 3_600_000;
/** Some lines need a check; what they share has room beside them. */
const NEXT_LINE = { ...shareOfCommit(0.5), checks: 1 };

type Put<T extends LineType> = (
  write: Write,
  ctx: Context,
  lines: readonly LineOf<T>[],
) => Promise<number>;

/** For lines that share nothing. */
function each<T extends LineType>(
  put: (write: Write, ctx: Context, line: LineOf<T>) => void,
): Put<T> {
  return (write, ctx, lines) =>
    Promise.resolve(take(write, lines, (line) => put(write, ctx, line)));
}

/** Puts lines one by one until the commit is full enough, at least one. */
function take<L>(
  write: Write,
  lines: readonly L[],
  put: (line: L) => void,
): number {
  let taken = 0;
  for (const line of lines) {
    if (taken > 0 && !write.fits(NEXT_LINE)) break;
    put(line);
    taken++;
  }
  return taken;
}

const putProducts: Put<"product"> = async (write, ctx, lines) => {
  // Vouches for the blocks of all shards.
  const version = await findFieldVersion(ctx);
  const tally = createTally();
  const taken = take(write, lines, ({ type: _, importHash, isFromImport, ...product }) => {
    const after = { product, marks: { importHash, isFromImport, firstPriceJob: null } };
    // The history follows line by line, and takes the place of this row of it.
    const cause = { source: "import", actor: ctx.actor, ref: null } as const;
    putProduct(write, ctx.workspaceId, { before: null, after, cause }, tally);
  });
  checkFieldVersion(write, ctx.workspaceId, version);
  await saveTallyTo(write, ctx, tally, blocksOfStore(ctx, true));
  return taken;
};

const putObservations: Put<"observation"> = (write, { workspaceId }, lines) => {
  const competitors = new Set<string>();
  const shards = new Set<number>();
  const taken = take(write, lines, ({ type: _, sku, observedAt, ...observation }) => {
    addObservation(write, workspaceId, { ...observation, observedAtMs: Date.parse(observedAt) });
    competitors.add(observation.competitorId);
    shards.add(shard(sku));
  });
  markCompetitors(write, workspaceId, competitors);
  for (const number of shards) setOfferGeneration(write, workspaceId, number);
  return Promise.resolve(taken);
};

const putRule = (write: Write, { workspaceId }: Context, line: LineOf<"rule">) => {
  const { type: _, fires, lastFiredAt, ...rule } = line;
  if (rule.deletedAt === null) saveRule(write, workspaceId, null, rule);
  else moveToDeleted(write, workspaceId, rule);
  putFires(write, workspaceId, rule.id, {
    days: fires.map(({ day, count }) => ({ day: Date.parse(day) / DAY_MS, count })),
    lastFiredAtMs: lastFiredAt === null ? null : Date.parse(lastFiredAt),
  });
};

const putState = (write: Write, { workspaceId }: Context, line: LineOf<"ruleState">) => {
  const { productId: id, sku } = line;
  const rules = Object.entries(line.rules).map(([ruleId, { lastFiredAt, rank }]) => [
    ruleId,
    { lastFiredAtMs: lastFiredAt === null ? null : Date.parse(lastFiredAt), rank },
  ]);
  saveRuleState(write, workspaceId, { id, sku }, Object.fromEntries(rules));
};

const putAudit = (write: Write, { workspaceId }: Context, line: LineOf<"audit">) => {
  const { type: _, ...row } = line;
  putAuditRow(write, workspaceId, row);
};

type PutAny = (
  write: Write,
  ctx: Context,
  lines: readonly WorkspaceLine[],
) => Promise<number>;

function of<T extends LineType>(type: T, put: Put<T>): PutAny {
  const isOfType = (line: WorkspaceLine): line is WorkspaceLine & LineOf<T> => line.type === type;
  return (write, ctx, lines) => put(write, ctx, lines.filter(isOfType));
}

/** The line that begins a file and the one that ends it are no rows. */
const takeAll: PutAny = (_write, _ctx, lines) => Promise.resolve(lines.length);

const PUTS: Readonly<Record<LineType, PutAny>> = {
  workspace: takeAll,
  user: of("user", putUsers),
  importProfile: of(
    "importProfile",
    each((write, { workspaceId }, { profile }) => {
      saveProfile(write, workspaceId, profile, null);
    }),
  ),
  competitor: of(
    "competitor",
    each((write, { workspaceId }, { type: _, ...competitor }) => {
      addCompetitor(write, workspaceId, competitor);
    }),
  ),
  product: of("product", putProducts),
  priceChange: of(
    "priceChange",
    each((write, { workspaceId }, { type: _, productId, ...change }) => {
      addPriceChange(write, workspaceId, productId, change);
    }),
  ),
  removedMatch: of(
    "removedMatch",
    each((write, { workspaceId }, { type: _, ...removed }) => {
      putRemovedMatch(write, workspaceId, removed);
    }),
  ),
  linkRemoval: of(
    "linkRemoval",
    each((write, { workspaceId }, { type: _, ...removal }) => {
      putLinkRemoval(write, workspaceId, removal);
    }),
  ),
  match: of("match", putMatches),
  observation: of("observation", putObservations),
  ruleState: of("ruleState", each(putState)),
  proposal: of(
    "proposal",
    each((write, { workspaceId }, { type: _, trace, ...proposal }) => {
      addProposal(write, workspaceId, proposal, trace);
    }),
  ),
  alert: of(
    "alert",
    each((write, { workspaceId }, { type: _, ...alert }) => {
      putAlerts(write, workspaceId, [{ ...alert, mailId: null, isMailOff: false }]);
    }),
  ),
  audit: of("audit", each(putAudit)),
  rule: of("rule", each(putRule)),
  end: takeAll,
};

/** Puts as many of the lines, all of one type, into a commit as it has room for. */
export function putLines(
  write: Write,
  ctx: Context,
  type: LineType,
  lines: readonly WorkspaceLine[],
): Promise<number> {
  return PUTS[type](write, ctx, lines);
}
