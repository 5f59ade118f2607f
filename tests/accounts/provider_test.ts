import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { bodyOf, column, statusOf } from "../api/answers.ts";
import { cookieOf } from "../caller.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { testWith } from "../opened.ts";
import { addPerson, login, outcome, PASSWORD, SIGNED_OUT, tokenOf, visit } from "./people.ts";
import { type Lie, type OpenIdProvider, startOpenIdProvider } from "./openid_provider.ts";

const CLIENT = "kurant";
const JANA = { sub: "jana-1", email: "jana@shop.example", email_verified: true, name: "Jana" };

function startApp(
  provider: OpenIdProvider,
  env: Record<string, string> = {},
  // The OpenID library compares tokens with the machine's clock, so the app needs the real time.
  now = () => new Date(),
): Promise<TestApp> {
  return startTestApp({
    now,
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_CLIENT_SECRET: "secret",
      OIDC_ROLES: "groups: pricing=manager,it=owner",
      OIDC_LABEL: "Firmenkonto",
      SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
      ...env,
    },
  });
}

async function begin(app: TestApp) {
  const answer = await app.anyone.post("/api/auth/provider/begin");
  const cookie = answer.headers.get("Set-Cookie") ?? "";
  match(cookie, /HttpOnly; SameSite=Strict; Path=\/api\/auth\/provider; Max-Age=600/);
  const { url } = await bodyOf(answer, 200);
  return { url, cookie: cookieOf(answer) };
}

function finish(app: TestApp, query: string, cookie: string): Promise<Response> {
  return app.anyone.post("/api/auth/provider/finish", { query }, { Cookie: cookie });
}

async function signIn(
  app: TestApp,
  provider: OpenIdProvider,
  person: Record<string, unknown>,
  lie: Lie = {},
): Promise<Response> {
  const { url, cookie } = await begin(app);
  return await finish(app, provider.approve(url, person, lie), cookie);
}

const withProvider = testWith(() => startOpenIdProvider(CLIENT));

withProvider.test("a person of the provider is created with a group's role, and found by subject", async (provider) => {
  await using app = await startApp(provider);
  const ways = await app.anyone.read("/api/auth/ways");
  assertEquals(ways.provider, "Firmenkonto");
  const { url } = await begin(app);
  const asked = Object.fromEntries(new URL(url).searchParams);
  assertEquals([asked.response_type, asked.code_challenge_method], ["code", "S256"]);
  assertEquals([asked.client_id, asked.redirect_uri], [CLIENT, `${app.base}/sign-in`]);
  const answer = await signIn(app, provider, { ...JANA, groups: ["x", "pricing"] });
  const session = answer.headers.getSetCookie().find((one) => one.startsWith("pr_session="));
  const { id, email, name, role, status } = await bodyOf(answer, 200);
  assertEquals([email, name, role, status], [JANA.email, "Jana", "manager", "active"]);
  const me = await app.anyone.read("/api/auth/me", { Cookie: session?.split(";")[0] ?? "" });
  assertEquals(me.id, id);
  // A new group changes the role, but a new e-mail address changes nothing.
  const moved = { ...JANA, email: "owner@other.example", groups: ["it"] };
  const again = await bodyOf(signIn(app, provider, moved), 200);
  assertEquals([again.id, again.email, again.role], [id, JANA.email, "owner"]);
  const { items } = await app.owner.read("/api/audit-logs?resource=user");
  const actions = items.filter(({ actor }: { actor: { id: string } }) => actor.id === "provider");
  assertEquals(column(actions, "action").sort(), ["user.create", "user.update"]);
});

withProvider.test("a verified address finds an existing person; an unverified one does not", async (provider) => {
  await using app = await startApp(provider);
  const added = await addPerson(app, JANA.email, "viewer");
  const groups = ["pricing"];
  const unverified = { ...JANA, email_verified: false, groups };
  const refused = (await bodyOf(signIn(app, provider, unverified), 403)).error;
  match(refused.message, /Verify your e-mail address/);
  const jana = await bodyOf(signIn(app, provider, { ...JANA, groups }), 200);
  assertEquals([jana.id, jana.role], [added.id, "manager"]);
  assertEquals(await statusOf(login(app, JANA.email)), 200);
});

withProvider.test("nobody is admitted without a role, and the last owner stays owner", async (provider) => {
  await using app = await startApp(provider);
  for (const groups of [undefined, [], ["other"], "constructor"]) {
    const { error } = await bodyOf(signIn(app, provider, { ...JANA, groups }), 403);
    match(error.message, /has no role here/);
  }
  const { items: [owner] } = await app.owner.read("/api/users");
  const person = { ...JANA, email: owner.email, groups: ["pricing"] };
  const user = await bodyOf(signIn(app, provider, person), 200);
  assertEquals([user.id, user.role], [owner.id, "owner"]);
  // With a second owner, the first owner may lose this role.
  await bodyOf(signIn(app, provider, { ...JANA, sub: "jana-2", groups: ["it"] }), 200);
  assertEquals((await bodyOf(signIn(app, provider, person), 200)).role, "manager");
});

withProvider.test("without OIDC_ROLES, the provider signs in only people who have an account, with its role", async (provider) => {
  await using app = await startApp(provider, { OIDC_ROLES: "" });
  const { error } = await bodyOf(signIn(app, provider, { ...JANA, groups: ["it"] }), 403);
  match(error.message, /has no account here/);
  const { id } = await addPerson(app, JANA.email, "viewer");
  const jana = await bodyOf(signIn(app, provider, { ...JANA, groups: ["it"] }), 200);
  assertEquals([jana.id, jana.role], [id, "viewer"]);
});

const WRONG: Record<string, Lie> = {
  "another issuer": { claims: { iss: "https://evil.example" } },
  "another audience": { claims: { aud: "another" } },
  "another nonce": { claims: { nonce: "another" } },
  "no nonce": { claims: { nonce: undefined } },
  "an expired token": { claims: { exp: 1, iat: 0 } },
  "no subject": { claims: { sub: "" } },
  "a signature of somebody else": { isForged: true },
  "alg none": { isUnsigned: true },
  "another state": { state: "another" },
  "another issuer in the address": { iss: "https://evil.example" },
};

Deno.test("an answer with anything wrong is refused, and creates no person", async (t) => {
  await using provider = await startOpenIdProvider(CLIENT);
  await using app = await startApp(provider);
  for (const [what, lie] of Object.entries(WRONG)) {
    await t.step(what, async () => {
      const answer = await signIn(app, provider, { ...JANA, groups: ["it"] }, lie);
      ok(!answer.headers.getSetCookie().some((one) => one.startsWith("pr_session=")));
      const { error } = await bodyOf(answer, 403);
      assertEquals(error.code, "forbidden");
      match(error.message, /^The provider's answer was refused \(.+\): sign in again$/);
    });
  }
  const { items } = await app.owner.read("/api/users");
  assertEquals(items.some(({ email }: { email: string }) => email === JANA.email), false);
});

withProvider.test("an answer counts once, and only in the browser that began", async (provider) => {
  await using app = await startApp(provider);
  const person = { ...JANA, groups: ["it"] };
  const mine = await begin(app);
  const other = await begin(app);
  const query = provider.approve(mine.url, person);
  // The sign-in began in another browser, so it is refused even with this browser's `state`.
  assertEquals(await statusOf(finish(app, query, other.cookie)), 403);
  const third = await begin(app);
  const state = new URL(third.url).searchParams.get("state") ?? "";
  const swapped = provider.approve(mine.url, person, { state });
  assertEquals(await statusOf(finish(app, swapped, third.cookie)), 403);
  assertEquals(provider.exchanged(), 0);
  assertEquals(await statusOf(finish(app, query, "pr_oidc=x")), 403);
  assertEquals(await statusOf(finish(app, query, mine.cookie)), 200);
  assertEquals(await statusOf(finish(app, query, mine.cookie)), 403);
  const twice = await begin(app);
  const answer = provider.approve(twice.url, person);
  const both = [1, 2].map(() => statusOf(finish(app, answer, twice.cookie)));
  assertEquals((await Promise.all(both)).sort(), [200, 403]);
  const denied = await begin(app);
  const deniedState = new URL(denied.url).searchParams.get("state");
  const refusal = `?error=access_denied&state=${deniedState}`;
  assertEquals(await statusOf(finish(app, refusal, denied.cookie)), 403);
});

async function signedIn(app: TestApp, provider: OpenIdProvider, person: object) {
  const answer = await signIn(app, provider, { ...person });
  const { id } = await bodyOf(answer, 200);
  return { id, cookie: cookieOf(answer) };
}

async function beginProof(app: TestApp, cookie: string) {
  const answer = await app.anyone.post("/api/auth/provider/prove", {}, { Cookie: cookie });
  const { url } = await bodyOf(answer, 200);
  return { url, cookie: `${cookie}; ${cookieOf(answer)}` };
}

withProvider.test("a person of the provider proves their identity by signing in there again", async (provider) => {
  let shiftMs = 0;
  await using app = await startApp(provider, {}, () => new Date(Date.now() + shiftMs));
  const person = { ...JANA, groups: ["it"] };
  const jana = await signedIn(app, provider, person);
  const cleo = { email: "cleo@shop.example", role: "viewer" };
  const invite = (Cookie: string) => app.anyone.post("/api/users", cleo, { Cookie });
  shiftMs = 11 * 60_000;
  assertEquals(await outcome(await invite(jana.cookie)), [403, "reauthentication_required"]);
  const choice = await app.anyone.read("/api/auth/prove", { Cookie: jana.cookie });
  assertEquals([choice.password, choice.code, choice.provider], [false, false, "Firmenkonto"]);
  const begun = await beginProof(app, jana.cookie);
  const asked = new URL(begun.url).searchParams;
  assertEquals([asked.get("prompt"), asked.get("max_age")], ["login", "0"]);
  const proved = await finish(app, provider.approve(begun.url, person), begun.cookie);
  const cookie = cookieOf(proved);
  assertEquals((await bodyOf(proved, 200)).id, jana.id);
  assertEquals(await visit(app, jana.cookie), SIGNED_OUT);
  assertEquals(await outcome(await invite(cookie)), [201, null]);
  const log = await app.owner.read("/api/audit-logs?action=user.factor_use");
  assertEquals(column(column(log.items, "resource"), "id"), [jana.id]);
  assertEquals(column(log.items, "after"), [{ factor: "provider" }]);
});

withProvider.test("a proof by an old sign-in, another person or another session is refused and audited", async (provider) => {
  let shiftMs = 0;
  await using app = await startApp(provider, {}, () => new Date(Date.now() + shiftMs));
  const person = { ...JANA, groups: ["it"] };
  const max = { ...person, sub: "max-1", email: "max@shop.example" };
  const jana = await signedIn(app, provider, person);
  const other = await signedIn(app, provider, max);
  shiftMs = 11 * 60_000;
  const hourAgo = Math.floor(Date.now() / 1_000) - 3_600;
  const at = (time?: number) => ({ claims: { auth_time: time } });
  const REFUSED = /^The provider's answer was refused/;
  const cases = [
    ["an old sign-in", person, at(hourAgo), jana, REFUSED],
    ["no time of the sign-in", person, at(), jana, REFUSED],
    ["another person", max, {}, jana, /another account/],
    ["another session", person, {}, other, /another account/],
  ] as const;
  for (const [what, whom, lie, session, message] of cases) {
    const { url, cookie } = await beginProof(app, jana.cookie);
    const answer = provider.approve(url, whom, lie);
    const proved = finish(app, answer, cookie.replace(jana.cookie, session.cookie));
    match((await bodyOf(proved, 403)).error.message, message, what);
  }
  const act = app.anyone.post("/api/keys", { name: "ERP", scopes: [] }, { Cookie: jana.cookie });
  assertEquals(await outcome(await act), [403, "reauthentication_required"]);
  const log = await app.owner.read("/api/audit-logs?action=user.provider_fail");
  assertEquals(column(column(log.items, "after"), "address"), cases.map(() => "127.0.0.1"));
});

withProvider.test("OIDC_ONLY disables the password of the provider's people, and of no others", async (provider) => {
  await using app = await startApp(provider, { OIDC_ONLY: "true" });
  for (const email of [JANA.email, "max@shop.example"]) await addPerson(app, email, "viewer");
  assertEquals(await statusOf(login(app, JANA.email)), 200);
  const { items } = await app.owner.read("/api/users");
  const { id } = items.find(({ email }: { email: string }) => email === JANA.email);
  const resetLink = `/api/users/${id}/reset-link`;
  const { link } = await app.owner.act(resetLink);
  const signedIn = await signIn(app, provider, { ...JANA, groups: ["it"] });
  const Cookie = cookieOf(signedIn);
  assertEquals(await statusOf(signedIn), 200);
  assertEquals((await app.anyone.read("/api/auth/prove", { Cookie })).password, false);
  const proof = app.anyone.post("/api/auth/prove", { password: PASSWORD }, { Cookie });
  match((await bodyOf(proof, 403)).error.message, /sign in with Firmenkonto/);
  match((await bodyOf(login(app, JANA.email), 403)).error.message, /sign in with Firmenkonto/);
  assertEquals(await statusOf(login(app, "max@shop.example")), 200);

  const password = "Birnbaum im Mai";
  const change = { currentPassword: PASSWORD, newPassword: password };
  const changed = app.anyone.post("/api/auth/password", change, { Cookie });
  match((await bodyOf(changed, 403)).error.message, /sign in with Firmenkonto/);
  match((await bodyOf(app.owner.post(resetLink), 403)).error.message, /sign in with Firmenkonto/);
  const accepted = app.anyone.post("/api/invitations/accept", { token: tokenOf(link), password });
  match((await bodyOf(accepted, 403)).error.message, /sign in with Firmenkonto/);
});

withProvider.test("a provider that is away, private or missing is refused with a message, and refused sign-ins are audited", async (provider) => {
  await using app = await startApp(provider, { SCRAPE_ALLOW_PRIVATE: "" });
  const { error } = await bodyOf(app.anyone.post("/api/auth/provider/begin"), 503);
  match(error.message, /^The provider does not answer as it should/);
  // The audit log takes at most ten refused sign-ins per hour from one IP address.
  for (let n = 0; n < 15; n++) assertEquals(await statusOf(finish(app, "?x", "pr_oidc=x")), 403);
  const log = await app.owner.read("/api/audit-logs?action=user.provider_fail");
  assertEquals(log.items.length, 10);
  match(String(log.items[0]?.after.reason), /not started in this browser/);
  await using plain = await startTestApp();
  assertEquals(await statusOf(plain.anyone.post("/api/auth/provider/begin")), 409);
});
