import { useState } from "preact/hooks";

/** The token after `#` of a one-time link, which browsers send to no server; null for none. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token"));
  return token === "" ? null : token;
}
