import type { z } from "@hono/zod-openapi";
import { PRICE_PATHS } from "./profile_choices.ts";
import { parsePath, type PathRoute } from "./profile_path.ts";
import { ProfileShape } from "./profile_shape.ts";

/**
 * How a foreign file is read, as data (docs/decisions/imports.md). Adding a profile adds no code.
 */
export const ImportProfile = ProfileShape.superRefine((profile, context) => {
  for (const { path, message } of misplacedPaths(profile)) {
    context.addIssue({ code: "custom", path, message });
  }
}).meta({ id: "ImportProfile" });

export type ImportProfile = z.infer<typeof ImportProfile>;
/** A profile as people write it, without what has a default. */
export type ImportProfileInput = z.input<typeof ImportProfile>;
export type FieldName = keyof ImportProfile["fields"];

/** The alternatives of a path that the schema has checked; none for null. */
export function routesOf(path: string | null): readonly PathRoute[] {
  if (path === null) return [];
  const parsed = parsePath(path);
  return "routes" in parsed ? parsed.routes : [];
}

interface Rule {
  readonly path: string[];
  readonly written: string | null;
  /** How many `../` still stay inside of what the path may see. */
  readonly upMax: number;
  readonly mayBeRoot: boolean;
  readonly isElement: boolean;
}

/** Paths that are well written but lead nowhere from where they start. */
function misplacedPaths(profile: ProfileShape): { path: string[]; message: string }[] {
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

function rulesOf({ prices, competitors, groups, ...profile }: ProfileShape): Rule[] {
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
  const others = Object.entries({ competitors, groups }).flatMap(([part, paths]) =>
    Object.entries(paths ?? {}).map(([name, value]) => rule([part, name], value))
  );
  return [
    rule(["itemPath"], profile.itemPath),
    rule(["fileCurrency"], profile.fileCurrency),
    rule(["mode"], profile.mode),
    ...fields,
    ...rows,
    ...others,
  ];
}

/** Elements of the shortest alternative; of `//A` none is sure to have anything around it. */
function depthOf(path: string | null): number {
  const depths = routesOf(path).map(({ from, steps }) => from === "anywhere" ? 0 : steps.length);
  return depths.length === 0 ? 0 : Math.min(...depths);
}
