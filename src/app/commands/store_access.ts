/** Opens the store for a command, and converts a store of an earlier version. */
import { removeUnusedIndexRows } from "../../accounts/audit/audit_store.ts";
import { inEachWorkspace } from "../../accounts/workspace.ts";
import { clearFormerRows, rewriteProducts } from "../../catalogue/changes/rewrite_products.ts";
import { rewriteProposals } from "../../rules/proposals/proposal_store.ts";
import { rewriteMatches } from "../../shops/matches/match_store.ts";
import { Failure } from "../../base/failure.ts";
import { resealSome, type SecretPlace } from "../composition/tables.ts";
import { createClock, type Tools } from "../../platform/store/context.ts";
import {
  LAYOUT,
  type Migrate,
  migrateStore,
  type MigrationStep,
  openStore,
  storeFile,
  type StoreLocation,
} from "../../platform/store/open_store.ts";
import {
  asTornFile,
  copyLiveFile,
  flushFile,
  lockStore,
  sizeOf,
} from "../../platform/store/store_file.ts";
import { freeBytesBeside } from "../../platform/store/store_trouble.ts";
import { type Config, passStoreToken, readConfig } from "../composition/config.ts";
import { fileFolder } from "../composition/diagnosis.ts";
import { openPart } from "./part_file.ts";
import { printError } from "./terminal.ts";

/** Steps that convert stores of earlier formats to the present format, oldest first. */
export const MIGRATION_STEPS: readonly MigrationStep[] = [
  { what: "products get all fields", advance: inEachWorkspace(rewriteProducts) },
  { what: "links get their present form", advance: inEachWorkspace(rewriteMatches) },
  { what: "proposals keep facts", advance: inEachWorkspace(rewriteProposals) },
  { what: "awaited prices are one row", advance: inEachWorkspace(clearFormerRows) },
  {
    what: "credentials in rows are sealed",
    advance: (store, write, at) => resealSome(store, write, isSecretPlace(at) ? at : null),
  },
  {
    what: "audit rows lose index rows that no list needs",
    advance: inEachWorkspace(removeUnusedIndexRows),
  },
];

function isSecretPlace(place: unknown): place is SecretPlace {
  return typeof place === "object" && place !== null && "table" in place && "after" in place;
}

/** With `KV_URL` or on Deno Deploy, the store is remote; otherwise, the store is a file. */
export function storeLocation(config: Config): StoreLocation {
  return { kvUrl: config.KV_URL, dataDir: fileFolder(config), secretKeys: config.SECRET_KEY ?? [] };
}

/** A migration first locks the store file. Pass `migrationOf` if the file is already locked. */
export async function withTools<T>(
  work: (tools: Tools) => Promise<T>,
  migrationAt: (location: StoreLocation) => Migrate = migrationOfTool,
): Promise<T> {
  const config = readConfig();
  passStoreToken(config);
  const location = storeLocation(config);
  // A command waits up to 30 s while a server writes to the file (docs/decisions/jobs.md).
  const store = await openStore(location, 30_000, migrationAt(location));
  try {
    return await work({ store, clock: await createClock(store, () => new Date()) });
  } catch (error) {
    throw location.dataDir === null ? error : asTornFile(storeFile(location.dataDir).kvPath, error);
  } finally {
    store.kv.close();
  }
}

/** The caller must lock the store file before the returned migration runs. */
export function migrationOf(location: StoreLocation): Migrate {
  const file = location.dataDir === null ? null : storeFile(location.dataDir);
  return async (store) => {
    await migrateStore(store, {
      steps: MIGRATION_STEPS,
      owner: crypto.randomUUID(),
      now: () => new Date(),
      backUp: file && (() => backUp(file.kvPath)),
      say: printError,
    });
  };
}

/** The returned migration locks the file, so that no server runs during the migration. */
function migrationOfTool(location: StoreLocation): Migrate {
  const migrate = migrationOf(location);
  return async (store) => {
    using _lock = location.dataDir === null
      ? null
      : lockStore(storeFile(location.dataDir).lockPath);
    await migrate(store);
  };
}

/** Throws if the disk lacks space for the upgrade and its backup: twice the size of the store. */
async function requireRoomForUpgrade(kvPath: string): Promise<void> {
  const free = await freeBytesBeside(kvPath);
  const bytes = 2 * (await sizeOf(kvPath) ?? 0);
  if (free === null || free >= bytes) return;
  throw new Failure(
    "unavailable",
    `The upgrade and its backup need ${bytes} bytes of free space next to "${kvPath}", and the ` +
      `disk has ${free}: free space and start again; the store is unchanged`,
  );
}

async function backUp(kvPath: string): Promise<string> {
  await requireRoomForUpgrade(kvPath);
  const path = `${kvPath}.before-layout-${LAYOUT}`;
  await using part = await openPart(path);
  await copyLiveFile(kvPath, part.path);
  await flushFile(part.path);
  await Deno.rename(part.path, path);
  printError(`The store as it was is kept as ${path}`);
  return path;
}
