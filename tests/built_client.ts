/** Builds the client's pages in `dist/` once, so that the service can serve them to tests. */
import { env } from "node:process";

let built: Promise<void> | null = null;

/** Builds nothing under `deno task test`, which has already built the client. */
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
