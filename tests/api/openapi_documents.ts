/** The OpenAPI documents of the service, for tests that go through all operations. */
import type { TestApp } from "../harness.ts";
import { bodyOf } from "./answers.ts";

const PATHS = ["/api/openapi.json", "/api/public/v1/openapi.json"];

let known: Promise<Awaited<ReturnType<typeof ask>>> | null = null;

/** As parsed, asked once: every app of a process gives the same, and takes 0.4 s to make them. */
export function openApiDocuments(app: TestApp): ReturnType<typeof ask> {
  known ??= ask(app);
  return known;
}

async function ask({ anyone }: TestApp) {
  return await Promise.all(PATHS.map((path) => bodyOf(anyone.get(path), 200)));
}
