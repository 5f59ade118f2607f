/** The commits of an import, to be replayed with nothing between them. */
import type { Store } from "../../src/platform/store/kv.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { temporaryFolder } from "../temporary_folder.ts";

type Mutation =
  | { readonly kind: "set"; readonly key: Deno.KvKey; readonly value: unknown }
  | { readonly kind: "delete"; readonly key: Deno.KvKey }
  | { readonly kind: "sum"; readonly key: Deno.KvKey; readonly amount: bigint };

export type RecordedCommit = readonly Mutation[];

/** Writes down every commit of the store that writes products, until it is stopped. */
export function recordCommits(store: Store): { stop(): RecordedCommit[] } {
  const commits: RecordedCommit[] = [];
  const { kv } = store;
  const original = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = original();
    const mutations: Mutation[] = [];
    const { set, delete: remove, sum, commit } = operation;
    operation.set = (key, value, options) => {
      mutations.push({ kind: "set", key, value });
      set.call(operation, key, value, options);
      return operation;
    };
    operation.delete = (key) => {
      mutations.push({ kind: "delete", key });
      remove.call(operation, key);
      return operation;
    };
    operation.sum = (key, amount) => {
      mutations.push({ kind: "sum", key, amount });
      sum.call(operation, key, amount);
      return operation;
    };
    operation.commit = async () => {
      const result = await commit.call(operation);
      if (result.ok && mutations.some(({ key }) => key[0] === "p")) commits.push(mutations);
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

/** Milliseconds of all commits on an empty store, one after the other. */
export async function replayCommits(commits: readonly RecordedCommit[]): Promise<number> {
  await using folder = await temporaryFolder();
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 5_000);
  try {
    const begin = performance.now();
    for (const mutations of commits) {
      const operation = store.kv.atomic();
      for (const mutation of mutations) {
        if (mutation.kind === "set") operation.set(mutation.key, mutation.value);
        else if (mutation.kind === "delete") operation.delete(mutation.key);
        else operation.sum(mutation.key, mutation.amount);
      }
      await operation.commit();
    }
    return performance.now() - begin;
  } finally {
    store.kv.close();
  }
}
