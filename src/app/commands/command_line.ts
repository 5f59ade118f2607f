/** Parses the arguments and runs a command (docs/commands.md). */
import { KEY_SCOPE_NAMES, ROLES } from "../../accounts/roles.ts";
import { Failure } from "../../base/failure.ts";
import { splitList } from "../../base/text.ts";
import { VERSION } from "../../base/version.ts";
import { IMPORT_MODES } from "../../imports/choices.ts";
import { EXPORT_FORMATS } from "../../market/export/price_export_routes.ts";
import { ConfigError, VARIABLES } from "../composition/config.ts";
import { MinuteCron } from "../../platform/jobs/work_loop.ts";
import { CSV_DIALECTS } from "../../platform/tables/table_answer.ts";
import { StoreTrouble } from "../../platform/store/store_trouble.ts";
import { print, printError, writeLog } from "./terminal.ts";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";

const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;

/** Returns the exit code; never throws. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const outcome: { code: number } = { code: EXIT.done };
  const cron = new MinuteCron();
  // On Deno Deploy, cron must be registered before the first `await`.
  if (args.length === 0 || args[0] === "serve") cron.register();
  const program = createProgram((code) => outcome.code = code, cron);
  try {
    await program.parseAsync(args.length === 0 ? ["serve"] : [...args], { from: "user" });
    return outcome.code;
  } catch (error) {
    return exitCodeOf(error);
  } finally {
    cron.stop();
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  if (error instanceof ConfigError) {
    for (const line of error.lines) printError(`error: ${line}`);
    return EXIT.wrongUsage;
  }
  if (error instanceof Failure) {
    const { cause } = error;
    const isUnable = cause instanceof StoreTrouble && cause.kind === "unable";
    const why = isUnable ? ` (${cause.message})` : "";
    printError(`error: ${error.message}${why}`);
    return error.code === "validation_failed" ? EXIT.wrongUsage : EXIT.failed;
  }
  // Errors with a `code` come from the operating system or SQLite: a stack would not help.
  const text = error instanceof Error && !("code" in error) ? error.stack : String(error);
  printError(`error: ${text}`);
  return EXIT.failed;
}

/**
 * Loads a command's code only when the command is called. A command may return its exit code;
 * `false` means 1.
 */
type Act = <Args extends readonly unknown[]>(
  load: () => Promise<(...args: Args) => unknown>,
) => (...args: Args) => Promise<void>;

function createProgram(exitWith: (code: number) => void, cron: MinuteCron): Command {
  const act: Act = (load) => async (...args) => {
    const command = await load();
    const result = await command(...args);
    if (typeof result === "number") exitWith(result);
    else if (result === false) exitWith(EXIT.failed);
  };
  const program = new Command("kurant")
    .description(
      `Price intelligence for retailers: catalogue, competitor prices, rules (${VERSION})`,
    )
    .version(VERSION, "--version", "print the version")
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: writeLog,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
    .exitOverride()
    .showHelpAfterError("(--help lists commands and options)")
    .addHelpText("after", `\nWithout a command: serve.\n\n${environmentHelp()}`);
  addServe(program, act, cron);
  addUserCommands(program, act);
  addKeyCommands(program, act);
  addFiles(program, act);
  addRemote(program, act);
  addWork(program, act);
  addStoreCommands(program, act);
  return program;
}

const MODE_HELP = "what happens to existing and missing products";
const DIALECT_HELP = "kind of CSV: for programs, or for a German Excel";

function choice(flags: string, help: string, values: readonly string[], preset?: string): Option {
  return new Option(flags, help).choices(values).default(preset);
}

function addServe(program: Command, act: Act, cron: MinuteCron): void {
  program.command("serve")
    .description("Run the service until SIGTERM or SIGINT")
    .addHelpText("after", `\n${environmentHelp()}`)
    .action(act(async () => {
      const serve = (await import("./serve.ts")).serve;
      return () => serve(cron);
    }));
}

function addUserCommands(program: Command, act: Act): void {
  const user = program.command("user").description("People who sign in");
  user.command("add")
    .description("Add a user; the password is read from standard input")
    .requiredOption("--email <address>", "e-mail address to sign in with")
    .addOption(choice("--role <role>", "what the person may do", ROLES).makeOptionMandatory())
    .option("--workspace <name>", "name of a workspace, created if needed (default: the oldest)")
    .option("--password-file <path>", "read the password from there instead")
    .action(act(async () => (await import("./workspace_commands.ts")).userAdd));
  user.command("factor-reset")
    .description("Remove a user's second factors and recovery codes; ends the user's sessions")
    .requiredOption("--email <address>", "of the user")
    .action(act(async () => (await import("./workspace_commands.ts")).userFactorReset));
  user.command("password")
    .description("Set a user's password, read from standard input; ends the user's sessions")
    .requiredOption("--email <address>", "of the user")
    .option("--password-file <path>", "read the password from there instead")
    .action(act(async () => (await import("./workspace_commands.ts")).userPassword));
}

function addKeyCommands(program: Command, act: Act): void {
  const key = program.command("key").description("Keys for programs");
  key.command("add")
    .description("Create an API key, and print only the key")
    .requiredOption("--name <name>", "what the key is for")
    .option("--scopes <list>", `comma list of ${KEY_SCOPE_NAMES.join(", ")}`, parseScopes, [])
    .option("--workspace <name>", "name of a workspace, created if needed (default: the oldest)")
    .option("--expires <time>", "ISO time from which the key is refused (default: never)")
    .option("--addresses <list>", "comma list of addresses and CIDR ranges", splitList)
    .action(act(async () => (await import("./workspace_commands.ts")).keyAdd));
  const workspace = ["--workspace <name>", "name of the workspace (default: the oldest)"] as const;
  key.command("list")
    .description("Print each key as a line of JSON, without its secret part")
    .option(...workspace)
    .action(act(async () => (await import("./workspace_commands.ts")).keyList));
  key.command("revoke <id>")
    .description("Revoke a key; running servers refuse it within 5 s")
    .option(...workspace)
    .action(act(async () => (await import("./workspace_commands.ts")).keyRevoke));
  key.command("rotate <id>")
    .description("Print a new key with the same rights; the old one ends after the overlap")
    .option(...workspace)
    .option("--overlap-hours <hours>", "hours in which both keys are valid, 0 to 168", Number, 24)
    .action(act(async () => (await import("./workspace_commands.ts")).keyRotate));
}

function addFiles(program: Command, act: Act): void {
  program.command("import")
    .description(
      "Import ERP files: XML, CSV, XLSX, JSON or NDJSON, also in gzip or ZIP; exits 3 if records " +
        "were refused",
    )
    .argument("<file...>", "the files of one import, in their order")
    .option("--source <id>", "the import source of the files (default: default)")
    .addOption(
      choice("--mode <mode>", `${MODE_HELP} (default: as the source says)`, IMPORT_MODES),
    )
    .option("--profile <id>", "how the files are read (default: by the source, or their content)")
    .option("--tier <name>", "the price tier of the own price (default: as the source says)")
    .option("--dry-run", "check and count, but write nothing")
    .option("--force", "import even if a guard would hold it")
    .option("--allow-no-prices", "import the rest if a whole column of prices cannot be used")
    .option("--workspace <name>", "name of a workspace, created if needed (default: the oldest)")
    .action(act(async () => (await import("./import_files.ts")).importFiles));
  program.command("export")
    .description("Print the changes of own prices that no import caused, for the ERP")
    .option("--since <time>", "a time, or the text that the previous export printed")
    .addOption(choice("--format <format>", "format; `import` reads xml", EXPORT_FORMATS, "xml"))
    .option("--workspace <name>", "name of the workspace (default: the oldest)")
    .action(act(async () => (await import("./workspace_commands.ts")).exportPriceChanges));
}

function addWork(program: Command, act: Act): void {
  program.command("extract")
    .description("Explain which prices a page has, and which one counts; exits 1 without a price")
    .argument(
      "<file|url>",
      "a page as a shop sent it (HTML or JSON), or its address, which is fetched once",
    )
    .option("--url <address>", "original address of the page in the file")
    .option("--currency <code>", "currency of the product, if the page has offers in several ones")
    .option("--ean <number>", "EAN of our product")
    .option("--title <text>", "title of our product")
    .action(act(async () => (await import("./import_files.ts")).extractPage));
  program.command("tick")
    .description("Visit all pages that are due now, once, and wait for the end")
    .action(act(async () => (await import("./check_store.ts")).tick));
  program.command("check-store")
    .description(
      "Check that the rows of the store agree; beside a busy server it may see incomplete changes",
    )
    .action(act(async () => (await import("./check_store.ts")).checkStore));
  program.command("doctor")
    .description(
      "Report the state of the installation and what to do; exits 1 if there is a problem",
    )
    .option("--json", "print one JSON document instead of lines")
    .action(act(async () => (await import("./check_store.ts")).doctor));
  program.command("demo")
    .description("Run the service with invented data and shops, reachable from this machine only")
    .option("--port <number>", "port to listen on (default: PORT, else 8000)")
    .option("--dir <path>", "an empty folder for the store (default: a temporary one)")
    .option("--keep", "keep the store at the end")
    .action(act(async () => (await import("./demo.ts")).demo));
}

function addRemote(program: Command, act: Act): void {
  program.command("pull").description("Fetch from the service at KURANT_URL with KURANT_KEY")
    .command("prices")
    .description("Fetch the price changes since the last call, each once")
    .requiredOption("--since-file <path>", "file with the position after the last fetched change")
    .addOption(choice("--format <format>", "format of the prices", ["csv", "xml", "xlsx"], "csv"))
    .addOption(choice("--dialect <dialect>", DIALECT_HELP, CSV_DIALECTS, "rfc4180"))
    .option(
      "--to <path>",
      "a new file, written completely or not at all (default: standard output)",
    )
    .action(act(async () => (await import("./call_kurant.ts")).pullPrices));
  const push = program.command("push")
    .description("Send to the service at KURANT_URL with KURANT_KEY");
  push.command("catalogue <file>")
    .description(
      "Send a file and wait for its import; exits 3 if records were refused, 1 if it failed",
    )
    .option("--source <id>", "the import source of the file", "default")
    .addOption(choice("--mode <mode>", MODE_HELP, IMPORT_MODES))
    .option("--profile <id>", "how the file is read")
    .option("--dry-run", "check and count, but write nothing")
    .option("--force", "import even if a guard would hold it")
    .option("--allow-no-prices", "import the rest if a whole column of prices cannot be used")
    .option("--attempt <number>", "another number imports the same file again", Number, 1)
    .action(act(async () => (await import("./call_kurant.ts")).pushCatalogue));
}

const PREPARE_HELP = `
The layout has larger pages and a smaller index, so the file is smaller and commits are
faster. A missing file is created. An existing file is copied to a new one, which replaces it
in one step; this needs space for a second file. Stop the KV Connect server first, because an
open file is refused. Run the command as the server's user, who will own the file. The store
of DATA_DIR has this layout already.`;

function addStoreCommands(program: Command, act: Act): void {
  program.command("audit").description("The log of who did what")
    .command("verify")
    .description("Check the audit log against its seals, and name the rows that disagree")
    .option("--workspace <name>", "name of the workspace (default: all)")
    .option("--head <hash>", "a hash noted earlier; the chain must contain it")
    .action(act(async () => (await import("./check_store.ts")).auditVerify));
  program.command("backup")
    .description("Copy the store to a new file, also while a server writes to it")
    .argument("<file>", "the new file, best on another disk")
    .option("--no-check", "do not check whether the rows agree, which takes most of the time")
    .action(act(async () => (await import("./backup.ts")).backup));
  program.command("restore")
    .description(
      "Replace the store by a backup, and keep the old store; the server must be stopped",
    )
    .argument("<file>", "a file made by `backup`")
    .option("--no-check", "do not check whether the rows agree, which takes most of the time")
    .action(act(async () => (await import("./backup.ts")).restore));
  program.command("drill")
    .description(
      "Restore the newest backup as a test, beside a running server; exits 1 if it is not good",
    )
    .argument("[folder]", "folder of the backups (default: BACKUP_DIR, else DATA_DIR)")
    .action(act(async () => (await import("./backup.ts")).drill));
  program.command("compact")
    .description("Return the space of deleted rows to the disk; the server must be stopped")
    .action(act(async () => (await import("./backup.ts")).compact));
  program.command("store").description("The file of a store")
    .command("prepare")
    .description("Give the file of a KV Connect server the layout of our own files")
    .argument("<file>", "the file of `denokv --sqlite-path`; it may be missing")
    .addHelpText("after", PREPARE_HELP)
    .action(act(async () => (await import("./backup.ts")).storePrepare));
  const secret = program.command("secret")
    .description("The keys under which the store's credentials are sealed");
  secret.command("new")
    .description("Print a new key for SECRET_KEY, and nothing else")
    .action(act(async () => (await import("./workspace_commands.ts")).secretNew));
  secret.command("rotate")
    .description("Seal all credentials under the first key, also while a server runs")
    .action(act(async () => (await import("./workspace_commands.ts")).secretRotate));
  addWorkspaceCommands(program, act);
}

function addWorkspaceCommands(program: Command, act: Act): void {
  const workspace = program.command("workspace").description("Whole workspaces");
  workspace.command("export")
    .description("Write a workspace without secrets and jobs as lines of JSON")
    .argument("<file>", "a new file, or - for standard output")
    .option("--workspace <name>", "name of the workspace (default: the oldest)")
    .action(act(async () => (await import("./workspace_commands.ts")).workspaceExport));
  workspace.command("import")
    .description("Create a workspace from a file of `workspace export`")
    .argument("<file>", "the file, or - for standard input")
    .option("--name <name>", "its new name (default: the old one)")
    .action(act(async () => (await import("./workspace_commands.ts")).workspaceImport));
  workspace.command("set")
    .description("Set how a workspace stores its prices, best before its first file")
    .option("--vat <percent>", "VAT rate of products without a rate of their own")
    .option("--gross", "prices include VAT")
    .option("--net", "prices exclude VAT")
    .option("--workspace <name>", "name of a workspace, created if needed (default: the oldest)")
    .action(act(async () => (await import("./workspace_commands.ts")).workspaceSet));
  workspace.command("delete")
    .description("Delete a workspace with everything in it; the server must be stopped")
    .argument("<workspace>", "its name or id")
    .option("--yes", "delete it for good")
    .action(act(async () => (await import("./workspace_commands.ts")).workspaceDelete));
}

function parseScopes(text: string): string[] {
  const scopes = splitList(text);
  const known: readonly string[] = KEY_SCOPE_NAMES;
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`There is no scope "${unknown.join('", "')}".`);
  }
  return scopes;
}

function environmentHelp(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const isSecret = "secret" in variable;
    const fallback = variable.fallback ? ` (default ${variable.fallback})` : "";
    return [isSecret ? `${name}[_FILE]` : name, `${variable.text}${fallback}`] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  return [
    "Environment:",
    ...lines,
    "",
    "A variable with [_FILE] may also be set as NAME_FILE, the path of a file with its value.",
  ].join("\n");
}
