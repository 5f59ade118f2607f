/** Starts the demo with few products, so that tests of the demo are fast. */
import { parseArgs } from "node:util";
import { demoWith } from "../../../src/app/commands/demo.ts";
import { demoProducts } from "../../../src/app/demo/demo_catalogue.ts";

export const SMALL_DEMO = 240;

if (import.meta.main) {
  const options = { dir: { type: "string" }, port: { type: "string" } } as const;
  await demoWith(demoProducts().slice(0, SMALL_DEMO), parseArgs({ options }).values);
  Deno.exit(0);
}
