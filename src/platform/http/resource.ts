/**
 * Declares a resource, with routes on the in-app interface (`/api`) and on the external interface
 * (`/api/public/v1`). An endpoint exists on each interface for which its callers are declared. By
 * default, an endpoint may be called by the callers of its resource.
 */
import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Context } from "../store/context.ts";
import type { OutgoingTable } from "../tables/cell.ts";
import {
  type Answer,
  custom,
  EXTERNAL,
  type Headers,
  IN_APP,
  type Status,
  type Surface,
} from "./answer.ts";
import {
  type Access,
  type AppContext,
  type AppEnv,
  ErrorBody,
  expectedVersions,
  ignoring,
  jsonAnswer,
} from "./http.ts";
import { type Route, route, type RouteDefinition } from "./route.ts";
import {
  CSV_CONTENT,
  type CsvDialect,
  DialectQuery,
  HeadingQuery,
  tableResponse,
  worded,
  XLSX_CONTENT,
} from "../tables/table_answer.ts";
import type { Language } from "../../base/codes.ts";

export interface Callers {
  readonly people?: Access;
  readonly keys?: Access;
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Params<Path extends string> = { readonly [Name in ParamNames<Path>]: string };

type Asked<Path extends string, Query, Body> = Params<Path> & {
  readonly c: AppContext;
  readonly ctx: Context;
  readonly surface: Surface;
  readonly query: Query;
  readonly body: Body;
  readonly expected: string | null;
};

type Shared = Partial<
  Omit<
    RouteDefinition,
    "access" | "body" | "isBodyOptional" | "method" | "params" | "path" | "query" | "responses"
  >
>;

interface Endpoint<T, Query extends z.ZodType, Body extends z.ZodType> extends Shared {
  readonly callers?: Callers;
  readonly params?: z.ZodRawShape;
  readonly query?: Query & z.ZodObject;
  readonly body?: Body;
  readonly isDocument?: boolean;
  readonly optionalBody?: Body;
  readonly answer: Answer<T>;
  readonly status?: Status;
  readonly refusals?: Readonly<Record<number, string>>;
  location?(value: T): string;
}

interface FileForm {
  readonly dialect?: CsvDialect | undefined;
  readonly lang?: Language | undefined;
}

interface ListFiles<Path extends string, Filter extends object> {
  readonly query?: z.ZodObject & z.ZodType<Filter>;
  readonly tags?: string[];
  readonly words: string;
  readonly external?: string;
  open(
    ctx: Context,
    filter: Omit<Filter & FileForm, keyof FileForm>,
    params: Params<Path>,
  ): OutgoingTable | Promise<OutgoingTable>;
}

type Handler<Path extends string, Query, Body, T> = (
  asked: Asked<Path, Query, Body>,
) => T | Promise<T>;

interface ResourceOptions {
  /** Who may call GET endpoints; `change` says who may call the other endpoints. */
  readonly read: Callers;
  readonly change?: Callers;
  readonly tags?: string[];
  /** Fields that only the service writes; in request bodies, they are ignored. */
  readonly readOnly?: readonly string[];
}

type Nothing = z.ZodObject<Record<never, never>>;

type Validated<Path extends string, Query, Body> = HonoContext<
  AppEnv,
  string,
  { out: { param: Params<Path>; query: Query; json: Body } }
>;

export function resource<const Base extends string>(path: Base, options: ResourceOptions) {
  return new Resource(path, options);
}

class Resource<Base extends string> {
  readonly #path: Base;
  readonly #options: ResourceOptions;
  readonly #inApp: Route[] = [];
  readonly #external: Route[] = [];

  constructor(path: Base, options: ResourceOptions) {
    this.#path = path;
    this.#options = options;
  }

  get routes(): readonly Route[] {
    return [...this.#inApp, ...this.#external];
  }

  get<Sub extends string, T, Query extends z.ZodType = Nothing>(
    path: Sub,
    endpoint: Endpoint<T, Query, Nothing>,
    handle: Handler<`${Base}${Sub}`, z.output<Query>, unknown, NoInfer<T>>,
  ): this {
    return this.#add("get", path, endpoint, handle);
  }

  post<Sub extends string, T, Query extends z.ZodType = Nothing, Body extends z.ZodType = Nothing>(
    path: Sub,
    endpoint: Endpoint<T, Query, Body>,
    handle: Handler<`${Base}${Sub}`, z.output<Query>, z.output<Body>, NoInfer<T>>,
  ): this {
    return this.#add("post", path, endpoint, handle);
  }

  put<Sub extends string, T, Body extends z.ZodType = Nothing>(
    path: Sub,
    endpoint: Endpoint<T, Nothing, Body>,
    handle: Handler<`${Base}${Sub}`, unknown, z.output<Body>, NoInfer<T>>,
  ): this {
    return this.#add("put", path, endpoint, handle);
  }

  patch<Sub extends string, T, Query extends z.ZodType = Nothing, Body extends z.ZodType = Nothing>(
    path: Sub,
    endpoint: Endpoint<T, Query, Body>,
    handle: Handler<`${Base}${Sub}`, z.output<Query>, z.output<Body>, NoInfer<T>>,
  ): this {
    return this.#add("patch", path, endpoint, handle);
  }

  delete<Sub extends string, T>(
    path: Sub,
    endpoint: Endpoint<T, Nothing, Nothing>,
    handle: Handler<`${Base}${Sub}`, unknown, unknown, NoInfer<T>>,
  ): this {
    return this.#add("delete", path, endpoint, handle);
  }

  list<T, Query extends z.ZodType = Nothing>(
    endpoint: Endpoint<T, Query, Nothing>,
    handle: Handler<Base, z.output<Query>, unknown, NoInfer<T>>,
  ): this {
    return this.#add("get", "", endpoint, handle);
  }

  read<T, Query extends z.ZodType = Nothing>(
    endpoint: Endpoint<T, Query, Nothing>,
    handle: Handler<`${Base}/{id}`, z.output<Query>, unknown, NoInfer<T>>,
  ): this {
    return this.#add("get", "/{id}", endpoint, handle);
  }

  create<T extends { readonly id?: string }, Body extends z.ZodType>(
    endpoint: Endpoint<T, Nothing, Body> & { readonly body: Body },
    handle: Handler<Base, unknown, z.output<Body>, NoInfer<T>>,
  ): this {
    const location = ({ id = "" }: T) => `${this.#path}/${id}`;
    return this.#add("post", "", { status: 201, location, ...endpoint, isDocument: true }, handle);
  }

  change<T, Body extends z.ZodType, Query extends z.ZodType = Nothing>(
    endpoint: Endpoint<T, Query, Body> & { readonly body: Body },
    handle: Handler<`${Base}/{id}`, z.output<Query>, z.output<Body>, NoInfer<T>>,
  ): this {
    return this.#add("patch", "/{id}", { versioned: true, ...endpoint, isDocument: true }, handle);
  }

  remove<T>(
    endpoint: Endpoint<T, Nothing, Nothing>,
    handle: Handler<`${Base}/{id}`, unknown, unknown, NoInfer<T>>,
  ): this {
    return this.#add("delete", "/{id}", { versioned: true, ...endpoint }, handle);
  }

  files<Sub extends string, Filter extends object = Record<never, never>>(
    path: Sub,
    { query, words, external, open, tags }: ListFiles<`${Base}${Sub}`, Filter>,
  ): this {
    const filters: z.ZodObject = query ?? z.strictObject({});
    const { read } = this.#options;
    const file = async (asked: Asked<`${Base}${Sub}`, Filter & FileForm, unknown>) => {
      const { dialect, lang, ...filter } = asked.query;
      const timeZone = await asked.c.var.gate.timeZoneOf(asked.ctx);
      const table = worded(await open(asked.ctx, filter, asked), lang, dialect ? timeZone : null);
      return tableResponse(
        table,
        dialect ? { format: "csv", dialect } : { format: "xlsx", timeZone },
      );
    };
    this.#add("get", `${path}.csv`, {
      tags,
      callers: { people: read.people },
      query: filters.extend({ dialect: DialectQuery, lang: HeadingQuery }),
      answer: custom({ 200: { description: words, content: CSV_CONTENT } }),
    }, file);
    this.#add("get", `${path}.xlsx`, {
      tags,
      callers: { people: read.people },
      query: filters.extend({ lang: HeadingQuery }),
      answer: custom({ 200: { description: `${words}; as a workbook`, content: XLSX_CONTENT } }),
    }, file);
    if (external === undefined) return this;
    return this.#add("get", `${path}.csv`, {
      tags,
      callers: { keys: read.keys },
      query: filters.extend({ dialect: DialectQuery }),
      answer: custom({ 200: { description: external, content: CSV_CONTENT } }),
    }, file);
  }

  #add<Path extends string, T, Query, Body>(
    method: RouteDefinition["method"],
    path: string,
    endpoint: Endpoint<T, z.ZodType, z.ZodType>,
    handle: Handler<Path, Query, Body, T>,
  ): this {
    const { read, change = {}, readOnly = [] } = this.#options;
    const { callers = method === "get" ? read : change, status = 200, answer, ...more } = endpoint;
    const { params = {}, body, isDocument, optionalBody, refusals, location, ...rest } = more;
    const { tags = this.#options.tags, ...others } = rest;
    const whole = `${this.#path}${path}`;
    const add = (routes: Route[], surface: Surface, access?: Access) => {
      if (access === undefined) return;
      const declared = {
        ...others,
        tags,
        method,
        path: `${surface.base}${whole}`,
        access,
        params: paramsOf(whole, params),
        body: body && isDocument ? ignoring(readOnly, body) : body ?? optionalBody,
        isBodyOptional: body === undefined,
        responses: () => ({ ...answer.responses(surface, status), ...refusalsOf(refusals) }),
      };
      routes.push(route(declared, async (c: Validated<Path, Query, Body>) => {
        const value = await handle({
          ...c.req.valid("param"),
          c,
          ctx: c.var.ctx,
          surface,
          query: c.req.valid("query"),
          body: c.req.valid("json"),
          expected: expectedVersions(c),
        });
        const headers: Headers = location ? { Location: `${surface.base}${location(value)}` } : {};
        return answer.write(value, { c, surface, status, headers, readOnly });
      }));
    };
    add(this.#inApp, IN_APP, callers.people);
    add(this.#external, EXTERNAL, callers.keys);
    return this;
  }
}

const NAME_IN_PATH = /\{(\w+)\}/g;

function paramsOf(path: string, schemas: z.ZodRawShape): z.ZodObject | undefined {
  const names = [...path.matchAll(NAME_IN_PATH)].map(([, name = ""]) => name);
  if (names.length === 0) return undefined;
  return z.object(Object.fromEntries(names.map((name) => [name, schemas[name] ?? z.string()])));
}

function refusalsOf(refusals: Readonly<Record<number, string>> = {}): RouteConfig["responses"] {
  return Object.fromEntries(
    Object.entries(refusals).map(([code, words]) => [code, jsonAnswer(ErrorBody, words)]),
  );
}
