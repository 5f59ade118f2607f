import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { statusOf } from "../api/answers.ts";
import { HOSTILE_INPUTS, hostileInputs } from "../hostile_inputs.ts";
import { type LiveServer, startLiveServer } from "../program.ts";
import { exchange } from "../raw_http.ts";
import { COLLECTION, OWN_DATA } from "../sample_data.ts";
import { inFolder } from "../temporary_folder.ts";

const FORGED = '\n{"level":"info","event":"forged"}\r\nforged\u2028forged\u0000\u001b[31m';

/** Sends line breaks and control characters in every place that a client controls. */
async function sendHostile({ url, owner, anyone }: LiveServer): Promise<string[]> {
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

inFolder.test("every line of the JSON log is one event, and every request is found by its id", async (folder) => {
  await using live = await startLiveServer(folder.path, { LOG_LEVEL: "debug" });
  const ids = await sendHostile(live);
  ok(ids.length > 8);
  const { err } = await live.stop("SIGTERM");
  const lines = err.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.filter(({ event }) => typeof event !== "string" || event === "forged"), []);
  for (const line of lines) ok(line.at && line.level && line.room, JSON.stringify(line));
  for (const id of ids) {
    const requests = lines.filter((line) => line.event === "request" && line.requestId === id);
    assertEquals(requests.length, 1, id);
  }
});
