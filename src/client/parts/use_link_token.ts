import { useState } from "preact/hooks";

/**
 * The token after `#` of a one-time link; null for none. Browsers do not send this part of an
 * address, so no server logs the token.
 */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token"));
  return token === "" ? null : token;
}
