/** Creates and uses passkeys through the JSON methods of WebAuthn. */

/** Sent by the service; the browser validates them. */
type Options = Readonly<Record<string, unknown>>;

/** False in browsers without passkeys, or without their JSON forms. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** Null if the person cancels. */
export async function makePasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(Object(options));
  const made = await navigator.credentials.create({ publicKey }).catch(cancelled);
  if (!(made instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = made.toJSON();
  return "attestationObject" in response ? { ...rest, response } : null;
}

/** Null if the person cancels. */
export async function askPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(Object(options));
  const answer = await navigator.credentials.get({ publicKey }).catch(cancelled);
  if (!(answer instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = answer.toJSON();
  return "signature" in response ? { ...rest, response } : null;
}

/** A person who closes the browser's dialog needs no message. */
function cancelled(error: unknown): null {
  const names = ["NotAllowedError", "AbortError"];
  if (error instanceof DOMException && names.includes(error.name)) return null;
  throw error;
}
