import {
  addFirstUser,
  addKey,
  addUser,
  issueSetupToken,
  setPassword,
} from "../../src/accounts/set_up.ts";
import { listWorkspaces } from "../../src/accounts/workspace.ts";
import { cookieOf } from "../caller.ts";
import { serveApp } from "../harness.ts";
import { cookieBy, outcome, PASSWORD, SIGNED_OUT, visit } from "./people.ts";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { testWith } from "../opened.ts";

async function startEmpty() {
  const served = await serveApp();
  return {
    ...served,
    tools: { store: served.store, clock: served.app.clock },
    setUp: (token: string, extra: Record<string, unknown> = {}) =>
      served.anyone.post("/api/setup", {
        token,
        workspace: "Müller Elektro",
        email: "anna@shop.example",
        password: PASSWORD,
        ...extra,
      }),
  };
}

const withEmptyStore = testWith(startEmpty);

withEmptyStore.test("POST /api/setup creates workspace and owner, signs in, and then is closed", async (empty) => {
  assertEquals(await (await empty.anyone.get("/api/setup")).json(), { open: true });
  const token = await issueSetupToken(empty.tools) ?? "";
  const hold = { movePct: 30, sharePct: 10 };
  const answer = await empty.setUp(token, { currency: "CHF", importHold: hold, vatRatePct: 8.1 });
  assertEquals(answer.status, 201);
  const { user, workspace } = await answer.json();
  assertEquals([user.email, user.role, user.status], ["anna@shop.example", "owner", "active"]);
  assertEquals({ ...workspace, id: "", createdAt: "" }, {
    id: "",
    name: "Müller Elektro",
    currency: "CHF",
    timeZone: "Europe/Berlin",
    locale: "de-DE",
    pricesIncludeVat: false,
    vatRatePct: 8.1,
    ownShipping: null,
    ownShippingCents: null,
    compareDelivered: false,
    ownSellerNames: [],
    autoApply: false,
    budgetPerDay: null,
    approval: null,
    quarantine: {},
    importHold: hold,
    automationStop: null,
    importHoldUnconfirmed: false,
    importExpectedHours: null,
    secondFactorRoles: [],
    createdAt: "",
  });
  const me = await empty.anyone.get("/api/auth/me", { Cookie: cookieOf(answer) });
  assertEquals((await me.json()).id, user.id);
  assertEquals(await (await empty.anyone.get("/api/setup")).json(), { open: false });
  assertEquals(await outcome(await empty.setUp(token)), [409, "conflict"]);
  assertEquals(await issueSetupToken(empty.tools), null);
});

withEmptyStore.test("POST /api/setup refuses a wrong token, one of 30 minutes ago, easy passwords and unknown fields", async (empty) => {
  const token = await issueSetupToken(empty.tools) ?? "";
  for (const wrong of ["", "x", "A".repeat(43)]) {
    assertEquals(await outcome(await empty.setUp(wrong)), [403, "forbidden"]);
  }
  const refusals = [{ password: "kurz" }, { password: "müllerelektro1" }, { autoApply: true }];
  for (const extra of refusals) {
    assertEquals(await outcome(await empty.setUp(token, extra)), [400, "validation_failed"]);
  }
  empty.clock.advance(30 * 60_000);
  assertEquals(await outcome(await empty.setUp(token)), [403, "forbidden"]);
  const fresh = await issueSetupToken(empty.tools) ?? "";
  assertEquals((await outcome(await empty.setUp(fresh)))[0], 201);
});

withEmptyStore.test("POST /api/setup lets one of several at once succeed, in the workspace for which a command has created a key", async (empty) => {
  const { key } = await addKey(empty.tools, { name: "ERP", scopes: ["products:write"] });
  const token = await issueSetupToken(empty.tools) ?? "";
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) => empty.setUp(token, { email: `${name}@shop.example` })),
  );
  const statuses = answers.map(({ status }) => status);
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  const made = bodies.flatMap(({ workspace }) => workspace ?? []);
  assertEquals(made.map(({ id, name }) => [id, name]), [[key.workspaceId, "Müller Elektro"]]);
  assertEquals(statuses.filter((status) => status === 201).length, 1);
  // All other requests failed, because the token was used before or during the request.
  assertEquals(statuses.filter((status) => ![201, 403, 409].includes(status)), []);
  assertEquals((await listWorkspaces(empty.tools.store)).length, 1);
});

withEmptyStore.test("addFirstUser() creates an owner only in a store that has never had a user", async (empty) => {
  const add = (email: string) => addFirstUser(empty.tools, { email, password: PASSWORD });
  assertEquals((await add("a@shop.example"))?.role, "owner");
  assertEquals(await add("b@shop.example"), null);
});

withEmptyStore.test("addUser() and addKey() use the oldest workspace, or the named one, which they create if it is new", async ({ tools }) => {
  const add = (email: string, workspaceName?: string) =>
    addUser(tools, { email, role: "owner", password: PASSWORD, workspaceName });
  const first = await add("a@shop.example");
  const other = await add("b@shop.example", "Other");
  const unnamed = await addKey(tools, { name: "k", scopes: [] });
  const named = await addKey(tools, { name: "k", scopes: [], workspaceName: " Other " });
  assertEquals(unnamed.key.workspaceId, first.workspaceId);
  assertEquals(named.key.workspaceId, other.workspaceId);
  const racers = await Promise.all(
    [1, 2, 3].map((n) => addKey(tools, { name: `k${n}`, scopes: [], workspaceName: "Third" })),
  );
  assertEquals(new Set(racers.map(({ key }) => key.workspaceId)).size, 1);
  const names = (await listWorkspaces(tools.store)).map(({ name }) => name);
  assertEquals(names, ["Workspace", "Other", "Third"]);
});

withEmptyStore.test("addUser(), addKey() and setPassword() refuse with a code what a form would refuse, and a new password ends sessions", async ({ tools, anyone }) => {
  const person = { email: "a@shop.example", role: "owner", password: PASSWORD } as const;
  await addUser(tools, person);
  await rejects(addUser(tools, person), { code: "conflict" });
  const refusals = [
    () => addUser(tools, { ...person, email: "nonsense" }),
    () => addUser(tools, { ...person, email: "b@shop.example", password: "1234567890" }),
    () => addUser(tools, { ...person, email: "b@shop.example", workspaceName: " " }),
    () => addKey(tools, { name: "x", scopes: ["products:delete"] }),
    () => addKey(tools, { name: "", scopes: [] }),
    () => setPassword(tools, { email: person.email, password: "kurz" }),
  ];
  for (const refused of refusals) await rejects(refused, { code: "validation_failed" });
  const unknown = { email: "b@shop.example", password: PASSWORD };
  await rejects(setPassword(tools, unknown), { code: "not_found" });
  const { email, password } = person;
  const cookie = await cookieBy(anyone.post("/api/auth/login", { email, password }));
  await setPassword(tools, { email: "A@shop.example", password: "regen-trommel-44" });
  assertEquals(await visit({ anyone }, cookie), SIGNED_OUT);
});
