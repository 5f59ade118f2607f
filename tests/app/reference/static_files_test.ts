import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { Hono } from "hono";
import { createStaticFiles } from "../../../src/app/reference/reference_routes.ts";
import type { AppEnv } from "../../../src/platform/http/http.ts";
import { inFolder } from "../../temporary_folder.ts";

const PLAIN = { type: "text/html", isLasting: false, isPacked: false, hasBrotli: false };
const TABLE = { "/docs": { file: "docs.html", ...PLAIN }, "/": { file: "page.html", ...PLAIN } };

function openFiles(folder: string) {
  const app = new Hono<AppEnv>();
  const files = createStaticFiles(pathToFileURL(`${folder}/`));
  app.get("*", (c) => files.answer(c, c.req.path));
  app.onError((_, c) => c.text("none", 404));
  return async (path: string) => {
    const answer = await app.request(path);
    return [answer.status, await answer.text()];
  };
}

async function build(folder: string, content: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/files.json`, JSON.stringify(TABLE));
  for (const { file } of Object.values(TABLE)) {
    await Deno.writeTextFile(`${folder}/${file}`, content);
  }
}

inFolder.test("a request for a path that does not exist keeps cached files", async (folder) => {
  await build(folder.path, "built");
  const get = openFiles(folder.path);
  assertEquals(await get("/docs"), [200, "built"]);
  // After this, only cached files can be served.
  for await (const { name } of Deno.readDir(folder.path)) {
    await Deno.remove(`${folder.path}/${name}`);
  }
  assertEquals(await get("/docs/none"), [404, "none"]);
  // The table of files lists this path, but its file was never read before it was removed.
  assertEquals(await get("/"), [404, "none"]);
  assertEquals(await get("/docs"), [200, "built"]);
});

inFolder.test("a build that is finished after the start is found", async (folder) => {
  const get = openFiles(folder.path);
  assertEquals(await get("/docs"), [404, "none"]);
  await build(folder.path, "built later");
  assertEquals(await get("/docs"), [200, "built later"]);
});
