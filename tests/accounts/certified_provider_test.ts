import { deepStrictEqual as assertEquals, notStrictEqual } from "node:assert/strict";
import { createServer } from "node:http";
import Provider from "oidc-provider";
import { bodyOf } from "../api/answers.ts";
import { cookieOf } from "../caller.ts";
import { startTestApp } from "../harness.ts";

const ACCOUNT = {
  sub: "jana-1",
  email: "jana@shop.example",
  email_verified: true,
  name: "Jana Petersen",
  groups: ["pricing"],
};

async function startProvider() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const issuer = `http://127.0.0.1:${port}`;
  const start = (redirectUri: string) => {
    const provider = new Provider(issuer, {
      clients: [{
        client_id: "kurant",
        client_secret: "a secret of the tests",
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
      cookies: { keys: ["tests"] },
      findAccount: () => ({ accountId: ACCOUNT.sub, claims: () => Promise.resolve(ACCOUNT) }),
    });
    server.on("request", provider.callback());
  };
  return {
    issuer,
    start,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Follows the provider's pages like a browser, and returns the query of the redirect to our
 * service. The names of the provider's forms are added to `seen`.
 */
async function approve(
  url: string,
  redirectUri: string,
  { jar, seen }: { readonly jar: Map<string, string>; readonly seen: string[] },
): Promise<string> {
  let next = url;
  let form: string | null = null;
  for (let step = 0; step < 12; step++) {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer: Response = await fetch(next, {
      redirect: "manual",
      headers: {
        Cookie: cookies,
        ...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { method: "POST", body: form }),
    });
    form = null;
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/);
      jar.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get("Location");
    if (location !== null) {
      next = new URL(location, next).href;
      if (next.startsWith(redirectUri)) return new URL(next).search;
      continue;
    }
    const prompt: string | undefined = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (!prompt) throw new Error(`${answer.status} ${text.slice(0, 500)}`);
    seen.push(prompt);
    form = new URLSearchParams({
      prompt,
      ...(prompt === "login" && { login: ACCOUNT.sub, password: "p" }),
    })
      .toString();
  }
  throw new Error("The provider did not lead back");
}

Deno.test("a certified provider signs a person in with a group's role, and proves who they are", async () => {
  await using provider = await startProvider();
  await using app = await startTestApp({
    now: () => new Date(),
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: "kurant",
      OIDC_CLIENT_SECRET: "a secret of the tests",
      OIDC_ROLES: "groups: pricing=manager",
      SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
    },
  });
  const redirectUri = `${app.base}/sign-in`;
  provider.start(redirectUri);
  const browser = { jar: new Map<string, string>(), seen: new Array<string>() };
  const through = async (path: string, session: string) => {
    const begun = await app.anyone.post(path, {}, { Cookie: session });
    const { url } = await bodyOf(begun, 200);
    const query = await approve(url, redirectUri, browser);
    return await app.anyone.post("/api/auth/provider/finish", { query }, {
      Cookie: `${cookieOf(begun)}; ${session}`,
    });
  };
  const done = await through("/api/auth/provider/begin", "");
  const session = cookieOf(done);
  const { email, name, role } = await bodyOf(done, 200);
  assertEquals([email, name, role], [ACCOUNT.email, ACCOUNT.name, "manager"]);
  assertEquals(browser.seen, ["login", "consent"]);
  // For a proof, the person must sign in again, although the browser has a session at the provider.
  browser.seen.length = 0;
  const proved = await through("/api/auth/provider/prove", session);
  notStrictEqual(cookieOf(proved), session);
  assertEquals((await bodyOf(proved, 200)).email, ACCOUNT.email);
  assertEquals(browser.seen[0], "login");
});
