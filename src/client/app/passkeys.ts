/** Creates and uses passkeys through the JSON methods of WebAuthn. */

type Options = Readonly<Record<string, unknown>>;

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

export async function makePasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(Object(options));
  const made = await navigator.credentials.create({ publicKey }).catch(cancelled);
  if (!(made instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = made.toJSON();
  return "attestationObject" in response ? { ...rest, response } : null;
}

export async function askPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(Object(options));
  const answer = await navigator.credentials.get({ publicKey }).catch(cancelled);
  if (!(answer instanceof PublicKeyCredential)) return null;
  const { response, ...rest } = answer.toJSON();
  return "signature" in response ? { ...rest, response } : null;
}

function cancelled(error: unknown): null {
  const names = ["NotAllowedError", "AbortError"];
  if (error instanceof DOMException && names.includes(error.name)) return null;
  throw error;
}
