/** Removes the access key from a text. */
export type Redact = (text: string) => string;

/** A remover of this key. */
export function redactKey(apiKey: string | null): Redact {
  return (text) => (apiKey ? text.replaceAll(apiKey, '[key]') : text);
}
