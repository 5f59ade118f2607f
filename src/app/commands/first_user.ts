/**
 * A store without a user: the one that the environment names, else a link to set the service up.
 */
import { type Config, ConfigError } from "../composition/config.ts";
import type { Tools } from "../../accounts/anonymous.ts";
import { addFirstUser, issueSetupToken } from "../../accounts/set_up.ts";
import { roomLog } from "../../platform/log.ts";
import { print } from "./terminal.ts";

const log = roomLog("serve");

/** Before the first request, so that a caller who knows the password never comes too early. */
export async function addConfiguredUser(tools: Tools, config: Config): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  if (email === null || password === null) return;
  const user = await addFirstUser(tools, { email, password });
  if (user) log.info("first user added", { userId: user.id });
}

/**
 * The link is a secret: it goes to standard output alone, never to the log
 * (docs/decisions/identity.md).
 */
export async function offerSetUp(tools: Tools, url: string): Promise<void> {
  const token = await issueSetupToken(tools);
  if (token === null) return;
  print(`Nobody can sign in yet. Set it up within 30 minutes at ${url}/setup#token=${token}`);
}

/** Half of a first user is a mistake, whether or not there are users already. */
export function requireWholeFirstUser({ ADMIN_EMAIL, ADMIN_PASSWORD }: Config): void {
  if ((ADMIN_EMAIL === null) === (ADMIN_PASSWORD === null)) return;
  const missing = ADMIN_EMAIL === null ? "ADMIN_EMAIL" : "ADMIN_PASSWORD";
  throw new ConfigError([`${missing} is missing: the first user needs both, or none of them`]);
}
