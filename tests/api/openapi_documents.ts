import type { TestApp } from "../harness.ts";

const PATHS = ["/api/openapi.json", "/api/public/v1/openapi.json"];

let known: Promise<Awaited<ReturnType<typeof ask>>> | null = null;

/** Cached, because all apps of a process have the same documents, which take 0.4 s to make. */
export function openApiDocuments(app: TestApp): ReturnType<typeof ask> {
  known ??= ask(app);
  return known;
}

async function ask({ anyone }: TestApp) {
  return await Promise.all(PATHS.map((path) => anyone.read(path)));
}
