/** Records commits of the service and replays them, to measure what the store alone needs. */
import type { Store } from "../../src/platform/store/kv.ts";
import { replaceMethod } from "../../src/platform/store/store_trouble.ts";
import { openStoreIn } from "../closing_store.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { timed } from "./slices.ts";

const CHANGES = ["set", "delete", "sum"] as const;

interface Mutation {
  readonly name: typeof CHANGES[number];
  readonly key: Deno.KvKey;
  readonly value: unknown;
  /** Byte arrays are copied, because Kurant reuses its buffers. */
  readonly args: readonly unknown[];
}

export interface RecordedCommit {
  readonly checks: readonly Deno.AtomicCheck[];
  readonly mutations: readonly Mutation[];
}

/** Tables of upload parts (`b`) and jobs (`j`); each commit of an import changes one of them. */
const TABLES_OF_IMPORT: readonly unknown[] = ["b", "j"];

export function writesProducts({ mutations }: RecordedCommit): boolean {
  return mutations.some(({ key }) => key[0] === "p");
}

/** Omits the commits after the import's success, which only remove temporary rows. */
export function upToTheEnd(commits: readonly RecordedCommit[]): readonly RecordedCommit[] {
  const last = commits.findIndex(({ mutations }) =>
    mutations.some(({ name, key, value }) =>
      name === "set" && key[0] === "j" && Reflect.get(Object(value), "status") === "succeeded"
    )
  );
  return commits.slice(0, last + 1);
}

function isOfImport({ mutations }: RecordedCommit): boolean {
  return mutations.some(({ key }) => TABLES_OF_IMPORT.includes(key[0]));
}

/** Records the commits of an import, or those that `isWanted` selects, until `stop` is called. */
export function recordCommits(
  store: Store,
  isWanted: (commit: RecordedCommit) => boolean = isOfImport,
): { stop(): RecordedCommit[] } {
  const commits: RecordedCommit[] = [];
  const { kv } = store;
  const original = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = original();
    const checks: Deno.AtomicCheck[] = [];
    const mutations: Mutation[] = [];
    const { check, commit } = operation;
    operation.check = (...asked) => {
      checks.push(...asked);
      return check.apply(operation, asked);
    };
    for (const name of CHANGES) {
      const change = operation[name];
      replaceMethod(operation, name, (key: Deno.KvKey, ...more: unknown[]) => {
        const kept = more.map((each) => each instanceof Uint8Array ? each.slice() : each);
        mutations.push({ name, key, value: kept[0], args: [key, ...kept] });
        return Reflect.apply(change, operation, [key, ...more]);
      });
    }
    operation.commit = async () => {
      const result = await commit.call(operation);
      if (result.ok && isWanted({ checks, mutations })) commits.push({ checks, mutations });
      return result;
    };
    return operation;
  };
  return {
    stop() {
      kv.atomic = original;
      return commits;
    },
  };
}

/**
 * Executes all commits on an empty store, one after the other. Omits version checks of rows that no
 * replayed commit has written.
 */
export async function replayCommits(commits: readonly RecordedCommit[]) {
  await using folder = await temporaryFolder();
  using store = await openStoreIn(folder.path);
  const written = new Map<string, string | null>();
  return await timed(async () => {
    for (const { checks, mutations } of commits) {
      const operation = store.kv.atomic();
      for (const { key, versionstamp } of checks) {
        const known = versionstamp === null ? null : written.get(nameOf(key));
        if (known !== undefined) operation.check({ key, versionstamp: known });
      }
      for (const { name, args } of mutations) Reflect.apply(operation[name], operation, args);
      const result = await operation.commit();
      if (!result.ok) throw new Error("A commit that was recorded cannot be replayed");
      noteChecked(written, mutations, result.versionstamp);
    }
  });
}

/** The only tables in which commits check a row's version. */
const CHECKED: readonly unknown[] = ["bh", "j", "g", "go"];

function noteChecked(
  written: Map<string, string | null>,
  mutations: readonly Mutation[],
  versionstamp: string,
): void {
  for (const { name, key } of mutations) {
    if (CHECKED.includes(key[0])) written.set(nameOf(key), name === "delete" ? null : versionstamp);
  }
}

function nameOf(key: Deno.KvKey): string {
  return key.map((part) => part instanceof Uint8Array ? part.toHex() : String(part)).join(" ");
}
