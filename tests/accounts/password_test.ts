import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import {
  hashPassword,
  matchesPassword,
  passwordTrouble,
} from "../../src/accounts/passwords/password.ts";
import { realHashes } from "../light_hashes.ts";
import { forgottenPasswords, links } from "../../src/accounts/users/change_user.ts";
import { bodyOf, column, refusalOf, statusOf } from "../api/answers.ts";
import { startTestApp, type TestApp, type TestAppOptions, withApp } from "../harness.ts";
import { startSmtpServer } from "../messages/smtp_server.ts";
import { testWith } from "../opened.ts";
import { until } from "../patience.ts";
import { addPerson, cookieBy, PASSWORD } from "./people.ts";
import { filled, listOperations, UNKNOWN_ID } from "../api/operations.ts";
import { readConfig, urlOf } from "../../src/app/composition/config.ts";
import { IS_LONG } from "../proof.ts";
import { exchange } from "../raw_http.ts";

const words = ["anna.mueller@example.org", "Müller Shop"];

Deno.test("passwordTrouble() refuses short, long, common and repetitive texts, keyboard runs and one's own name; ten code points of any script are enough", () => {
  const refused = [
    "kurzkurz1",
    "x".repeat(257),
    "Passwort2024!",
    "P@ssw0rd123",
    "Sommer2025??",
    "iloveyou1234",
    "correct horse battery staple",
    "aaaaaaaaaa",
    "abababababab",
    "1234567890",
    "qwer1234asdf",
    "zyxwvutsrq",
    "anna.mueller1",
    "Müllershop99",
    "lone \ud800 surrogate",
  ];
  assertEquals(refused.filter((password) => passwordTrouble(password, words) === null), []);
  const taken = [
    "Xk7!pq9Lm2",
    "nebel-kutsche-91",
    "grüner Hund im Regen",
    "📦🚀🐳🎈🍋🌵🎻🧊🪁🧶",
    "mueller-likes-42-lamps",
    `${"laterne ".repeat(3)}im Wald`.repeat(8).slice(0, 256),
  ];
  assertEquals(taken.map((password) => passwordTrouble(password, words)), taken.map(() => null));
});

Deno.test("hashPassword() salts, names its parameters and accepts either Unicode form of a password", async () => {
  using _hashes = realHashes();
  const [one, two] = await Promise.all([hashPassword("übergrün-17"), hashPassword("übergrün-17")]);
  assertEquals(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/.test(one), true);
  assertEquals(one === two, false);
  assertEquals(await matchesPassword("übergrün-17".normalize("NFD"), one), true);
  assertEquals(await matchesPassword("uebergrün-17", one), false);
});

const EMAIL = "jana@shop.example";
const NEW_PASSWORD = "achtzehn Waschmaschinen";
const HOUR_MS = 3_600_000;

async function startWithMail(smtpUrl: string, options: TestAppOptions = {}): Promise<TestApp> {
  const env = { SMTP_URL: smtpUrl, MAIL_FROM: "kurant@shop.example" };
  const app = await startTestApp({ sweepMs: 20, ...options, env });
  await addPerson(app, EMAIL, "manager");
  return app;
}

const ask = (app: TestApp, email: string) => app.anyone.post("/api/auth/forgotten", { email });

/** Decodes the two quoted-printable sequences that occur in the service's mails. */
const plain = (text = "") => text.replace(/=\r?\n/g, "").replaceAll("=3D", "=");

const tokenIn = (text: string) => /#token=([\w-]{43})/.exec(text)?.[1] ?? "";

const rowsOf = async ({ store }: TestApp) => (await forgottenPasswords.list({ store })).length;

const withMailServer = testWith(startSmtpServer);

withMailServer.test("a link by mail sets the password once, ends all sessions and is audited", async (smtp) => {
  await using app = await startWithMail(smtp.url);
  const signIn = (password: string) =>
    app.anyone.post("/api/auth/login", { email: EMAIL, password });
  const session = await cookieBy(signIn(PASSWORD));
  assertEquals(await statusOf(ask(app, ` ${EMAIL.toUpperCase()} `)), 200);
  await smtp.received(1);
  const [mail] = smtp.mails;
  assertEquals([mail?.to, mail?.subject], [[EMAIL], "Kurant: neues Passwort"]);
  match(plain(mail?.text), /gilt einmal und eine Stunde lang/);
  await until("the request is answered", async () => await rowsOf(app) === 0);
  const token = tokenIn(plain(mail?.text));
  const accept = () =>
    app.anyone.post("/api/invitations/accept", { token, password: NEW_PASSWORD });
  assertEquals((await bodyOf(accept(), 200)).email, EMAIL);
  assertEquals((await bodyOf(accept(), 403)).error.code, "forbidden");
  assertEquals(await statusOf(app.anyone.get("/api/auth/me", { Cookie: session })), 401);
  assertEquals(await statusOf(signIn(PASSWORD)), 401);
  assertEquals(await statusOf(signIn(NEW_PASSWORD)), 200);
  const { items } = await app.owner.read("/api/audit-logs?resource=user");
  const actions = column(items, "action");
  const about = ["user.reset_link", "user.password"];
  assertEquals(actions.filter((action: string) => about.includes(action)), about);
  ok(!JSON.stringify(items).includes(token));
});

withMailServer.test("unknown and known addresses get the same answer and leave the same row", async (smtp) => {
  await using app = await startWithMail(smtp.url, { sweepMs: 60_000 });
  smtp.answer(451);
  const shapes: unknown[] = [];
  for (const email of [EMAIL, "nobody@shop.example"]) {
    const answer = await ask(app, email);
    const headers = [...answer.headers.keys()].filter((name) => name !== "x-request-id");
    shapes.push([answer.status, await answer.text(), headers]);
  }
  assertEquals(shapes[0], shapes[1]);
  await until("one request waits", async () => await rowsOf(app) === 1);
  assertEquals(smtp.mails.length, 0);
});

withMailServer.test("a link lives for an hour; a mail that the server refuses temporarily is sent again, in the language of the request", async (smtp) => {
  await using app = await startWithMail(smtp.url);
  smtp.answer(451);
  await statusOf(app.anyone.post("/api/auth/forgotten", { email: EMAIL, language: "en" }));
  await until("a link is made", async () => (await links.list(app)).length === 1);
  smtp.answer(250);
  app.clock.advance(3 * 60_000);
  await statusOf(ask(app, "wakes@shop.example"));
  await smtp.received(1);
  assertEquals(smtp.mails[0]?.subject, "Kurant: a new password");
  const token = tokenIn(plain(smtp.mails[0]?.text));
  const accept = { token, password: NEW_PASSWORD };
  app.clock.advance(HOUR_MS + 1);
  await bodyOf(app.anyone.post("/api/invitations/accept", accept), 403);
});

withMailServer.test("requests are limited per account, known or not, and per client", async (smtp) => {
  await using app = await startWithMail(smtp.url);
  const codesOf = (emails: readonly string[]) =>
    Array.fromAsync(emails, (email) => statusOf(ask(app, email)));
  for (const email of [EMAIL, "nobody@shop.example"]) {
    assertEquals(await codesOf(Array(4).fill(email)), [200, 200, 200, 429], email);
  }
  const others = [0, 1, 2, 3, 4].map((n) => `n${n}@shop.example`);
  assertEquals(await codesOf(others), [200, 200, 200, 200, 429]);
  app.clock.advance(HOUR_MS);
  assertEquals(await statusOf(ask(app, EMAIL)), 200);
});

withApp.test("without a mail server the service names the person to ask; a wrong address is refused", async (app) => {
  assertEquals((await app.anyone.read("/api/auth/ways")).mail, false);
  const { code, message } = await refusalOf(ask(app, EMAIL));
  assertEquals(code, "conflict");
  assertEquals(message, "This service sends no mail: ask an owner for a link");
  assertEquals(await statusOf(ask(app, "no address")), 400);
});

withMailServer.test("people who are only invited get no link by mail", async (smtp) => {
  await using app = await startWithMail(smtp.url);
  const invited = { email: "new@shop.example", role: "viewer" };
  const { link } = await app.owner.create("/api/users", invited);
  await statusOf(ask(app, invited.email));
  await until("the request is answered", async () => await rowsOf(app) === 0);
  assertEquals(smtp.mails.length, 0);
  const accept = { token: tokenIn(link), password: NEW_PASSWORD };
  assertEquals(await statusOf(app.anyone.post("/api/invitations/accept", accept)), 200);
});

const FOREIGN = "evil.example";

const PROXIES = `X-Forwarded-Host: ${FOREIGN}\r\nForwarded: host=${FOREIGN};proto=https\r\n` +
  `X-Forwarded-Proto: https\r\nX-Original-Host: ${FOREIGN}\r\n`;

/** Ways in which a forged request can name a foreign host. */
const CLAIMS: readonly (readonly [what: string, target: string, headers: string])[] = [
  ["Host and what proxies say", "", `${PROXIES}Host: ${FOREIGN}:8443\r\n`],
  ["a whole address and what proxies say", `http://${FOREIGN}`, `${PROXIES}Host: ${FOREIGN}\r\n`],
];
const ALL_CLAIMS: typeof CLAIMS = [["Host alone", "", `Host: ${FOREIGN}\r\n`], ...CLAIMS];

function askClaiming(
  app: TestApp,
  { method, path, body }: { method: string; path: string; body?: unknown },
  [, target, headers]: typeof CLAIMS[0],
) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = body === undefined ? "" : "Content-Type: application/json\r\n";
  return exchange(
    app.base,
    `${method} ${target}${path} HTTP/1.1\r\n${headers}Cookie: ${app.ownerCookie}\r\n${type}` +
      `Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}

for (const publicUrl of [null, "https://kurant.shop.example"]) {
  const where = publicUrl === null ? "the listener" : "PUBLIC_URL";
  Deno.test(`invitations and reset links lead to ${where}, whatever host a request names`, async () => {
    await using app = await startTestApp({
      env: publicUrl === null ? {} : { PUBLIC_URL: publicUrl },
    });
    const links: string[] = [];
    for (const [n, claim] of ALL_CLAIMS.entries()) {
      const body = { email: `neu-${n}@shop.example`, role: "viewer" };
      const invited = await askClaiming(app, { method: "POST", path: "/api/users", body }, claim);
      assertEquals([claim[0], invited.status], [claim[0], 201], invited.body);
      const { id, link } = JSON.parse(invited.body);
      const path = `/api/users/${id}/reset-link`;
      const reset = await askClaiming(app, { method: "POST", path }, claim);
      links.push(link, JSON.parse(reset.body).link);
    }
    const base = publicUrl ?? app.base;
    assertEquals(links.filter((link) => !link.startsWith(`${base}/invitation#token=`)), []);
  });
}

Deno.test("no answer of any route repeats a foreign host", async () => {
  await using smtp = startSmtpServer();
  const env = { SMTP_URL: smtp.url, MAIL_FROM: "prices@shop.example" };
  await using app = await startTestApp({ env });
  const operations = (await listOperations(app))
    .filter(({ path }) => !path.startsWith("/api/auth/log"));
  const pages = ["/", "/invitation", "/setup", "/docs", "/nowhere", "/api/nowhere"]
    .map((path) => ({ method: "GET", path, takesBody: false }));
  const wrong: string[] = [];
  for (const [n, { method, path, takesBody }] of [...operations, ...pages].entries()) {
    // In short test runs, only the route for test mails gets every kind of forged request.
    const isWhole = IS_LONG || path.endsWith("/mail/test");
    for (const claim of isWhole ? ALL_CLAIMS : [CLAIMS[n % CLAIMS.length]!]) {
      const body = takesBody ? {} : undefined;
      const asked = { method, path: filled({ path }, UNKNOWN_ID), body };
      const { status, headers, body: text } = await askClaiming(app, asked, claim);
      const answer = [...headers].join("\n") + text;
      if (answer.includes(FOREIGN)) wrong.push(`${method} ${path} (${claim[0]}): ${status}`);
    }
  }
  assertEquals(wrong, []);
  ok(smtp.mails.length >= ALL_CLAIMS.length, "the mail of the settings was sent");
  assertEquals(smtp.mails.filter(({ text }) => text.includes(FOREIGN)), []);
});

Deno.test("urlOf() is PUBLIC_URL, else the listener, with loopback for all addresses", () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ PUBLIC_URL: "https://kurant.example/ignored", HOST: "0.0.0.0" }, "https://kurant.example"],
    [{ HOST: "127.0.0.1" }, "http://127.0.0.1:81"],
    [{ HOST: "0.0.0.0" }, "http://localhost:81"],
    [{ HOST: "::" }, "http://localhost:81"],
    [{ HOST: "::1" }, "http://[::1]:81"],
    [{ HOST: "kurant.lan" }, "http://kurant.lan:81"],
  ];
  for (const [env, url] of cases) {
    assertEquals(urlOf(readConfig((name) => env[name]), { port: 81 }), url);
  }
});
