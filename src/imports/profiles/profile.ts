/** The schema of XML profiles with all checks, and the union of all profiles. */
import { z } from "@hono/zod-openapi";
import { type MatchKey, PRICE_PATHS } from "./profile_choices.ts";
import { parsePath, type PathRoute } from "./profile_path.ts";
import { ProfileId, ProfileShape } from "./profile_shape.ts";
import { NewTableProfile, TableProfile } from "./table_profile.ts";

export function isTable(profile: AnyProfile): profile is TableProfile {
  return profile.format === "table";
}

export function isOfXml(profile: AnyProfile): profile is ImportProfile {
  return !isTable(profile);
}

export const ImportProfile = ProfileShape.superRefine(checkPaths).meta({ id: "ImportProfile" });

const NewImportProfile = ProfileShape.extend({ id: ProfileId.optional() })
  .superRefine(checkPaths).meta({ id: "NewImportProfile" });

export const AnyProfile = z.discriminatedUnion("format", [ImportProfile, TableProfile]);

export type AnyProfile = ImportProfile | TableProfile;

export const NewProfile = z.discriminatedUnion("format", [NewImportProfile, NewTableProfile]);
export type NewProfile = z.infer<typeof NewProfile>;
export type ImportProfile = z.infer<typeof ImportProfile>;
export type ImportProfileInput = z.input<typeof ImportProfile>;
export type FieldName = keyof ImportProfile["fields"];

export interface RecordTerms
  extends Pick<ImportProfile, "numberFormat" | "zeroIsEmpty" | "dateFormats" | "openEnd"> {
  readonly fields: ImportProfile["fields"];
  readonly prices: PriceTerms | null;
  readonly isMinor?: true;
  readonly matchBy?: MatchKey;
}

export interface PriceTerms extends
  Pick<
    NonNullable<ImportProfile["prices"]>,
    "current" | "defaultTier" | "firstTierCounts" | "alsoCostPrice" | "alsoTargetPrice"
  > {
  /** Prices of this tier have precedence, unless item or request names a tier. */
  readonly firstTier?: string;
  /** Tiers that are used for our price only if item, request or profile names them. */
  readonly otherTiers?: readonly string[];
  /** True if prices in the file change only our price, and never stored tier prices. */
  readonly keepsTiers?: true;
}

export function routesOf(path: string | null): readonly PathRoute[] {
  if (path === null) return [];
  const parsed = parsePath(path);
  return "routes" in parsed ? parsed.routes : [];
}

type Paths = Omit<ProfileShape, "id">;

interface Rule {
  readonly path: string[];
  readonly written: string | null;
  /** Maximum number of `../` steps before a path leaves the known elements. */
  readonly upMax: number;
  readonly mayBeRoot: boolean;
  readonly isElement: boolean;
}

function checkPaths(profile: Paths, context: z.RefinementCtx): void {
  for (const { path, message } of misplacedPaths(profile)) {
    context.addIssue({ code: "custom", path, message });
  }
}

function misplacedPaths(profile: Paths): { path: string[]; message: string }[] {
  return rulesOf(profile).flatMap(({ path, written, upMax, mayBeRoot, isElement }) => {
    const routes = routesOf(written);
    const messages = [
      routes.some(({ up }) => up > upMax) && 'Has more "../" than there are elements around it',
      routes.some(({ from }) => from === "root") && !mayBeRoot && 'Cannot start with "/" here',
      routes.some(({ attribute }) => attribute !== null) && isElement && "Must be an element",
    ];
    return messages.flatMap((message) => message ? [{ path, message }] : []);
  });
}

function rulesOf({ prices, competitors, groups, ...profile }: Paths): Rule[] {
  const rule = (path: string[], written: string | null, upMax = 0): Rule => ({
    path,
    written,
    upMax,
    mayBeRoot: path[0] === "itemPath" || path[0] === "fileCurrency" || path[0] === "fields",
    isElement: path[0] === "itemPath" || path[1] === "path",
  });
  const itemDepth = depthOf(profile.itemPath);
  const fields = Object.entries(profile.fields).map(([name, field]) =>
    rule(["fields", name, "path"], field?.path ?? null, itemDepth)
  );
  const rowDepth = depthOf(prices?.path ?? null);
  const inPrices: readonly string[] = [...PRICE_PATHS.required, ...PRICE_PATHS.optional];
  const rows = Object.entries(prices ?? {}).flatMap(([name, value]) => {
    if (typeof value !== "string" || !inPrices.includes(name)) return [];
    return [rule(["prices", name], value, name === "path" ? 0 : rowDepth)];
  });
  const others = Object.entries({ competitors, groups, sale: profile.sale }).flatMap((
    [part, paths],
  ) => Object.entries(paths ?? {}).map(([name, value]) => rule([part, name], value)));
  return [
    rule(["itemPath"], profile.itemPath),
    rule(["fileCurrency"], profile.fileCurrency),
    rule(["mode"], profile.mode),
    ...fields,
    ...rows,
    ...others,
  ];
}

function depthOf(path: string | null): number {
  const depths = routesOf(path).map(({ from, steps }) => from === "anywhere" ? 0 : steps.length);
  return depths.length === 0 ? 0 : Math.min(...depths);
}
