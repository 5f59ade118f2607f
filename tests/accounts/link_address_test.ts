import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { startSmtpServer } from "../messages/smtp_server.ts";
import { filled, listOperations, UNKNOWN_ID } from "../api/operations.ts";
import { readConfig, urlOf } from "../../src/app/composition/config.ts";
import { extent, IS_LONG } from "../proof.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { exchange } from "../raw_http.ts";

const FOREIGN = "evil.example";

const PROXIES = `X-Forwarded-Host: ${FOREIGN}\r\nForwarded: host=${FOREIGN};proto=https\r\n` +
  `X-Forwarded-Proto: https\r\nX-Original-Host: ${FOREIGN}\r\n`;

/** Ways in which a request can name a foreign host. Browsers send no such requests. */
const CLAIMS: readonly (readonly [what: string, target: string, headers: string])[] = [
  ["Host", "", `Host: ${FOREIGN}\r\n`],
  ["Host with a port", "", `Host: ${FOREIGN}:8443\r\n`],
  ["a whole address as target", `http://${FOREIGN}`, `Host: ${FOREIGN}\r\n`],
  ["what proxies say", "", `${PROXIES}Host: kurant\r\n`],
];

/** The same claims combined in two requests, for tests of every route. */
const ALL_CLAIMS: typeof CLAIMS = [
  ["Host and what proxies say", "", `${PROXIES}Host: ${FOREIGN}:8443\r\n`],
  ["a whole address and what proxies say", `http://${FOREIGN}`, `${PROXIES}Host: ${FOREIGN}\r\n`],
];

function ask(
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
    for (const [n, claim] of CLAIMS.entries()) {
      const body = { email: `neu-${n}@shop.example`, role: "viewer" };
      const invited = await ask(app, { method: "POST", path: "/api/users", body }, claim);
      assertEquals([claim[0], invited.status], [claim[0], 201], invited.body);
      const { id, link } = JSON.parse(invited.body);
      const product = { method: "POST", path: "/api/products", body: { sku: id, title: "T" } };
      const location = (await ask(app, product, claim)).headers.get("Location") ?? "";
      match(location, /^\/api\/products\/[0-9a-f]{24}$/, claim[0]);
      const path = `/api/users/${id}/reset-link`;
      const reset = await ask(app, { method: "POST", path }, claim);
      links.push(link, JSON.parse(reset.body).link);
    }
    const base = publicUrl ?? app.base;
    assertEquals(links.filter((link) => !link.startsWith(`${base}/invitation#token=`)), []);
  });

  Deno.test(`no answer of any route repeats a foreign host (links lead to ${where})`, async () => {
    const every = publicUrl === null ? 1 : extent(1, 8);
    await using smtp = startSmtpServer();
    await using app = await startTestApp({
      env: {
        SMTP_URL: smtp.url,
        MAIL_FROM: "prices@shop.example",
        ...(publicUrl === null ? {} : { PUBLIC_URL: publicUrl }),
      },
    });
    const operations = (await listOperations(app))
      .filter(({ path }) => !path.startsWith("/api/auth/log"))
      // With PUBLIC_URL, the short form asks only every eighth operation, and the one that mails.
      .filter(({ path }, n) => n % every === 0 || path.endsWith("/mail/test"));
    const pages = ["/", "/invitation", "/setup", "/docs", "/nowhere", "/api/nowhere"]
      .map((path) => ({ method: "GET", path, takesBody: false }));
    const wrong: string[] = [];
    for (const [n, { method, path, takesBody }] of [...operations, ...pages].entries()) {
      // In the short form, only the route that sends a mail is asked with all claims.
      const isWhole = IS_LONG || path.endsWith("/mail/test");
      for (const claim of isWhole ? ALL_CLAIMS : [ALL_CLAIMS[n % ALL_CLAIMS.length]!]) {
        const body = takesBody ? {} : undefined;
        const asked = { method, path: filled({ path }, UNKNOWN_ID), body };
        const { status, headers, body: text } = await ask(app, asked, claim);
        const answer = [...headers].join("\n") + text;
        if (answer.includes(FOREIGN)) wrong.push(`${method} ${path} (${claim[0]}): ${status}`);
      }
    }
    assertEquals(wrong, []);
    ok(smtp.mails.length >= ALL_CLAIMS.length, "the mail of the settings was sent");
    assertEquals(smtp.mails.filter(({ text }) => text.includes(FOREIGN)), []);
  });
}

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
