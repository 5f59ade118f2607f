/**
 * An n8n node with all operations of Kurant's public API. `operations.ts`, with the names, fields
 * and paths of the operations, is generated from the OpenAPI document.
 */
import { randomUUID } from "node:crypto";
import type {
  IDataObject,
  IExecuteFunctions,
  IHttpRequestOptions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
} from "n8n-workflow";
import { type Operation, operations, properties } from "./operations";

export class Kurant implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Kurant",
    name: "kurant",
    icon: "file:kurant.svg",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: "Prices of competitors, rules and proposals",
    defaults: { name: "Kurant" },
    inputs: ["main"],
    outputs: ["main"],
    credentials: [{ name: "kurantApi", required: true }],
    properties,
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items: INodeExecutionData[] = [];
    for (let index = 0; index < this.getInputData().length; index++) {
      try {
        for (const json of await call(this, index)) items.push({ json, pairedItem: index });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        items.push({ json: { error: String(error) }, pairedItem: index });
      }
    }
    return [items];
  }
}

/** Calls the chosen operation. Returns one item per entry of a list, or one item for a document. */
async function call(node: IExecuteFunctions, index: number): Promise<IDataObject[]> {
  const name = node.getNodeParameter("operation", index) as string;
  const operation = operations[name];
  if (!operation) throw new Error(`There is no operation ${name}`);
  const request = await requestOf(node, index, operation);
  const found: IDataObject[] = [];
  for (;;) {
    const answer = await node.helpers.httpRequestWithAuthentication.call(node, "kurantApi", request);
    if (typeof answer !== "object" || answer === null) return [...found, { text: String(answer) }];
    const { data = answer, nextCursor } = answer;
    for (const entry of [data].flat()) found.push(entry);
    const isWanted = operation.isList && node.getNodeParameter("allPages", index, false);
    if (!isWanted || typeof nextCursor !== "string") return found;
    request.qs = { ...request.qs, cursor: nextCursor };
  }
}

async function requestOf(
  node: IExecuteFunctions,
  index: number,
  { method, path, inPath, body }: Operation,
): Promise<IHttpRequestOptions> {
  const { baseUrl } = await node.getCredentials("kurantApi");
  const url = inPath.reduce(
    (text, name) =>
      text.replace(
        `{${name}}`,
        encodeURIComponent(String(node.getNodeParameter(`path_${name}`, index))),
      ),
    path,
  );
  const qs: IDataObject = { ...node.getNodeParameter("query", index, {}) as IDataObject };
  const request: IHttpRequestOptions = {
    method,
    url: String(baseUrl).replace(/\/$/, "") + url,
    qs,
    headers: { Accept: "application/json" },
    json: body !== "binary",
  };
  if (method === "POST") request.headers = { ...request.headers, "Idempotency-Key": randomUUID() };
  if (body === "json") {
    const given = node.getNodeParameter("body", index, {}) as string | IDataObject;
    request.body = typeof given === "string" ? JSON.parse(given) : given;
  } else if (body === "binary") {
    const property = node.getNodeParameter("binaryProperty", index) as string;
    request.body = await node.helpers.getBinaryDataBuffer(index, property);
    request.headers = { ...request.headers, "Content-Type": "application/octet-stream" };
  }
  return request;
}
