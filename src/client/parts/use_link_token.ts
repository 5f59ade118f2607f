import { useState } from "preact/hooks";

/**
 * Returns the token after `#` in a one-time link, which never reaches the log of a server; null if
 * there is none.
 */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token"));
  return token === "" ? null : token;
}
