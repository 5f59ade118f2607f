/** A workspace with its users and its key. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { generateItems } from "../bench/erp_items.ts";
import { signIn } from "../caller.ts";
import { kurant } from "../program.ts";
import type { Ask, Calls } from "./calls.ts";

export const CROWD_PRODUCTS = 500;
const PASSWORD = "acht stille Wasserkocher";
const SCOPES = "products:write,observations:write,proposals:write,rules:read";

/** Name and credentials of a workspace, known before a server runs. */
export interface Seat {
  readonly name: string;
  readonly email: string;
  readonly key: string;
}

export interface Tenant {
  readonly name: string;
  /** Cookie and key as texts, for use in another thread. */
  readonly cookie: string;
  readonly key: string;
  readonly person: Ask;
  readonly program: Ask;
}

/** Creates a catalogue, an owner and a key before a server runs. */
export async function seedSeat(
  settings: Record<string, string>,
  folder: string,
  name: string,
): Promise<Seat> {
  const file = `${folder}/items.xml`;
  await Deno.writeFile(file, ReadableStream.from(generateItems(CROWD_PRODUCTS, 1)));
  const email = `owner@${name.toLowerCase()}.example`;
  await done(["import", file, "--workspace", name], settings);
  await done(
    ["user", "add", "--email", email, "--role", "owner", "--workspace", name],
    settings,
    PASSWORD,
  );
  const args = ["key", "add", "--name", "load", "--scopes", SCOPES, "--workspace", name];
  return { name, email, key: (await done(args, settings)).trim() };
}

async function done(args: readonly string[], settings: Record<string, string>, input = "") {
  const { code, out, err } = await kurant(args, settings, input);
  assertEquals(code, 0, err);
  return out;
}

export async function takeSeat(calls: Calls, url: string, seat: Seat): Promise<Tenant> {
  const { cookie } = await signIn(url, { email: seat.email, password: PASSWORD });
  return {
    name: seat.name,
    cookie,
    key: seat.key,
    person: calls.as({ Cookie: cookie }),
    program: calls.as({ Authorization: `Bearer ${seat.key}` }),
  };
}
