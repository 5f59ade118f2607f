import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { forgottenPasswords, links } from "../../src/accounts/users/change_user.ts";
import { bodyOf, column, refusalOf, statusOf } from "../api/answers.ts";
import { startTestApp, type TestApp, type TestAppOptions, withApp } from "../harness.ts";
import { startSmtpServer } from "../messages/smtp_server.ts";
import { testWith } from "../opened.ts";
import { until } from "../patience.ts";
import { addPerson, cookieBy, PASSWORD } from "./people.ts";

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

/** Decodes the parts of quoted-printable that these mails use. */
const plain = (text = "") => text.replace(/=\r?\n/g, "").replaceAll("=3D", "=");

const tokenIn = (text: string) => /#token=([\w-]{43})/.exec(text)?.[1] ?? "";

const rowsOf = async ({ store }: TestApp) => (await forgottenPasswords.list({ store })).length;

const withMailServer = testWith(startSmtpServer);

withMailServer.test("the mail has the language of the request", async (smtp) => {
  await using app = await startWithMail(smtp.url);
  const body = { email: EMAIL, language: "en" };
  assertEquals(await statusOf(app.anyone.post("/api/auth/forgotten", body)), 200);
  await smtp.received(1);
  assertEquals(smtp.mails[0]?.subject, "Kurant: a new password");
  const wrong = { email: EMAIL, language: "fr" };
  assertEquals(await statusOf(app.anyone.post("/api/auth/forgotten", wrong)), 400);
});

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

withMailServer.test("a link lives for an hour; a mail that the server refuses temporarily is sent again", async (smtp) => {
  await using app = await startWithMail(smtp.url);
  smtp.answer(451);
  await statusOf(ask(app, EMAIL));
  await until("a link is made", async () => (await links.list(app)).length === 1);
  smtp.answer(250);
  app.clock.advance(3 * 60_000);
  await statusOf(ask(app, "wakes@shop.example"));
  await smtp.received(1);
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
