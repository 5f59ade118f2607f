import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf, refusalOf, statusOf } from "../api/answers.ts";
import { COLLECTION, HOSTILE_INPUTS, hostileInputs, OWN_DATA } from "../sample_data.ts";
import { startServer } from "../program.ts";
import { exchange } from "../raw_http.ts";
import { inFolder } from "../temporary_folder.ts";
import { Buffer } from "node:buffer";
import { type Caller, createCaller } from "../caller.ts";

const FORGED = '\n{"level":"info","event":"forged"}\r\nforged\u2028forged\u0000\u001b[31m';

/** Sends line breaks and control characters wherever a client can send text. */
async function sendHostile(url: string, owner: Caller): Promise<string[]> {
  const anyone = createCaller(url);
  const titles = [OWN_DATA, COLLECTION]
    .filter((data) => data.has(HOSTILE_INPUTS))
    .flatMap((data) => hostileInputs(data, "title"))
    .map(({ value }) => value);
  const answers: Response[] = [];
  for (const [n, title] of [FORGED, ...titles].entries()) {
    answers.push(await owner.post("/api/products", { sku: `S${n}`, title, brand: title }));
  }
  answers.push(await anyone.get(`/api/products/${encodeURIComponent(FORGED)}`));
  answers.push(await anyone.get(`/${encodeURIComponent(FORGED)}`, { "User-Agent": "forged" }));
  answers.push(await anyone.get("/api/public/v1/products?q=%0aforged"));
  answers.push(await anyone.post("/api/auth/login", { email: FORGED, password: FORGED }));
  answers.push(await owner.post("/api/users", { email: "a\n@b.example", role: FORGED }));
  answers.push(await owner.post("/api/keys", { name: FORGED, scopes: [] }));
  answers.push(await owner.patch("/api/settings", { name: FORGED }));
  const ids: string[] = [];
  for (const answer of answers) {
    ids.push(answer.headers.get("X-Request-Id") ?? "");
    await statusOf(answer);
  }
  const raw = await exchange(
    url,
    'BREW\x7f /a HTTP/1.1\r\nHost: k\r\nX-Request-Id: x\\n{"event":"forged"}\r\n\r\n',
  );
  const odd = await exchange(url, "GET /%0aforged HTTP/1.1\r\nHost: a b\r\n\r\n");
  for (const { headers } of [raw, odd]) ids.push(headers.get("X-Request-Id") ?? "");
  return ids.filter(Boolean);
}

const PASSWORDS = {
  owner: "sieben lila Staubsauger",
  wrong: "acht falsche Staubsauger",
  second: "neun neue Waschmaschinen",
  invited: "zehn gelbe Trockner",
  reset: "elf graue Spülbecken",
};
const EMAIL = "owner@shop.example";

/** No text may contain a secret. The keys of both maps are names for failure messages. */
interface Evidence {
  readonly secrets: Map<string, string>;
  readonly texts: Map<string, string>;
}

inFolder.test("every line of the log is one event, every request is found by its id, and no secret is in the log, in a refusal, in the audit log or in the store", async (folder) => {
  const settings = { DATA_DIR: folder.path, LOG_LEVEL: "debug" };
  await using server = await startServer({ ...settings, METRICS_TOKEN: "figures-for-friends" });
  const evidence: Evidence = { secrets: new Map(Object.entries(PASSWORDS)), texts: new Map() };
  const printed = await server.printed(/token=\S+/);
  const setUpToken = tokenIn(printed);
  evidence.secrets.set("set-up token", setUpToken);
  evidence.secrets.set("metrics token", "figures-for-friends");
  const owner = await live(server.url, setUpToken, evidence);
  const ids = await sendHostile(server.url, owner);
  assertEquals(await statusOf(owner.post("/api/auth/logout")), 200);
  const { err, out } = await server.stop("SIGTERM");
  requireEvents(err, ids);
  evidence.texts.set("log", err);
  evidence.texts.set("standard output after the link", out.replace(printed, ""));
  for await (const { name, isFile } of Deno.readDir(folder.path)) {
    if (!isFile) continue;
    const bytes = await Deno.readFile(`${folder.path}/${name}`);
    evidence.texts.set(`file ${name}`, Buffer.from(bytes).toString("latin1"));
  }
  requireNoSecret(evidence);
});

function requireEvents(log: string, requestIds: readonly string[]): void {
  const lines = log.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.filter(({ event }) => typeof event !== "string" || event === "forged"), []);
  for (const line of lines) ok(line.at && line.level && line.room, JSON.stringify(line));
  ok(requestIds.length > 8);
  for (const id of requestIds) {
    const requests = lines.filter((line) => line.event === "request" && line.requestId === id);
    assertEquals(requests.length, 1, id);
  }
}

function tokenIn(text: string): string {
  const token = /token=([\w-]{20,})/.exec(text)?.[1];
  ok(token, `no token in ${text}`);
  return token;
}

function forged(token: string): string {
  return (token.startsWith("A") ? "B" : "A") + token.slice(1);
}

/** Uses every kind of secret, and returns the signed-in owner. */
async function live(url: string, setUpToken: string, evidence: Evidence): Promise<Caller> {
  const anyone = createCaller(url, {});
  const owner = await setUp(anyone, url, setUpToken, evidence);
  await signInWrongly(anyone, evidence);
  await useKeys(owner, anyone, evidence);
  await invite(owner, anyone, evidence);
  const change = { currentPassword: PASSWORDS.wrong, newPassword: PASSWORDS.second };
  await keepRefusal(evidence, owner.post("/api/auth/password", change));
  const changed = await owner.post("/api/auth/password", {
    ...change,
    currentPassword: PASSWORDS.owner,
  });
  const again = createCaller(url, { Cookie: keepCookie(evidence, "changed", changed) });
  await bodyOf(changed, 200);
  await keepRefusal(evidence, owner.get("/api/auth/me"));
  const { items } = await again.read("/api/audit-logs?limit=200");
  ok(items.length >= 6, "the audit log records what was done");
  evidence.texts.set("audit log", JSON.stringify(items));
  for (const path of ["/api/users", "/api/keys", "/api/settings", "/api/auth/me"]) {
    evidence.texts.set(path, JSON.stringify(await again.read(path)));
  }
  return again;
}

async function setUp(anyone: Caller, url: string, token: string, evidence: Evidence) {
  const body = { workspace: "Muster", email: EMAIL, password: PASSWORDS.owner };
  await keepRefusal(evidence, anyone.post("/api/setup", { ...body, token: forged(token) }));
  await keepRefusal(evidence, anyone.post("/api/setup", { ...body, token, password: "short" }));
  const done = await anyone.post("/api/setup", { ...body, token });
  const cookie = keepCookie(evidence, "set-up", done);
  await bodyOf(done, 201);
  await keepRefusal(evidence, anyone.post("/api/setup", { ...body, token }));
  return createCaller(url, { Cookie: cookie });
}

async function signInWrongly(anyone: Caller, evidence: Evidence): Promise<void> {
  for (
    const body of [
      { email: EMAIL, password: PASSWORDS.wrong },
      { email: PASSWORDS.owner, password: EMAIL },
      { email: EMAIL, passwort: PASSWORDS.owner },
      { email: EMAIL, password: [PASSWORDS.owner] },
    ]
  ) {
    await keepRefusal(evidence, anyone.post("/api/auth/login", body));
  }
  const broken = `{"email":"${EMAIL}","password":"${PASSWORDS.owner}"`;
  const headers = { "Content-Type": "application/json" };
  await keepRefusal(evidence, anyone.send("POST", "/api/auth/login", broken, headers));
  const unquoted = `{"email":"${EMAIL}","password":${PASSWORDS.owner}}`;
  await keepRefusal(evidence, anyone.send("POST", "/api/auth/login", unquoted, headers));
}

async function useKeys(owner: Caller, anyone: Caller, evidence: Evidence): Promise<void> {
  const list = "/api/public/v1/products";
  const made = owner.post("/api/keys", { name: "ERP", scopes: [] }, { "Idempotency-Key": "k1" });
  const { key, id } = await bodyOf(made, 201);
  evidence.secrets.set("API key", key);
  const bearer = { Authorization: `Bearer ${key}` };
  await anyone.read(list, bearer);
  await keepRefusal(evidence, anyone.get(`${list}?cursor=x`, bearer));
  await keepRefusal(evidence, anyone.get("/api/public/v1/audit-logs", bearer));
  await keepRefusal(evidence, anyone.get(list, { Authorization: `Basic ${key}` }));
  await keepRefusal(evidence, anyone.get(list, { Authorization: `Bearer ${key}x` }));
  // People paste keys into wrong places, such as paths and queries.
  await statusOf(anyone.get(`${list}?api_key=${key}`));
  await statusOf(anyone.get(`/api/public/v1/${key}`));
  assertEquals(await statusOf(owner.delete(`/api/keys/${id}`)), 200);
  await keepRefusal(evidence, anyone.get(list, bearer));
  await statusOf(anyone.get("/metrics", { Authorization: "Bearer figures-for-friends" }));
  await keepRefusal(evidence, anyone.get("/metrics", { Authorization: "Bearer other" }));
}

async function invite(owner: Caller, anyone: Caller, evidence: Evidence): Promise<void> {
  const person = { email: "second@shop.example", role: "manager" };
  const invited = await owner.create("/api/users", person);
  const token = tokenIn(invited.link);
  evidence.secrets.set("invitation token", token);
  const accept = (body: unknown) => anyone.post("/api/invitations/accept", body);
  await keepRefusal(evidence, accept({ token: forged(token), password: PASSWORDS.invited }));
  await keepRefusal(evidence, accept({ token, password: "short" }));
  const accepted = await accept({ token, password: PASSWORDS.invited });
  keepCookie(evidence, "invited", accepted);
  assertEquals(await statusOf(accepted), 200);
  await keepRefusal(evidence, accept({ token, password: PASSWORDS.invited }));
  const again = await owner.act(`/api/users/${invited.id}/reset-link`);
  evidence.secrets.set("reset token", tokenIn(again.link));
  await statusOf(accept({ token: tokenIn(again.link), password: PASSWORDS.reset }));
}

async function keepRefusal(evidence: Evidence, answer: Promise<Response>): Promise<void> {
  const error = await refusalOf(answer);
  evidence.texts.set(`refusal ${evidence.texts.size}`, JSON.stringify(error));
}

function keepCookie({ secrets }: Evidence, name: string, { headers }: Response): string {
  const cookie = headers.get("Set-Cookie") ?? "";
  const token = /^pr_session=([^;]{20,})/.exec(cookie)?.[1];
  ok(token, `no session in ${cookie}`);
  secrets.set(`session (${name})`, token);
  return `pr_session=${token}`;
}

function requireNoSecret({ secrets, texts }: Evidence): void {
  ok((texts.get("log") ?? "").split("\n").length > 20, "the log tells of the requests");
  const found: string[] = [];
  for (const [what, secret] of secrets) {
    const spellings = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
    // The store's file may contain a text as UTF-8 or as UTF-16.
    spellings.push(Buffer.from(secret, "utf8").toString("latin1"));
    spellings.push(Buffer.from(secret, "utf16le").toString("latin1"));
    for (const [where, text] of texts) {
      if (spellings.some((spelling) => text.includes(spelling))) found.push(`${what} in ${where}`);
    }
  }
  assertEquals(found, []);
}
