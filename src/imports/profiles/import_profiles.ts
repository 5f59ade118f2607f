/** Reads and changes the import profiles of a workspace; built-in profiles cannot be changed. */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure, noSuch, refuseFields } from "../../base/failure.ts";
import { utf8Bytes } from "../../base/text.ts";
import { ignoring, parseOrRefuse, requireVersion, versionOf } from "../../platform/http/http.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { freeId, type ImportProfileInput, ProfileId, ProfileShape } from "./xml_profile.ts";
import {
  AnyProfile,
  isTable,
  type NewProfile,
  type TableProfileInput,
  TableShape,
} from "./table_profile.ts";
import { BUILT_IN } from "./built_in_profiles.ts";
import { z } from "@hono/zod-openapi";
import { auditOf } from "../../accounts/audit/audit.ts";

/** Parsing adds the defaults of fields that did not exist when the profile was stored. */
export const ownProfiles = defineTable<AnyProfile, "id">({
  prefix: "ipf",
  about: "a workspace's own import profile",
  key: { id: "text" },
  valueHasKey: true,
  codec: { decode: (value) => AnyProfile.parse(value) },
});

async function findOwnProfile(
  workspace: WorkspaceStore,
  id: string,
): Promise<Found<AnyProfile> | null> {
  return ProfileId.safeParse(id).success ? await ownProfiles.find(workspace, { id }) : null;
}

async function listOwnProfiles(workspace: WorkspaceStore): Promise<AnyProfile[]> {
  return (await ownProfiles.list(workspace)).map(({ row }) => row);
}

export async function findProfile(
  workspace: WorkspaceStore,
  id: string,
  format?: "xml" | "table",
): Promise<AnyProfile | null> {
  const profiles = await profilesOf(workspace, id);
  return profiles.find((one) => format === undefined || isTable(one) === (format === "table")) ??
    null;
}

async function profilesOf(workspace: WorkspaceStore, id: string): Promise<readonly AnyProfile[]> {
  const own = await findOwnProfile(workspace, id);
  return own ? [own.row] : BUILT_IN.filter((profile) => profile.id === id);
}

export async function listProfiles(workspace: WorkspaceStore): Promise<readonly AnyProfile[]> {
  const own = await listOwnProfiles(workspace);
  const taken = new Set(own.map(({ id }) => id));
  return [...own, ...BUILT_IN.filter(({ id }) => !taken.has(id))];
}

export async function profilesFor(workspace: WorkspaceStore, named: string | null) {
  if (named === null) return { profile: null, profiles: await listProfiles(workspace) };
  const profiles = await profilesOf(workspace, named);
  const [only, ...more] = profiles;
  if (only === undefined) throw noSuch("import profile", named);
  return { profile: more.length === 0 ? only : null, profiles };
}

export async function isKnownProfile(workspace: WorkspaceStore, id: string): Promise<boolean> {
  return await findProfile(workspace, id) !== null;
}

export async function requireKnownProfile(workspace: WorkspaceStore, profile: string | null) {
  if (profile === null || await isKnownProfile(workspace, profile)) return;
  const message = `There is no import profile "${profile.slice(0, 100)}"`;
  throw refuseFields([{ path: "profile", message }]);
}

const profileAudit = auditOf("import_profile", ({ name }: AnyProfile) => name);

const PROFILES_MAX = 100;

export async function createProfile(ctx: Context, given: NewProfile): Promise<AnyProfile> {
  return await transact(ctx, async (write) => {
    const own = await listOwnProfiles(ctx);
    const isTaken = (id: string) => isBuiltIn(id) || own.some((one) => one.id === id);
    const profile = { ...given, id: given.id ?? freeId(given.name, "profile", isTaken) };
    if (isTaken(profile.id)) {
      throw new Failure("conflict", `There is an import profile "${profile.id}" already`);
    }
    if (own.length >= PROFILES_MAX) {
      throw new Failure("conflict", `A workspace has at most ${PROFILES_MAX} import profiles`);
    }
    ownProfiles.save(write, ctx, null, profile);
    addAuditRow(write, ctx, profileAudit("import_profile.create", null, profile));
    ctx.receipt?.put(write, `/api/import-profiles/${profile.id}`);
    return profile;
  });
}

/** Null in `patch` resets a field to its default. Throws `forbidden` for a built-in profile. */
export async function changeProfile(
  ctx: Context,
  id: string,
  patch: Readonly<Record<string, unknown>>,
  expected: string | null = null,
): Promise<AnyProfile> {
  return await transact(ctx, async (write) => {
    const found = await requireOwnProfile(ctx, id);
    requireVersion(expected, versionOf(found.row, PROFILE_READ_ONLY));
    const merged = Object.entries({ ...found.row, ...patch });
    const given = merged.filter(([, value]) => value !== null);
    const after = requireProfile(Object.fromEntries(given));
    if (after.id !== id) throw refuseFields([{ path: "id", message: "Cannot be changed" }]);
    if (JSON.stringify(after) === JSON.stringify(found.row)) return after;
    ownProfiles.save(write, ctx, found, after);
    addAuditRow(write, ctx, profileAudit("import_profile.update", found.row, after));
    return after;
  });
}

export async function deleteProfile(ctx: Context, id: string, expected: string | null = null) {
  await transact(ctx, async (write) => {
    const found = await requireOwnProfile(ctx, id);
    requireVersion(expected, versionOf(found.row, PROFILE_READ_ONLY));
    ownProfiles.remove(write, ctx, found);
    addAuditRow(write, ctx, profileAudit("import_profile.delete", found.row, null));
  });
}

async function requireOwnProfile(ctx: Context, id: string): Promise<Found<AnyProfile>> {
  const found = await findOwnProfile(ctx, id);
  if (found) return found;
  if (isBuiltIn(id)) {
    throw new Failure("forbidden", `The import profile "${id}" is built in: copy it to change it`);
  }
  throw noSuch("import profile", id);
}

export const PROFILE_EXAMPLES: readonly [TableProfileInput, ImportProfileInput] = [
  {
    id: "erp-nachts",
    name: "ERP nachts",
    format: "table",
    detect: { columns: ["ARTNR", "VK_BR", "EK_N"] },
    fields: {
      sku: { columns: ["ARTNR"], transform: "strip_leading_zeros" },
      title: { columns: ["BEZ1"] },
      brand: { columns: ["HERST"] },
      ean: { columns: ["EAN", "GTIN"] },
      currency: { constant: "EUR" },
    },
    attributes: [{ name: "supplier", from: { columns: ["LIEFERANT"] } }],
    prices: [
      { from: { columns: ["VK_BR"] }, role: "own", side: "gross" },
      { from: { columns: ["VK_AB10"] }, role: "own", side: "gross", minQty: 10 },
      { from: { columns: ["VK_HAENDLER"] }, role: "tier", tier: "B2B", side: "net" },
      { from: { columns: ["EK_N"] }, role: "cost" },
      { from: { columns: ["UVP"] }, role: "target" },
      { from: { columns: ["AKTION"] }, role: "sale", range: { columns: ["AKTION_ZEIT"] } },
    ],
    competitors: [{ url: { columns: ["URL_SHOP1"] }, name: "Shop 1" }],
    active: { from: { columns: ["KZ_AKTIV"] }, yes: ["lieferbar"], else: "skip" },
    numberFormat: "de",
  },
  {
    id: "katalog",
    name: "Katalog der Zentrale",
    detect: { root: "KATALOG" },
    itemPath: "KATALOG/STAMMSATZ",
    fields: { sku: { path: "@nr" }, title: { path: "BEZEICHNUNG|NAME" } },
    prices: { path: "STAFFEL", amount: "WERT", minQty: "@ab", tier: "GRUPPE" },
    competitors: { path: "LINKS/LINK", url: "@href", name: "@shop" },
    numberFormat: "de",
  },
];

export function profileSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(AnyProfile, { io: "input", target: "draft-2020-12" }),
    title: "Import profile",
    description: "How a file is read: a table by its columns, or XML by paths",
    examples: PROFILE_EXAMPLES,
  };
}

const PROFILE_BYTES_MAX = 30_000;

const builtIn = z.boolean()
  .describe("True for built-in profiles, which are read-only");

const XmlDocument = ProfileShape.extend({ builtIn }).meta({ id: "XmlProfileDocument" });
const TableDocument = TableShape.extend({ builtIn }).meta({ id: "TableProfileDocument" });

export const ProfileDocument = z.union([XmlDocument, TableDocument])
  .meta({ id: "ImportProfileDocument" });

export const PROFILE_READ_ONLY = ["builtIn"];

export type XmlProfileDocument = z.infer<typeof XmlDocument>;
export type TableProfileDocument = z.infer<typeof TableDocument>;
export type ProfileDocument = XmlProfileDocument | TableProfileDocument;

export function documentOfProfile<P extends AnyProfile>(profile: P): P & { builtIn: boolean } {
  return { ...profile, builtIn: BUILT_IN.includes(profile) };
}

function isBuiltIn(id: string): boolean {
  return BUILT_IN.some((profile) => profile.id === id);
}

export function requireProfile(value: unknown): AnyProfile {
  const profile = parseOrRefuse(ignoring(PROFILE_READ_ONLY, AnyProfile), value);
  if (utf8Bytes(JSON.stringify(profile)) <= PROFILE_BYTES_MAX) return profile;
  const message = `The profile has more than ${PROFILE_BYTES_MAX} bytes`;
  throw refuseFields([{ path: "", message }]);
}
