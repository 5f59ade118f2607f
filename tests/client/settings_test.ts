/** Each setting of a workspace can be changed over HTTP and in the client. */
import { glob, readFile } from "node:fs/promises";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { SETTINGS_READ_ONLY, Workspace, WorkspaceSettings } from "../../src/accounts/workspace.ts";

const readOnly: readonly string[] = SETTINGS_READ_ONLY;
const settings = Object.keys(Workspace.shape).filter((name) => !readOnly.includes(name));

Deno.test("every setting is a field of PATCH /api/settings", () => {
  assertEquals(settings.filter((name) => !(name in WorkspaceSettings.shape)), []);
});

Deno.test("every setting is in a form of the client", async () => {
  const files = await Array.fromAsync(glob("src/client/pages/settings/*.tsx"));
  const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  assertEquals(settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)), []);
});
