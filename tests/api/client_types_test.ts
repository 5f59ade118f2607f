/*
 * The web client calls by types that are made from the document of its interface. Made anew with:
 * UPDATE_DOCS=1 deno test -A tests/api/client_types_test.ts
 */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startTestApp } from "../harness.ts";
import { CLIENT_TYPES, clientTypesOf } from "./client_types.ts";

Deno.test("the client calls by the types of the document that the service gives", async () => {
  await using app = await startTestApp();
  const answer = await app.owner.get("/api/openapi.json");
  const made = await clientTypesOf(await answer.json());
  if (Deno.env.get("UPDATE_DOCS")) return await Deno.writeTextFile(CLIENT_TYPES, made);
  assertEquals(made.split("\n"), (await Deno.readTextFile(CLIENT_TYPES)).split("\n"));
});
