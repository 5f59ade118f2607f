import { runCommandLine } from "./src/commands/command_line.ts";

Deno.exit(await runCommandLine(Deno.args));
