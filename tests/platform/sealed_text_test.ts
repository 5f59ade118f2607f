import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { type Store, transact } from "../../src/platform/store/kv.ts";
import {
  newSecretKey,
  openText,
  parseSecretKeys,
  requireStoreSecret,
  sealBytes,
  sealText,
  type StoredSecret,
} from "../../src/platform/store/secret_store.ts";
import { resealRows, secretTroubles } from "../../src/platform/store/table_options.ts";
import { defineTable } from "../../src/platform/store/table.ts";
import { withStore } from "../memory_store.ts";
import { onEveryStore } from "../stores.ts";
import { workspaceNumber } from "./jobs/counting.ts";

interface Account {
  readonly id: string;
  readonly secret: StoredSecret;
  readonly before?: { readonly secret: StoredSecret; readonly until: string };
  readonly auth?: { readonly kind: string } & Exclude<StoredSecret, string>;
}

const accounts = defineTable<Account, "id">({
  prefix: "acc",
  about: "an account",
  key: { id: "id" },
  valueHasKey: true,
  sealed: ["secret", "before.secret", "auth"],
  version: "accv",
});

const [HOME, ELSEWHERE] = [workspaceNumber(1), workspaceNumber(2)];
const ids = Array.from({ length: 20 }, (_, n) => workspaceNumber(100 + n));
const [one, other] = [ids[0]!, ids[1]!];
const [K1, K2] = [keys(newSecretKey()), keys(newSecretKey())];

function keys(text: string) {
  return parseSecretKeys(text) ?? [];
}

onEveryStore.test("a sealed text opens only in its own row and field, and only unchanged", async (store) => {
  const place = { store: { ...store, secretKeys: K1 }, workspaceId: HOME };
  const secret = await accounts.seal(place, { id: one }, "secret", "whsec_x");
  await transact(place, (write) => accounts.save(write, place, null, { id: one, secret }));
  const row = (await accounts.find(place, { id: one }))!.row;
  assertEquals(await accounts.open(place, row, "secret"), "whsec_x");
  const bytes = new TextDecoder("latin1").decode(secret.sealed);
  ok(!bytes.includes("whsec"));
  const away = { ...place, workspaceId: ELSEWHERE };
  await rejects(accounts.open(away, row, "secret"), /were changed/);
  await rejects(accounts.open(place, { ...row, id: other }, "secret"), /were changed/);
  const changed = { ...secret, sealed: secret.sealed.with(-1, secret.sealed.at(-1)! ^ 1) };
  await rejects(accounts.open(place, { ...row, secret: changed }, "secret"), /were changed/);
  const moved = { ...row, before: { secret, until: "" } };
  await rejects(accounts.open(place, moved, "before.secret"), /were changed/);
  await rejects(accounts.open(place, row, "other"), /has no "other"/);
  await rejects(accounts.seal(place, row, "id", "x"), /seals no field "id"/);
});

withStore.test("the first key seals, every key opens, and a missing key is named", async (store) => {
  const under = (secretKeys: Store["secretKeys"]) => ({ ...store, secretKeys });
  const first = await sealText(under(K1), "p", "one");
  const second = await sealText(under([...K2, ...K1]), "p", "two");
  assertEquals([first.key, second.key], [K1[0]?.id, K2[0]?.id]);
  for (const all of [[...K1, ...K2], [...K2, ...K1]]) {
    assertEquals(await openText(under(all), "p", first), "one");
    assertEquals(await openText(under(all), "p", second), "two");
  }
  const missing = new RegExp(`the key ${second.key}, which is miss`);
  await rejects(openText(under(K1), "p", second), missing);
});

withStore.test("without a key the store's own secret seals, and still opens after a key is added", async (store) => {
  const sealed = await sealText(store, "p", "one");
  assertEquals(sealed.key, "store");
  assertEquals(await openText({ ...store, secretKeys: K1 }, "p", sealed), "one");
});

withStore.test("unsealed texts of earlier versions are readable, and are sealed in several commits", async (plain) => {
  const store: Store = { ...plain, secretKeys: K1 };
  const place = { store, workspaceId: HOME };
  const bytes = new TextEncoder().encode("pass");
  const auth = { kind: "basic", sealed: sealBytes(await requireStoreSecret(store), bytes) };
  const before = { secret: "b", until: "u" };
  for (const id of ids) {
    const row = { id, secret: id, before, auth };
    await transact(place, (write) => accounts.save(write, place, null, row));
  }
  const opened = async (id: string) => {
    const { row } = (await accounts.find(place, { id }))!;
    const open = (field: string) => accounts.open(place, row, field);
    return await Promise.all(["secret", "before.secret", "auth"].map(open));
  };
  assertEquals(await opened(one), [one, "b", "pass"]);
  assertEquals((await Array.fromAsync(secretTroubles(accounts.options, store))).length, 40);
  const version = await accounts.version(place);
  const reseal = (after: Deno.KvKey | null) =>
    transact(place, (write) => resealRows(accounts, store, write, after));
  const counts: number[] = [];
  let after: Deno.KvKey | null = null;
  do {
    const done: Awaited<ReturnType<typeof reseal>> = await reseal(after);
    counts.push(done.count);
    after = done.after;
  } while (after !== null);
  assertEquals([counts.length, counts.reduce((sum, count) => sum + count)], [4, 60]);
  assertEquals(await Promise.all(ids.map(opened)), ids.map((id) => [id, "b", "pass"]));
  assertEquals(await Array.fromAsync(secretTroubles(accounts.options, store)), []);
  ok(await accounts.version(place) !== version);
  const { auth: now, before: former } = (await accounts.find(place, { id: one }))!.row;
  assertEquals([now?.kind, former?.until], ["basic", "u"]);
  assertEquals(await reseal(null), { after: null, count: 0 });
  const lost = secretTroubles(accounts.options, { ...store, secretKeys: K2 });
  assertEquals((await Array.fromAsync(lost)).length, 60);
});

Deno.test("parseSecretKeys() accepts only one or several keys of 32 bytes in base64", () => {
  const [a, b] = [newSecretKey(), newSecretKey()];
  const parsed = parseSecretKeys(`${a}, ${b}\n`);
  assertEquals(parsed?.map(({ bytes }) => bytes.toBase64()), [a, b]);
  const bad = ["", " , ", "short", a.slice(1), `${a}A`, "x".repeat(44), `${a},secret`];
  assertEquals(bad.map(parseSecretKeys), bad.map(() => null));
});
