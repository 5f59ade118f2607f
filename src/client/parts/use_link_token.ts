import { useState } from "preact/hooks";

/** The token after `#` of a one-time link, which browsers send to no server. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token"));
  return token === "" ? null : token;
}
