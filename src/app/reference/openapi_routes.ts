import { gzipSync } from "node:zlib";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { AppEnv } from "../../platform/http/app_context.ts";
import { jsonAnswer, route } from "../../platform/http/http.ts";
import { etagOf } from "../../platform/http/packed_answer.ts";
import { describeRoutes } from "./openapi.ts";
import type { Schema } from "./schema_parts.ts";
import { answerFile } from "./static_files.ts";

/** The version of the documents, which describe v1. It changes only by additions. */
const DOCUMENT_VERSION = "1.0.0";

const Document = z.looseObject({ openapi: z.literal("3.1.0") });

const documentOf = <Path extends string>(path: Path, interfaceName: string) =>
  route({
    method: "get",
    path,
    access: { by: "anyone" },
    summary: "This document",
    tags: ["Reference"],
    responses: { 200: jsonAnswer(Document, `OpenAPI 3.1 of the ${interfaceName} interface`) },
  });

const external = documentOf("/api/public/v1/openapi.json", "external");
const inApp = documentOf("/api/openapi.json", "in-app");

/**
 * Adds the routes of both documents. They are built from `app` at the first request and cached as
 * bytes, compressed and uncompressed.
 */
export function addOpenApi(routes: OpenAPIHono<AppEnv>, app: OpenAPIHono<AppEnv>): void {
  let made: ReturnType<typeof makeDocuments> | null = null;
  const documents = () => made ??= makeDocuments(app);
  routes.openapi(external, (c) => answerFile(c, documents().external));
  routes.openapi(inApp, (c) => answerFile(c, documents().inApp));
}

function makeDocuments(app: OpenAPIHono<AppEnv>) {
  const { external, inApp } = describeRoutes(app, DOCUMENT_VERSION);
  return { external: packedDocument(external), inApp: packedDocument(inApp) };
}

function packedDocument(document: Schema) {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const packed = new Uint8Array(gzipSync(bytes));
  return { bytes, packed, etag: etagOf(bytes), type: "application/json", isLasting: false };
}
