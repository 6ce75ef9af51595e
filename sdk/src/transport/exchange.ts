/** What came back. */
export interface Exchange {
  /** The answer; its body has been read. */
  readonly answer: Response;
  /** Its status, if the runtime shows it: a browser hides that of a redirect which it must not follow. */
  readonly status: number;
  /** Its body, without the key if that was in it; null where that is too long. */
  readonly text: string | null;
  /** Removes the access key from a text. */
  readonly redact: (text: string) => string;
}

/** The answer once more, with a body that can be read. */
export function readable({ answer: { headers }, status, text }: Exchange): Response {
  return new Response(text || null, { status, headers });
}

/** A body's text; null if it has more bytes than this, and then the rest isn't read. */
export async function textWithin(maxBytes: number, answer: Response): Promise<string | null> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let left = maxBytes; ; ) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return text + decoder.decode();
    left -= value.length;
    if (left < 0) {
      reader?.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
