import { hashPassword, PasswordPermits } from "../../src/accounts/passwords/password.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { processMs } from "../processor_time.ts";
import { extent } from "../proof.ts";
import { addPerson, cookieBy, login, outcome, PASSWORD, spendGuesses, tokenOf } from "./people.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { realHashes } from "../light_hashes.ts";
import { testWith } from "../opened.ts";

/** Number of simultaneous requests: more than the queue of password checks accepts. */
const CROWD = extent(300, 120);
const OWNER = "owner@shop.example";
/** Allowed CPU time in ms: 20 password checks take 5 s, but 300 take over a minute. */
const CROWD_CPU_MS = 25_000;
/**
 * The sign-in limits allow the crowd at most this many more password checks (0.25 s each).
 * `spendGuesses` uses up the rest beforehand.
 */
const LOOKS_LEFT = extent(20, 1);
const spent = (looks: number) => Math.max(0, looks - LOOKS_LEFT);

const from = (address: string) => ({ "X-Forwarded-For": address });

/** Sends a crowd of requests at once, and counts the outcomes. */
async function outcomesOf(app: TestApp, ask: (n: number) => Promise<Response>) {
  const before = processMs();
  const answers = Array.from({ length: CROWD }, async (_, n) => await outcome(ask(n)));
  const owner = outcome(login(app, OWNER, PASSWORD, from("192.0.2.1")));
  assertEquals(await owner, [200, null]);
  const counts: Record<string, number> = {};
  for (const [status, code] of await Promise.all(answers)) {
    const name = code ?? String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const cpuMs = processMs() - before;
  ok(cpuMs < CROWD_CPU_MS, `${Math.round(cpuMs)} ms of processor time`);
  return counts;
}

type Crowd = readonly [
  what: string,
  emailOf: (n: number) => string,
  addressOf: (n: number) => string,
  /** Number of password checks that the sign-in limits allow to the whole crowd. */
  looks: number,
];

/** One IP address may cause this many password checks for one account. */
const ACCOUNT_LOOKS = 5;

const oneAccount = () => "manager@shop.example";
const manyAccounts = (n: number) => `user${n}@shop.example`;
const oneAddress = () => "203.0.113.9";
const manyAddresses = (n: number) => `198.51.${n >> 8}.${n & 255}`;
const inNetwork = (n: number) => `2001:db8:1:2::${n.toString(16)}`;

const CROWDS: readonly Crowd[] = [
  ["one account from one address", oneAccount, oneAddress, ACCOUNT_LOOKS],
  ["one account from as many addresses", oneAccount, manyAddresses, 30],
  ["as many accounts from one IPv6 network", manyAccounts, inNetwork, 20],
];

const withProxy = testWith(async () => {
  const hashes = realHashes();
  const app = await startTestApp({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      hashes[Symbol.dispose]();
    },
  };
});

for (const [what, emailOf, addressOf, looks] of CROWDS) {
  withProxy.test(`POST /api/auth/login: ${CROWD} guesses at once at ${what} leave the owner's sign-in from elsewhere free`, async (app) => {
    await addPerson(app, OWNER);
    await addPerson(app, "manager@shop.example", "manager", await hashPassword(PASSWORD));
    await spendGuesses(app, spent(looks), {
      email: (n) => emailOf(CROWD + n),
      address: (n) => addressOf(CROWD + n),
    });
    const guess = (n: number) => login(app, emailOf(n), `falsches-wort-${n}`, from(addressOf(n)));
    const counts = await outcomesOf(app, guess);
    const { invalid_login: looked = 0, rate_limited: _, ...others } = counts;
    assertEquals(others, {});
    ok(looked <= looks - spent(looks), `${looked} password checks`);
  });
}

withProxy.test("POST /api/auth/password: many guesses of a viewer at once do not block other sign-ins", async (app) => {
  await addPerson(app, OWNER);
  await addPerson(app, "viewer@shop.example", "viewer", await hashPassword(PASSWORD));
  const signedIn = login(app, "viewer@shop.example", PASSWORD, from("203.0.113.77"));
  const session = await cookieBy(signedIn);
  const looks = ACCOUNT_LOOKS - spent(ACCOUNT_LOOKS);
  await spendGuesses(app, spent(ACCOUNT_LOOKS), {
    email: () => "viewer@shop.example",
    address: oneAddress,
  });
  const counts = await outcomesOf(app, (n) => {
    const body = { currentPassword: `falsches-wort-${n}`, newPassword: "gabel-wolke-17-mond" };
    const headers = { Cookie: session, ...from("203.0.113.9") };
    return app.anyone.post("/api/auth/password", body, headers);
  });
  assertEquals(counts, { validation_failed: looks, rate_limited: CROWD - looks });
});

withProxy.test("POST /api/invitations/accept: many at once cost few hashes, without a valid link as with one", async (app) => {
  await addPerson(app, OWNER);
  const invite = { email: "neu@shop.example", role: "viewer" };
  const { link } = await app.owner.create("/api/users", invite);
  for (const token of ["x".repeat(43), tokenOf(link)]) {
    await outcomesOf(app, () => {
      const body = { token, password: "gabel-wolke-17-mond" };
      return app.anyone.post("/api/invitations/accept", body, from("203.0.113.9"));
    });
  }
});

Deno.test("password checks are queued per origin: others come next, and one origin cannot fill the queue", async () => {
  const permits = new PasswordPermits();
  const served: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const come = (partition: string, name: string) =>
    permits.of(partition)(async () => {
      served.push(name);
      await opened;
    }).then(() => name, (error) => `${name}: ${error.code}`);
  const crowd = Array.from({ length: 110 }, (_, n) => come("crowd", `c${n}`));
  const others = [come("elsewhere", "owner"), come("third", "anna"), come("third", "bert")];
  open();
  const outcomes = await Promise.all([...crowd, ...others]);
  assertEquals(served.slice(0, 6), ["c0", "c1", "c2", "owner", "anna", "c3"]);
  const refused = outcomes.filter((one) => one.endsWith("unavailable"));
  // Of the crowd's 110 requests, two run at once, 20 wait, and 88 are refused.
  assertEquals([refused.length, refused.every((one) => one.startsWith("c"))], [88, true]);
});

withApp.test("POST /api/auth/login refuses texts longer than any address or password", async (app) => {
  const long = `a${"\u0301\u0327".repeat(60_000)}`;
  for (const [email, password] of [[long, "x"], ["anna@shop.example", long]] as const) {
    const answer = await login(app, email, password);
    assertEquals(await outcome(answer), [401, "invalid_login"]);
  }
  const wide = "ệ".normalize("NFD").repeat(256);
  assertEquals(await outcome(login(app, "anna@shop.example", wide)), [401, "invalid_login"]);
});
