/** Commands for a whole store or a whole workspace, with their options. */
import type { Command } from "commander";

const PREPARE_HELP = `
The layout has larger pages and a smaller index, so the file is smaller and commits are
faster. A missing file is created. An existing file is copied to a new one, which replaces it
in one step; this needs space for a second file. Stop the KV Connect server first, because an
open file is refused. Run the command as the server's user, who will own the file. The store
of DATA_DIR has this layout already.`;

/**
 * Loads the code of a command when the command is called. A command returns its exit code; `false`
 * means 1.
 */
export type Act = <Args extends readonly unknown[]>(
  load: () => Promise<(...args: Args) => unknown>,
) => (...args: Args) => Promise<void>;

export function addStoreCommands(program: Command, act: Act): void {
  program.command("audit").description("The log of who did what")
    .command("verify")
    .description("Check the audit log against its seals, and name the rows that disagree")
    .option("--workspace <name>", "name of the workspace (default: all)")
    .option("--head <hash>", "a hash noted earlier; the chain must contain it")
    .action(act(async () => (await import("./audit_commands.ts")).auditVerify));
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
    .action(act(async () => (await import("./accounts.ts")).secretNew));
  secret.command("rotate")
    .description("Seal all credentials under the first key, also while a server runs")
    .action(act(async () => (await import("./accounts.ts")).secretRotate));
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
