/** The client's pages in `dist/`, built once, so that tests open the pages that the service serves. */
import { env } from "node:process";

let built: Promise<void> | null = null;

/** `deno task test` has built them before its first file, and says so by `CLIENT_IS_BUILT`. */
export function buildClient(): Promise<void> {
  built ??= env.CLIENT_IS_BUILT === "1" ? Promise.resolve() : build();
  return built;
}

async function build(): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "build"],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
