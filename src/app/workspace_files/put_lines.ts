/**
 * Writes the lines of an exported workspace as rows of the store. The lines fill at most half of a
 * commit's maximum size. The other half is for rows that many lines change, such as version
 * counters.
 */
import { DAY_MS, msOrNull } from "../../base/time.ts";
import { addObservation, markCompetitors } from "../../shops/observations/observation_store.ts";
import {
  addUserRows,
  claimFirstUser,
  findUser,
  findUserByEmail,
  findUserById,
  hasHadUsers,
} from "../../accounts/users/user.ts";
import { views } from "../../accounts/views/view.ts";
import { addPriceChange, importActors, isBySender } from "../../catalogue/prices/price_rows.ts";
import { shard } from "../../catalogue/products/product.ts";
import { putProduct } from "../../catalogue/products/product_store.ts";
import {
  createCounters,
  offerVersions,
  saveCounters,
} from "../../catalogue/products/change_log_store.ts";
import { ownProfiles } from "../../imports/profiles/import_profiles.ts";
import { lastImports, sources } from "../../imports/state/sources.ts";
import type { Context } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";
import { NOTHING_SEEN, saveRuleState } from "../../rules/evaluation/rule_state_store.ts";
import { saveProposal } from "../../rules/proposals/proposal_store.ts";
import { putFires } from "../../rules/rule_stats_store.ts";
import { moveToDeleted, saveRule } from "../../rules/rule.ts";
import { competitors, freeColours, readCompetitorSet } from "../../shops/competitor_store.ts";
import { identities } from "../../shops/matches/match_identity.ts";
import { type Match, termsOf } from "../../shops/matches/match.ts";
import { addMatch } from "../../shops/matches/match_store.ts";
import { urlHashOf } from "../../shops/domain.ts";
import { putLoneMove } from "../../shops/observations/move_store.ts";
import { putHeld } from "../../shops/offers/held_price_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { checkOffers, findOffers, putOffers } from "../../shops/offers/offer_store.ts";
import { each, type LineTarget, OFFER_TIMES, TABLE_LINES, take, withMs } from "./table_lines.ts";
import type { LineOf, LineType, WorkspaceLine } from "./workspace_line.ts";

const putProducts: LineTarget<"product">["put"] = (write, ctx, lines) => {
  const counters = createCounters();
  const taken = take(
    write,
    lines,
    ({ type: _, importHash, isFromImport, importSource, ...product }) => {
      const marks = { importHash, isFromImport, importSource, firstPriceJob: null };
      const after = { product, marks };
      // `putProduct` also writes a row of price history, which a later line of the file replaces.
      const cause = { source: "import", actor: ctx.actor, ref: null } as const;
      putProduct(write, ctx.workspaceId, { before: null, after, cause }, counters);
    },
  );
  saveCounters(write, ctx.workspaceId, counters);
  return taken;
};

const putObservations: LineTarget<"observation">["put"] = (write, { workspaceId }, lines) => {
  const competitors = new Set<string>();
  const shards = new Set<number>();
  const taken = take(write, lines, ({ type: _, sku, ...observation }) => {
    addObservation(write, workspaceId, withMs(observation, "observedAt"));
    competitors.add(observation.competitorId);
    shards.add(shard(sku));
  });
  markCompetitors(write, workspaceId, competitors);
  for (const number of shards) offerVersions.set(write, workspaceId, number);
  return taken;
};

const putRule = (write: Write, { workspaceId }: Context, line: LineOf<"rule">) => {
  const { type: _, fires, lastFiredAt, ...rule } = line;
  if (rule.deletedAt === null) saveRule(write, workspaceId, null, rule);
  else moveToDeleted(write, workspaceId, rule);
  putFires(write, workspaceId, rule.id, {
    days: fires.map(({ day, count }) => ({ day: Date.parse(day) / DAY_MS, count })),
    lastFiredAtMs: msOrNull(lastFiredAt),
  });
};

const putState = (write: Write, { workspaceId }: Context, line: LineOf<"ruleState">) => {
  const { productId: id, sku } = line;
  const brakeOf = (brake: NonNullable<(typeof line.rules)[string]["brake"]>) => ({
    ...withMs(brake, "until"),
    cuts: brake.cuts.map((cut) => withMs(cut, "at")),
  });
  const rules = Object.entries(line.rules).map(([ruleId, { brake, ...rest }]) => [
    ruleId,
    { ...withMs(rest, "lastFiredAt"), ...brake && { brake: brakeOf(brake) } },
  ]);
  // `seen` stays empty, because versionstamps are valid only in the exported store.
  const kept = { state: Object.fromEntries(rules), seen: NOTHING_SEEN };
  saveRuleState(write, workspaceId, { id, sku }, kept);
};

/** If a competitor's colour is missing or in use, the competitor gets an unused colour. */
const putCompetitors: LineTarget<"competitor">["put"] = async (write, ctx, lines) => {
  const { byId } = await readCompetitorSet(ctx);
  const taken = new Set(Array.from(byId.values(), ({ colour }) => colour));
  const wanted = lines.flatMap(({ colour }) => colour === null ? [] : [{ colour }]);
  const free = freeColours([...byId.values(), ...wanted]);
  return take(write, lines, ({ type: _, colour: wish, ...competitor }) => {
    const colour = wish === null || taken.has(wish) ? free.next().value : wish;
    taken.add(colour);
    competitors.add(write, ctx, { ...competitor, colour });
  });
};

/** A private view (saved filter) is omitted if its owner was not imported. */
const putOwnOrShared: LineTarget<"view">["put"] = async (write, ctx, [line]) => {
  if (!line) return 1;
  const { type: _, ...view } = line;
  if (view.isShared || await findUser(ctx, view.createdBy)) views.put(write, ctx, view);
  return 1;
};

const storeNothing = {
  put: (_write: Write, _ctx: Context, { length }: readonly unknown[]) => length,
};

const TARGETS: { readonly [T in LineType]: LineTarget<T> } = {
  ...TABLE_LINES,
  workspace: storeNothing,
  user: { put: putUsers },
  view: { put: putOwnOrShared },
  importProfile: each((write, ctx, { profile }) => {
    ownProfiles.save(write, ctx, null, profile);
  }),
  importSource: each((write, ctx, { source: { lastImport, ...source } }) => {
    const { pull } = source;
    const pausedAt = source.pausedAt ?? (pull?.auth ? ctx.now().toISOString() : null);
    const stored = { ...source, pausedAt, pull: pull && { ...pull, auth: null } };
    sources.save(write, ctx, null, stored);
    if (lastImport) lastImports.put(write, ctx, { ...lastImport, sourceId: source.id });
  }),
  competitor: { put: putCompetitors },
  product: { put: putProducts },
  priceChange: each((write, { workspaceId }, { type: _, productId, ...change }) => {
    addPriceChange(write, workspaceId, productId, change);
    if (!isBySender(change)) return;
    importActors.put(write, { workspaceId }, { jobId: change.ref, actor: change.actor });
  }),
  match: { put: putMatches },
  observation: { put: putObservations },
  loneMove: each((write, { workspaceId, now }, { type: _, ...move }) => {
    putLoneMove(write, workspaceId, { ...withMs(move, "at"), isObserved: false }, now());
  }),
  ruleState: each(putState),
  heldPrice: each((write, { workspaceId }, { type: _, ...held }) => {
    putHeld(write, workspaceId, withMs(held, "heldAt", "observedAt"));
  }),
  proposal: each((write, { workspaceId }, { type: _, trace, ...proposal }) => {
    saveProposal(write, workspaceId, null, proposal, trace);
  }),
  rule: each(putRule),
  end: storeNothing,
};

export function putLines<T extends LineType>(
  write: Write,
  ctx: Context,
  type: T,
  lines: readonly WorkspaceLine[],
): number | Promise<number> {
  const isOfType = (line: WorkspaceLine): line is WorkspaceLine & LineOf<T> => line.type === type;
  const target: LineTarget<T> = TARGETS[type];
  return target.put(write, ctx, lines.filter(isOfType));
}

/** Adds users without passwords. Skips a user whose e-mail address the store already has. */
async function putUsers(
  write: Write,
  { store, workspaceId, newId }: Context,
  [line]: readonly LineOf<"user">[],
): Promise<number> {
  if (!line || await findUserByEmail(store, line.email)) return 1;
  const { email, name, role, createdAt, dailyMail } = line;
  const id = await findUserById(store, line.id) ? newId() : line.id;
  const isFirst = !await hasHadUsers(store);
  const user = {
    id,
    workspaceId,
    email,
    name,
    role,
    createdAt,
    passwordHash: null,
    sessionGeneration: 0,
    dailyMail,
  };
  addUserRows(write, user);
  if (isFirst) claimFirstUser(write, id);
  return 1;
}

const NEXT_PRODUCT = { ...shareOfCommit(0.5), checks: 1 };

type MatchLine = LineOf<"match">;

/**
 * Writes the links of a product together, because one row contains the offers of all these links.
 */
async function putMatches(
  write: Write,
  ctx: Context,
  lines: readonly MatchLine[],
): Promise<number> {
  let taken = 0;
  for (const group of byProduct(lines)) {
    const [{ productId: id, sku }] = group;
    const before = await findOffers(ctx, id);
    if (taken > 0 && !write.fits(NEXT_PRODUCT)) break;
    if (before.versionstamp !== null) checkOffers(write, ctx.workspaceId, before);
    const after = [...before.offers, ...group.map((line) => putMatch(write, ctx, line))];
    putOffers(write, ctx.workspaceId, { id, sku }, { before: before.offers, after });
    taken += group.length;
  }
  return taken;
}

/** A group has at most 50 links of a product, so that the group fits into a commit. */
function byProduct(lines: readonly MatchLine[]): [MatchLine, ...MatchLine[]][] {
  const groups: [MatchLine, ...MatchLine[]][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && group[0].productId === line.productId && group.length < 50) group.push(line);
    else groups.push([line]);
  }
  return groups;
}

function putMatch(write: Write, { workspaceId }: Context, line: MatchLine): Offer {
  const { type: _, sku: _sku, offer, identity, ...rest } = line;
  const match: Match = rest;
  const urlHash = urlHashOf(new URL(match.url));
  addMatch(write, workspaceId, match, urlHash);
  if (identity) {
    const kept = { ...withMs(identity, "checkedAt"), matchId: match.id };
    identities.put(write, { workspaceId }, kept);
  }
  return { ...termsOf(match, urlHash), ...withMs(offer, ...OFFER_TIMES) };
}
