import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { AppEnv } from "../platform/http/app_context.ts";
import { answerBytes, jsonAnswer, route } from "../platform/http/http.ts";
import { describeRoutes } from "./openapi.ts";

/** The version of the documents: they describe v1, which only ever grows. */
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

/** Both documents, made from `app` at the first question and kept as bytes. */
export function addOpenApi(routes: OpenAPIHono<AppEnv>, app: OpenAPIHono<AppEnv>): void {
  let made: ReturnType<typeof makeDocuments> | null = null;
  const documents = () => made ??= makeDocuments(app);
  routes.openapi(external, () => answerBytes(documents().external));
  routes.openapi(inApp, () => answerBytes(documents().inApp));
}

function makeDocuments(app: OpenAPIHono<AppEnv>) {
  const { external, inApp } = describeRoutes(app, DOCUMENT_VERSION);
  const encoder = new TextEncoder();
  return {
    external: encoder.encode(JSON.stringify(external)),
    inApp: encoder.encode(JSON.stringify(inApp)),
  };
}
