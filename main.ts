import { runCommandLine } from "./src/app/commands/command_line.ts";

Deno.exit(await runCommandLine(Deno.args));
