import { useState } from "preact/hooks";

/** The token behind `#` of a one-time link; it never reaches the log of a server. Null without one. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token"));
  return token === "" ? null : token;
}
