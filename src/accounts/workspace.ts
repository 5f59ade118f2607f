/** A workspace is a tenant of the service. Its row in the store contains the tenant's settings. */
import { z } from "@hono/zod-openapi";
import { currencyExponent, exponentOf, MINOR_UNITS_MAX, parseMajor } from "../base/money.ts";
import { refuseFields } from "../base/failure.ts";
import { withPatch } from "../base/collections.ts";
import { Name, Names, percentField } from "../engine/pricing/field.ts";
import { type Role, ROLES } from "./roles.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { defineStoreTable, defineTable } from "../platform/store/table.ts";
import { eachApart } from "../platform/jobs/work_loop.ts";
import type { MigrationStep } from "../platform/store/open_store.ts";

const Currency = z.string().refine(
  (code) => currencyExponent(code) !== null,
  'Must be a currency code of ISO 4217, such as "EUR"',
);
const TimeZone = z.string().refine(isTimeZone, 'Must be a time zone such as "Europe/Berlin"');
const Locale = z.string().refine(isLocale, 'Must be a language tag such as "de-DE"');
/** Limits above which an import changes nothing until a person confirms the import. */
export const ImportHold = z.strictObject({
  movePct: percentField(0, 10_000).describe(
    "A product counts as moved if its price or cost changes by more, or its currency changes",
  ),
  sharePct: percentField(0, 100).describe(
    "An import is held if more of the products whose price or cost it contains have moved",
  ),
}).meta({ id: "ImportHold" });

export type ImportHold = Readonly<z.infer<typeof ImportHold>>;

const Quarantine = z.strictObject({}).meta({ id: "Quarantine" });

const ApprovalTerms = z.strictObject({
  beyondPct: percentField(0, 1_000)
    .describe("A proposal that changes the price by more needs several approvals"),
  people: z.int().min(2).max(5).describe("Number of different people who must approve"),
}).meta({ id: "ApprovalTerms" });

type ApprovalTerms = Readonly<z.infer<typeof ApprovalTerms>>;

const AutomationStop = z.object({
  at: z.iso.datetime(),
  byName: z.string().describe("The person who stopped them"),
  reason: z.string(),
}).meta({ id: "AutomationStop" });

type AutomationStop = Readonly<z.infer<typeof AutomationStop>>;

export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  currency: z.string().meta({ example: "EUR" }),
  timeZone: z.string().meta({ example: "Europe/Berlin" }),
  locale: z.string().meta({ example: "de-DE" }),
  pricesIncludeVat: z.boolean(),
  vatRatePct: z.number().nullable(),
  ownShippingCents: z.int().nullable().describe(
    "Our charge for one parcel of products without their own, in minor units of " +
      "`currency`, with or without VAT like our prices; null: none",
  ),
  compareDelivered: z.boolean().describe(
    "Whether the market, and rules by default, compare prices with shipping: " +
      "the known shipping of shops against our own",
  ),
  ownSellerNames: z.array(z.string()).describe(
    "Our seller names at other shops: offers of these sellers are our own and " +
      "do not count. Case and blanks are ignored",
  ),
  autoApply: z.boolean().describe("Whether rules may change prices automatically"),
  budgetPerDay: z.int().nullable().describe(
    "Maximum number of automatic prices by rules per day of the workspace's " +
      "calendar; further prices are proposed. Null: no limit",
  ),
  automationStop: AutomationStop.nullable()
    .describe("If set, no rule changes prices automatically; null: not stopped"),
  quarantine: Quarantine.nullable()
    .describe("Whether suspicious competitor prices wait for a person; null: off"),
  approval: ApprovalTerms.nullable()
    .describe("Null: one person can approve any change, and rules apply what their guards allow"),
  importHold: ImportHold.nullable()
    .describe("Null: off; each product that moves beyond the default limits then causes a warning"),
  importHoldUnconfirmed: z.boolean().describe(
    "True if an upgrade has switched the hold on, and nobody has confirmed or changed it since",
  ),
  importExpectedHours: z.int().nullable()
    .describe("An alert is raised if there is no import for this long; null: off"),
  secondFactorRoles: z.array(z.enum(ROLES))
    .describe("Roles that need a second factor. Without one, a person can only set one up"),
  createdAt: z.iso.datetime(),
}).meta({ id: "Workspace" });

export type Workspace = z.infer<typeof Workspace>;

export const PriceTerms = Workspace.pick({
  name: true,
  currency: true,
  timeZone: true,
  pricesIncludeVat: true,
  vatRatePct: true,
}).meta({ id: "PriceTerms" });

export const WorkspaceAnswer = Workspace.extend({
  ownShipping: z.int().nullable()
    .describe("Like `ownShippingCents`; in requests it is in major units"),
}).meta({ id: "Workspace" });

export function workspaceAnswer(workspace: Workspace): z.infer<typeof WorkspaceAnswer> {
  return { ...workspace, ownShipping: workspace.ownShippingCents };
}

export const SETTINGS_READ_ONLY = [
  "id",
  "createdAt",
  "automationStop",
  "importHoldUnconfirmed",
] as const;

/** While `importHold` is off, imports still warn of changes beyond `DEFAULT_HOLD.movePct` %. */
export const DEFAULT_HOLD: ImportHold = { movePct: 50, sharePct: 20 };

const NO_NAMES: string[] = [];
const NO_ROLES: Role[] = [];

export const WORKSPACE_DEFAULTS = {
  currency: "EUR",
  timeZone: "Europe/Berlin",
  locale: "de-DE",
  pricesIncludeVat: false,
  vatRatePct: null,
  ownShippingCents: null,
  compareDelivered: false,
  ownSellerNames: NO_NAMES,
  autoApply: false,
  budgetPerDay: null,
  automationStop: null,
  quarantine: {},
  approval: null,
  importHold: DEFAULT_HOLD,
  importHoldUnconfirmed: false,
  importExpectedHours: null,
  secondFactorRoles: NO_ROLES,
} as const;

/**
 * Settings that are absent in a request keep their values. Null resets a setting to its default,
 * but switches `importHold` and `quarantine` off (docs/decisions/http.md).
 */
export const WorkspaceSettings = z.strictObject({
  name: Name.optional(),
  currency: Currency.nullish(),
  timeZone: TimeZone.nullish(),
  locale: Locale.nullish(),
  pricesIncludeVat: z.boolean().nullish(),
  vatRatePct: percentField(0, 100).nullish(),
  ownShipping: z.union([z.number(), z.string().max(40)]).nullish().meta({
    description:
      "In major units of the currency, such as 4.95; alternatively, use `ownShippingCents`",
    example: 4.95,
  }),
  ownShippingCents: z.int().min(0).max(MINOR_UNITS_MAX).nullish()
    .describe("In minor units of the currency"),
  compareDelivered: z.boolean().nullish()
    .describe("Compare prices with their shipping, where it is known"),
  ownSellerNames: Names.nullish().describe("Our seller names at other shops; null: none"),
  autoApply: z.boolean().nullish(),
  budgetPerDay: z.int().min(1).max(1_000_000).nullish()
    .describe("Maximum number of automatic prices by rules per day; null: no limit"),
  quarantine: Quarantine.nullish()
    .describe("Null switches it off; by default it is on, which is an empty object"),
  approval: ApprovalTerms.nullish()
    .describe("Which changes need several approvals; null: one is always enough"),
  importHold: ImportHold.nullish().describe("Null switches the hold off; the default is 50 and 20"),
  importExpectedHours: z.int().min(1).max(8_784).nullish(),
  secondFactorRoles: z.array(z.enum(ROLES)).max(ROLES.length)
    .transform((roles) => ROLES.filter((role) => roles.includes(role))).nullish()
    .describe("Roles that need a second factor; null: none"),
}).meta({ id: "WorkspaceSettings" });

export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>;

/**
 * Setting `importHold` also confirms it: `importHoldUnconfirmed` becomes false. Throws
 * `validation_failed` if `ownShipping` and `ownShippingCents` differ, or if `ownShipping` is not a
 * valid amount in the currency.
 */
export function withSettings(workspace: Workspace, settings: WorkspaceSettings): Workspace {
  const { importHold, quarantine = workspace.quarantine, ownShipping, ...rest } = settings;
  const currency = rest.currency === undefined
    ? workspace.currency
    : rest.currency ?? WORKSPACE_DEFAULTS.currency;
  const given = ownShippingIn({ ...rest, ownShipping }, currency);
  const isOfOther = given === undefined && workspace.ownShippingCents !== null &&
    currency !== workspace.currency;
  if (isOfOther) {
    throw refuseFields([{
      path: "ownShipping",
      message: `Must be given in "${currency}", because the currency changes from ` +
        `"${workspace.currency}"`,
    }]);
  }
  const patch = { ...rest, ownShippingCents: given };
  const hold = importHold === undefined ? {} : { importHold, importHoldUnconfirmed: false };
  return { ...withPatch<Workspace>(workspace, patch, WORKSPACE_DEFAULTS), ...hold, quarantine };
}

function ownShippingIn(
  { ownShipping: major, ownShippingCents: cents }: WorkspaceSettings,
  currency: string,
): number | null | undefined {
  if (major === undefined) return cents;
  const parsed = major === null ? { minor: null } : parseMajor(major, exponentOf(currency));
  const message = "reason" in parsed
    ? parsed.reason
    : cents !== undefined && cents !== parsed.minor
    ? `Says ${major} ${currency} (in major units), but "ownShippingCents" (in minor units) says ` +
      `${cents}: send only one of the two`
    : null;
  if (message !== null) throw refuseFields([{ path: "ownShipping", message }]);
  return "minor" in parsed ? parsed.minor : undefined;
}

/** Refuses an offset such as `+01:00`, which has no daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** Adds the fields that workspaces of earlier versions of Kurant lack. */
export function wholeWorkspace<Stored extends object>(stored: Stored) {
  return { ...WORKSPACE_DEFAULTS, quarantine: null, ...stored };
}

export const workspaces = defineStoreTable<Workspace, "id">({
  prefix: "ws",
  about: "a workspace; its deletion deletes this row last",
  key: { id: "id" },
  valueHasKey: true,
  version: "wsg",
  codec: { decode: (row: Partial<Workspace>) => wholeWorkspace(row) },
});

export async function findWorkspace(store: Store, workspaceId: string): Promise<Workspace | null> {
  return (await workspaces.find({ store }, { id: workspaceId }))?.row ?? null;
}

export async function requireWorkspace(workspace: WorkspaceStore): Promise<Workspace> {
  return (await readWorkspace(workspace)).workspace;
}

export async function readWorkspace({ store, workspaceId }: WorkspaceStore) {
  const found = await workspaces.find({ store }, { id: workspaceId });
  if (!found) throw new Error(`The workspace ${workspaceId} is missing`);
  return { workspace: found.row, versionstamp: found.versionstamp };
}

export async function listWorkspaces(store: Store): Promise<Workspace[]> {
  return (await workspaces.list({ store })).map(({ row }) => row);
}

/** Call `workspacesVersion` before `listWorkspaces`, and pass the version to `addWorkspace`. */
export async function workspacesVersion(store: Store): Promise<string | null> {
  return await workspaces.version({ store });
}

/** The commit fails if a workspace was added or changed after `allVersion` was read. */
export function addWorkspace(write: Write, workspace: Workspace, allVersion: string | null): void {
  workspaces.checkVersion(write, {}, allVersion);
  workspaces.save(write, {}, null, workspace);
}

export function saveWorkspace(write: Write, workspace: Workspace, versionstamp: string): void {
  workspaces.save(write, {}, { row: workspace, versionstamp }, workspace);
}

export function checkWorkspace(write: Write, workspaceId: string, versionstamp: string | null) {
  write.check(workspaces.keyOf({}, { id: workspaceId }), versionstamp);
}

export type VatTerms = Readonly<Pick<Workspace, "pricesIncludeVat" | "vatRatePct">>;

export interface VatStep {
  readonly atMs: number;
  readonly from: VatTerms;
  readonly to: VatTerms;
}

export const vatSteps = defineTable<VatStep, "atMs">({
  prefix: "wvt",
  about: "the VAT settings before and after a change; kept forever",
  key: { atMs: "number" },
});

export function noteVatTerms(write: Write, before: Workspace, after: Workspace, now: Date): void {
  const [from, to] = [termsOf(before), termsOf(after)];
  if (from.pricesIncludeVat === to.pricesIncludeVat && from.vatRatePct === to.vatRatePct) return;
  vatSteps.put(write, { workspaceId: after.id }, { atMs: now.getTime(), from, to });
}

function termsOf({ pricesIncludeVat, vatRatePct }: Workspace): VatTerms {
  return { pricesIncludeVat, vatRatePct };
}

export async function eachWorkspace(
  store: Store,
  name: string,
  work: (workspace: WorkspaceStore) => Promise<void>,
): Promise<void> {
  const ids = (await listWorkspaces(store)).map(({ id }) => id);
  await eachApart(name, ids, (workspaceId) => work({ store, workspaceId }));
}

export async function countInWorkspaces(
  store: Store,
  name: string,
  work: (workspace: WorkspaceStore) => Promise<number>,
): Promise<number> {
  let count = 0;
  await eachWorkspace(store, name, async (workspace) => {
    count += await work(workspace);
  });
  return count;
}

interface Place {
  readonly workspaceId: string;
  readonly after: string | null;
}

/**
 * Returns a migration step that calls `rewrite` for each workspace. `rewrite` returns the key after
 * which the next call continues, or null when it has finished the workspace.
 */
export function inEachWorkspace(
  rewrite: (
    write: Write,
    workspace: WorkspaceStore,
    after: string | null,
  ) => Promise<string | null>,
): MigrationStep["advance"] {
  const placeBehind = async (store: Store, workspaceId: string | null): Promise<Place | null> => {
    const after = workspaceId === null ? null : { id: workspaceId };
    const [found] = await workspaces.list({ store }, { after, limit: 1 });
    return found ? { workspaceId: found.row.id, after: null } : null;
  };
  return async (store, write, place): Promise<Place | null> => {
    const at = isPlace(place) ? place : await placeBehind(store, null);
    if (at === null) return null;
    const { workspaceId } = at;
    const after = await rewrite(write, { store, workspaceId }, at.after);
    return after === null ? await placeBehind(store, workspaceId) : { workspaceId, after };
  };
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
