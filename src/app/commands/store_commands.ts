/** The commands for a whole store or a whole workspace, as the command line shows them. */
import type { AuditVerifyOptions } from "./audit_commands.ts";
import type { CheckOptions } from "./backup.ts";
import { lazily } from "./terminal.ts";
import type { Command } from "commander";

const auditVerify = lazily(async () => (await import("./audit_commands.ts")).auditVerify);
const backup = lazily(async () => (await import("./backup.ts")).backup);
const compact = lazily(async () => (await import("./compact.ts")).compact);
const drill = lazily(async () => (await import("./backup.ts")).drill);
const restore = lazily(async () => (await import("./backup.ts")).restore);
const secretRotate = lazily(async () => (await import("./accounts.ts")).secretRotate);

const PREPARE_HELP = `
Larger pages and a smaller index: less space, and half of what is written. A file that is
not there is made; one that is there is written anew beside itself, which needs room for a
second file, and takes its place in one step. Stop the KV Connect server first: a file that
somebody has open is refused. Call it as the server's user, who will own the file. The
store of DATA_DIR needs none of this: it is made so, and \`compact\` writes it anew.`;

export function addStoreCommands(program: Command, exitWith: (code: number) => void): void {
  const exitBy = (isSound: boolean) => exitWith(isSound ? 0 : 1);
  program.command("audit").description("The log of who did what")
    .command("verify")
    .description("Verify the seals of the audit log; names the first row that disagrees")
    .option("--workspace <name>", "which one (default: all)")
    .option("--head <hash>", "a hash that was noted earlier, which the chain must contain")
    .action(async (options: AuditVerifyOptions) => exitBy(await auditVerify(options)));
  program.command("backup")
    .description("Copy the store to a new file, also while a server writes to it")
    .argument("<file>", "where to; on another disk, best")
    .option("--no-check", "leave out whether the rows agree, which takes most of the time")
    .action(async (file: string, options: CheckOptions) => exitBy(await backup(file, options)));
  program.command("restore")
    .description(
      "Put a backup in the place of the store, which is kept; the server must be stopped",
    )
    .argument("<file>", "a file that `backup` has made")
    .option("--no-check", "leave out whether the rows agree, which takes most of the time")
    .action(async (file: string, options: CheckOptions) => exitBy(await restore(file, options)));
  program.command("drill")
    .description(
      "Restore the newest backup as a test, beside a running server; 1 if it is not good",
    )
    .argument("[folder]", "where the backups are (default: BACKUP_DIR, else DATA_DIR)")
    .action(async (folder: string | undefined) => exitBy(await drill(folder)));
  program.command("compact")
    .description("Give the space of deleted rows back to the disk; the server must be stopped")
    .action(compact);
  program.command("store").description("The file that a store is")
    .command("prepare")
    .description("Lay the file of a KV Connect server out as Kurant lays out its own")
    .argument("<file>", "what `denokv --sqlite-path` names, there already or not")
    .addHelpText("after", PREPARE_HELP)
    .action(lazily(async () => (await import("./compact.ts")).storePrepare));
  const secret = program.command("secret")
    .description("The keys under which the store's credentials are sealed");
  secret.command("new")
    .description("Print a new key for SECRET_KEY, alone, on standard output")
    .action(lazily(async () => (await import("./accounts.ts")).secretNew));
  secret.command("rotate")
    .description("Seal all credentials under the first key, also while a server runs")
    .action(async () => exitBy(await secretRotate()));
  addWorkspaceCommands(program);
}

function addWorkspaceCommands(program: Command): void {
  const workspace = program.command("workspace").description("A tenant as a whole");
  workspace.command("export")
    .description("Write all of a workspace but secrets and jobs as lines of JSON")
    .argument("<file>", "a new file, or - for standard output")
    .option("--workspace <name>", "which one (default: the oldest)")
    .action(lazily(async () => (await import("./workspace_commands.ts")).workspaceExport));
  workspace.command("import")
    .description("Make a new workspace of what `workspace export` wrote")
    .argument("<file>", "or - for standard input")
    .option("--name <name>", "how it is called here (default: as it was)")
    .action(lazily(async () => (await import("./workspace_commands.ts")).workspaceImport));
  workspace.command("set")
    .description("Say how a workspace keeps its prices, best before its first file")
    .option("--vat <percent>", "the rate of VAT of products that name none")
    .option("--gross", "prices are with VAT")
    .option("--net", "prices are without VAT")
    .option("--workspace <name>", "an existing one or a new one (default: the oldest)")
    .action(lazily(async () => (await import("./workspace_commands.ts")).workspaceSet));
  workspace.command("delete")
    .description("Delete a workspace with all that it has; the server must be stopped")
    .argument("<workspace>", "its name or id")
    .option("--yes", "do it: nothing brings it back")
    .action(lazily(async () => (await import("./workspace_commands.ts")).workspaceDelete));
}
