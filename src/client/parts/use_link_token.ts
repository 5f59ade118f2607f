import { useState } from "preact/hooks";

/** The token of a one-time link; browsers do not send the part after `#` to any server. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token"));
  return token === "" ? null : token;
}
