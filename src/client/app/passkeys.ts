/** Passkeys of the browser, by the JSON forms of WebAuthn. */

/** Options of the service for the browser, which checks them itself. */
type Options = Readonly<Record<string, unknown>>;

/** False in browsers without passkeys, or without their JSON forms. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** Makes a passkey on the person's device; null if the person has cancelled. */
export async function makePasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(Object(options));
  const made = await navigator.credentials.create({ publicKey }).catch(cancelled);
  if (!(made instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = made.toJSON();
  return "attestationObject" in response ? { ...rest, response } : null;
}

/** Lets a passkey answer a challenge; null if the person has cancelled. */
export async function askPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(Object(options));
  const answer = await navigator.credentials.get({ publicKey }).catch(cancelled);
  if (!(answer instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = answer.toJSON();
  return "signature" in response ? { ...rest, response } : null;
}

/** A person who closes the browser's question needs no message. */
function cancelled(error: unknown): null {
  const names = ["NotAllowedError", "AbortError"];
  if (error instanceof DOMException && names.includes(error.name)) return null;
  throw error;
}
