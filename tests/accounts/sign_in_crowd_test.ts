import { PasswordPermits } from "../../src/accounts/passwords/password.ts";
import { cookieOf } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { processMs } from "../processor_time.ts";
import { extent } from "../proof.ts";
import {
  addGuardedPerson,
  addPerson,
  login,
  outcome,
  PASSWORD,
  spendGuesses,
  tokenOf,
} from "./people.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { realHashes } from "../light_hashes.ts";
import { testWith } from "../opened.ts";

/** More than the queue of password checks takes. */
const CROWD = extent(300, 120);
const PROXIED = { env: { TRUSTED_PROXIES: "127.0.0.1" } };
const OWNER = "owner@shop.example";
/** Allowed processor time. Twenty password checks need 5 s, and 300 checks more than a minute. */
const CROWD_CPU_MS = 25_000;
/**
 * Numbers of password checks that a crowd gets for an account from one address, for an account from
 * all addresses, and for all accounts from one address.
 */
const LOOKS_AT_ACCOUNT = 5;
const LOOKS_AT_ACCOUNT_FROM_EVERYWHERE = 30;
const LOOKS_FROM_ADDRESS = 20;
/**
 * A check takes a quarter of a second. So the short form first uses up all allowed checks except
 * this many.
 */
const LOOKS_LEFT = extent(20, 1);
const spent = (looks: number) => Math.max(0, looks - LOOKS_LEFT);

/** Headers that a trusted proxy adds for a client at this address. */
const from = (address: string) => ({ "X-Forwarded-For": address });

/**
 * Sends a crowd of requests at once, and counts their outcomes. Fails if the owner cannot sign in
 * meanwhile, or if all requests together take more than `CROWD_CPU_MS`.
 */
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

interface Crowd {
  readonly what: string;
  readonly emailOf: (n: number) => string;
  readonly addressOf: (n: number) => string;
  /** Number of password checks that the whole crowd gets. */
  readonly looks: number;
}

const CROWDS: readonly Crowd[] = [
  {
    what: "one account from one address",
    emailOf: () => "manager@shop.example",
    addressOf: () => "203.0.113.9",
    looks: LOOKS_AT_ACCOUNT,
  },
  {
    what: "one account from as many addresses",
    emailOf: () => "manager@shop.example",
    addressOf: (n) => `198.51.${n >> 8}.${n & 255}`,
    looks: LOOKS_AT_ACCOUNT_FROM_EVERYWHERE,
  },
  {
    what: "as many accounts from one address",
    emailOf: (n) => `user${n}@shop.example`,
    addressOf: () => "203.0.113.9",
    looks: LOOKS_FROM_ADDRESS,
  },
  {
    what: "as many accounts from one IPv6 network",
    emailOf: (n) => `user${n}@shop.example`,
    addressOf: (n) => `2001:db8:1:2::${n.toString(16)}`,
    looks: LOOKS_FROM_ADDRESS,
  },
];

const withProxy = testWith(async () => {
  const hashes = realHashes();
  const app = await startTestApp(PROXIED);
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      hashes[Symbol.dispose]();
    },
  };
});

for (const { what, emailOf, addressOf, looks } of CROWDS) {
  withProxy.test(`POST /api/auth/login: ${CROWD} guesses at once at ${what} leave the owner's sign-in from elsewhere free`, async (app) => {
    await addPerson(app, OWNER);
    await addGuardedPerson(app, "manager@shop.example", "manager");
    const earlier = {
      email: (n: number) => emailOf(CROWD + n),
      address: (n: number) => addressOf(CROWD + n),
    };
    await spendGuesses(app, spent(looks), earlier);
    const counts = await outcomesOf(
      app,
      (n) => login(app, emailOf(n), `falsches-wort-${n}`, from(addressOf(n))),
    );
    assertEquals(
      { ...counts, invalid_login: 0, rate_limited: 0 },
      { invalid_login: 0, rate_limited: 0 },
      JSON.stringify(counts),
    );
    ok((counts.invalid_login ?? 0) <= looks - spent(looks), JSON.stringify(counts));
  });
}

withProxy.test("POST /api/auth/password: many guesses of a viewer at once do not block other sign-ins", async (app) => {
  await addPerson(app, OWNER);
  await addGuardedPerson(app, "viewer@shop.example", "viewer");
  const session = cookieOf(await signedIn(app, "viewer@shop.example"));
  const looks = LOOKS_AT_ACCOUNT - spent(LOOKS_AT_ACCOUNT);
  const guess = { email: () => "viewer@shop.example", address: () => "203.0.113.9" };
  await spendGuesses(app, spent(LOOKS_AT_ACCOUNT), guess);
  const counts = await outcomesOf(app, (n) => {
    const body = { currentPassword: `falsches-wort-${n}`, newPassword: "gabel-wolke-17-mond" };
    const headers = { Cookie: session, ...from("203.0.113.9") };
    return app.anyone.post("/api/auth/password", body, headers);
  });
  assertEquals(counts, { validation_failed: looks, rate_limited: CROWD - looks });
});

async function signedIn(app: TestApp, email: string): Promise<Response> {
  const answer = await login(app, email, PASSWORD, from("203.0.113.77"));
  assertEquals(await outcome(answer), [200, null]);
  return answer;
}

withProxy.test("POST /api/invitations/accept: many at once cost few hashes, without a valid link as with one", async (app) => {
  await addPerson(app, OWNER);
  const invite = { email: "neu@shop.example", role: "viewer" };
  const { link } = await (await app.owner.post("/api/users", invite)).json();
  for (const token of ["x".repeat(43), tokenOf(link)]) {
    await outcomesOf(app, () => {
      const body = { token, password: "gabel-wolke-17-mond" };
      return app.anyone.post("/api/invitations/accept", body, from("203.0.113.9"));
    });
  }
});

Deno.test("password checks are queued per origin: others come next, and find room in a full queue", async () => {
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
  // Eight requests of the crowd were refused by a full queue, and three to make room for others.
  assertEquals([refused.length, refused.every((one) => one.startsWith("c"))], [11, true]);
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
