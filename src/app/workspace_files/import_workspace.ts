/**
 * Creates a workspace from a file of any size, in many commits. Until the last line is written, the
 * name of the workspace says that the import is incomplete. A person must delete a workspace whose
 * import was interrupted. Lines fill only half of a commit, because they also change shared rows,
 * such as counters.
 */
import { z } from "zod";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { newWorkspace } from "../../accounts/set_up.ts";
import {
  addWorkspace,
  listWorkspaces,
  readWorkspace,
  saveWorkspace,
  wholeWorkspace,
  type Workspace,
  workspacesVersion,
} from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import { PRODUCT_DEFAULTS, shard } from "../../catalogue/products/product.ts";
import { rejudge } from "../../platform/events/outbox_store.ts";
import { commandContext, type Context, type Tools } from "../../platform/store/context.ts";
import { shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { type LineOf, type LineType, WorkspaceLine } from "./workspace_line.ts";
import { DAY_MS, msOrNull } from "../../base/time.ts";
import { addObservation } from "../../shops/observations/observation_store.ts";
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
import { putProduct } from "../../catalogue/products/product_store.ts";
import {
  createCounters,
  offerVersions,
  saveCounters,
} from "../../catalogue/products/change_log_store.ts";
import { lastImports, sources } from "../../imports/state/sources.ts";
import { NOTHING_KEPT, saveRuleState } from "../../rules/evaluation/rule_state_store.ts";
import { saveProposal } from "../../rules/proposals/proposal_store.ts";
import { moveToDeleted, saveRule } from "../../rules/rule.ts";
import { competitors, freeColours, readCompetitorSet } from "../../shops/competitor_store.ts";
import { identities } from "../../shops/matches/match_identity.ts";
import { type Match, termsOf } from "../../shops/matches/match.ts";
import { addMatch } from "../../shops/matches/match_store.ts";
import { urlHashOf } from "../../shops/domain.ts";
import { putLoneMove } from "../../shops/observations/move_store.ts";
import { putHeld } from "../../shops/offers/failing_and_held_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { checkOffers, findOffers, putOffers } from "../../shops/offers/offer_store.ts";
import { each, type LineTarget, OFFER_TIMES, TABLE_LINES, take, withMs } from "./table_lines.ts";
import { putFires } from "../../rules/evaluation/rule_stats.ts";

/** Throws `conflict` if the workspace's name is in use. */
export async function importWorkspace(
  tools: Tools,
  lines: AsyncIterable<WorkspaceLine>,
  named: string | undefined,
): Promise<Workspace> {
  let settings: LineOf<"workspace"> | null = null;
  let ctx: Context | null = null;
  for await (const batch of runsOf(lines, ({ type }) => type, 300)) {
    const [first] = batch;
    if (first.type === "workspace") {
      settings = named === undefined ? first : { ...first, name: named };
      ctx = commandContext(tools, await begin(tools, settings.name));
    } else if (first.type !== "end") {
      if (!ctx) throw new Error("The lines do not begin with their workspace");
      await putAll(ctx, first.type, batch);
    }
  }
  if (!ctx || !settings) throw new Error("There are no lines");
  return await end(ctx, settings);
}

async function begin(tools: Tools, name: string): Promise<string> {
  return await transact(tools, async (write) => {
    const version = await workspacesVersion(tools.store);
    const workspaces = await listWorkspaces(tools.store);
    if (workspaces.some((workspace) => workspace.name === name)) {
      const message = `There is a workspace "${name}" already: choose another name by --name`;
      throw new Failure("conflict", message);
    }
    const workspace = newWorkspace(tools, `${[...name].slice(0, 180).join("")} (incomplete)`);
    addWorkspace(write, workspace, version);
    return workspace.id;
  });
}

async function end(ctx: Context, line: LineOf<"workspace">): Promise<Workspace> {
  const { type: _, format: _format, exportedAt, hasPendingEvaluations, id: from, ...settings } =
    line;
  return await transact(ctx, async (write) => {
    const found = await readWorkspace(ctx);
    const workspace = { ...settings, id: found.workspace.id };
    saveWorkspace(write, workspace, found.versionstamp);
    // The file does not say which products wait for an evaluation, so all products are evaluated.
    if (hasPendingEvaluations) rejudge(write, ctx, { by: "settings" });
    addAuditRow(write, ctx, {
      action: "workspace.import",
      resource: { type: "workspace", id: workspace.id, label: workspace.name },
      after: { from, exportedAt },
    });
    return workspace;
  });
}

/** Groups consecutive items with the same key, with at most `most` items per group. */
async function* runsOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  keyOf: (item: T) => string,
  most: number,
): AsyncGenerator<[T, ...T[]]> {
  let run: [T, ...T[]] | null = null;
  for await (const item of items) {
    if (run && run.length < most && keyOf(run[0]) === keyOf(item)) run.push(item);
    else {
      if (run) yield run;
      run = [item];
    }
  }
  if (run) yield run;
}

async function putAll(ctx: Context, type: LineType, lines: readonly WorkspaceLine[]) {
  for (let at = 0; at < lines.length;) {
    at += await transact(ctx, (write) => putLines(write, ctx, type, lines.slice(at)));
  }
}

const LINE_CHARACTERS_MAX = 4_000_000;
const NEWLINE = "\n";

/** Throws `validation_failed` with the number of the invalid line. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<WorkspaceLine> {
  let number = 0;
  let last: LineType | null = null;
  for await (const text of textLines(bytes)) {
    number++;
    if (last === "end") throw refuse(number, "comes after the end of the file");
    const line = parseLine(text, number);
    if ((number === 1) !== (line.type === "workspace")) {
      throw refuse(number, 'is out of place: the file must begin with its only "workspace" line');
    }
    if (line.type === "end" && line.lines !== number - 1) {
      throw refuse(number, `says that ${line.lines} lines are before it: some are missing`);
    }
    last = line.type;
    yield line;
  }
  if (last !== "end") throw refuse(number + 1, "is missing: the file was cut");
}

async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of bytes) {
    const parts = (rest + decodeChunk(decoder, chunk)).split(NEWLINE);
    rest = parts.pop() ?? "";
    yield* parts;
    if (rest.length > LINE_CHARACTERS_MAX) throw foreign("a line of it is too long");
  }
  if (rest !== "") yield rest;
}

function decodeChunk(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw foreign("it is not UTF-8");
  }
}

/** Adds missing fields to a product or a workspace from a file of an older version. */
function completed(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value)) return value;
  if (value.type === "workspace") return wholeWorkspace(value);
  return value.type === "product" ? { ...PRODUCT_DEFAULTS, ...value } : value;
}

function parseLine(text: string, number: number): WorkspaceLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(number, "is no JSON");
  }
  const parsed = WorkspaceLine.safeParse(completed(value));
  if (parsed.success) return parsed.data;
  throw refuse(number, `is wrong: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, " ")}`);
}

function refuse(number: number, what: string): Failure {
  return new Failure("validation_failed", `Line ${number} of the workspace file ${what}`);
}

function foreign(what: string): Failure {
  return new Failure("validation_failed", `The file is no workspace file: ${what}`);
}

const putProducts: LineTarget<"product">["put"] = (write, ctx, lines) => {
  const counters = createCounters();
  const taken = take(
    write,
    lines,
    ({ type: _, importHash, isFromImport, importSource, ...product }) => {
      const marks = { importHash, isFromImport, importSource, firstPriceJob: null };
      const after = { product, marks };
      // The price history in the file later replaces the row that `putProduct` adds.
      const cause = { source: "import", actor: ctx.actor, ref: null } as const;
      putProduct(write, ctx.workspaceId, { before: null, after, cause }, counters);
    },
  );
  saveCounters(write, ctx.workspaceId, counters);
  return taken;
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
  // `NOTHING_KEPT` has no versionstamps, which are valid only in the exporting store.
  const kept = { ...NOTHING_KEPT, state: Object.fromEntries(rules) };
  saveRuleState(write, workspaceId, { id, sku }, kept);
};

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

const storeNothing = {
  put: (_write: Write, _ctx: Context, { length }: readonly unknown[]) => length,
};

const TARGETS: { readonly [T in LineType]: LineTarget<T> } = {
  ...TABLE_LINES,
  workspace: storeNothing,
  user: {
    /** Adds users without passwords. Skips a user whose e-mail address is already in the store. */
    async put(write, { store, workspaceId, newId }, [line]) {
      if (!line || await findUserByEmail(store, line.email)) return 1;
      const { type: _, ...user } = line;
      const id = await findUserById(store, line.id) ? newId() : line.id;
      const isFirst = !await hasHadUsers(store);
      addUserRows(write, { ...user, id, workspaceId, passwordHash: null, sessionGeneration: 0 });
      if (isFirst) claimFirstUser(write, id);
      return 1;
    },
  },
  view: {
    /** Skips a private view (saved filter) if its owner was not imported. */
    async put(write, ctx, [line]) {
      if (!line) return 1;
      const { type: _, ...view } = line;
      if (view.isShared || await findUser(ctx, view.createdBy)) views.put(write, ctx, view);
      return 1;
    },
  },
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
  observation: each((write, { workspaceId }, { type: _, sku, ...observation }) => {
    addObservation(write, workspaceId, withMs(observation, "observedAt"));
    offerVersions.set(write, workspaceId, shard(sku));
  }),
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
  rule: each((write, { workspaceId }, { type: _, fires, lastFiredAt, ...rule }) => {
    if (rule.deletedAt === null) saveRule(write, workspaceId, null, rule);
    else moveToDeleted(write, workspaceId, rule);
    putFires(write, workspaceId, rule.id, {
      days: fires.map(({ day, count }) => ({ day: Date.parse(day) / DAY_MS, count })),
      lastFiredAtMs: msOrNull(lastFiredAt),
    });
  }),
  end: storeNothing,
};

function putLines<T extends LineType>(
  write: Write,
  ctx: Context,
  type: T,
  lines: readonly WorkspaceLine[],
): number | Promise<number> {
  const isOfType = (line: WorkspaceLine): line is WorkspaceLine & LineOf<T> => line.type === type;
  const target: LineTarget<T> = TARGETS[type];
  return target.put(write, ctx, lines.filter(isOfType));
}

const NEXT_PRODUCT = { ...shareOfCommit(0.5), checks: 1 };

type MatchLine = LineOf<"match">;

/** Writes the links of a product together, because the store keeps them in one row. */
async function putMatches(
  write: Write,
  ctx: Context,
  lines: readonly MatchLine[],
): Promise<number> {
  let taken = 0;
  // A group has at most 50 links of a product, so that the group fits into a commit.
  for await (const group of runsOf(lines, ({ productId }) => productId, 50)) {
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
