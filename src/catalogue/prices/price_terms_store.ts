/**
 * Keys: `ptm W productId at` → what changed of a product's rate of VAT and of the prices of its tiers at
 * that time, as JSON bytes; `ptb W` → since when that is kept. Kept for ever, as own prices are.
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { TermsStep } from "./price_terms.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const stepsOf = (workspaceId: string) => ["ptm", keptIdBytes(workspaceId)];
const beginKey = (workspaceId: string) => ["ptb", idBytes(workspaceId)];

/** Goes into the commit that changes the product. */
export function putTermsStep(
  write: Write,
  workspaceId: string,
  productId: string,
  { atMs, vat, tiers }: TermsStep,
): void {
  const bytes = encoder.encode(JSON.stringify([vat, tiers]));
  write.set([...stepsOf(workspaceId), idBytes(productId), atMs], bytes);
}

function stepOf({ key, value }: Deno.KvEntry<Uint8Array>): TermsStep {
  const [vat, tiers]: [TermsStep["vat"], TermsStep["tiers"]] = JSON.parse(decoder.decode(value));
  return { atMs: Number(key[3]), vat, tiers };
}

/** All of a product, oldest first. */
export async function listTermsSteps(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<TermsStep[]> {
  const prefix = [...stepsOf(workspaceId), idBytes(productId)];
  return await Array.fromAsync(store.kv.list<Uint8Array>({ prefix }, { batchSize: 500 }), stepOf);
}

/** Those of all products, by product, oldest first: for files and checks of the store. */
export async function* walkTermsSteps({ store, workspaceId }: WorkspaceStore) {
  const prefix = stepsOf(workspaceId);
  for await (const row of store.kv.list<Uint8Array>({ prefix }, { batchSize: 500 })) {
    yield { productId: idIn(row.key, 2), step: stepOf(row) };
  }
}

/** Since when steps are kept of a workspace; null before its first night. */
export async function findTermsBegin(workspace: WorkspaceStore): Promise<number | null> {
  return (await readTermsBegin(workspace)).beganMs;
}

/** With the version that `saveTermsBegin` checks. */
export async function readTermsBegin({ store, workspaceId }: WorkspaceStore) {
  const { value: beganMs, versionstamp } = await store.kv.get<number>(beginKey(workspaceId));
  return { beganMs, versionstamp };
}

/** The commit fails when somebody else has begun meanwhile. */
export function saveTermsBegin(
  write: Write,
  workspaceId: string,
  beganMs: number,
  versionstamp: string | null,
): void {
  const key = beginKey(workspaceId);
  write.check(key, versionstamp);
  write.set(key, beganMs);
}
