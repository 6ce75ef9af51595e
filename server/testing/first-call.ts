/** Matches the output of a start, up to the ready-made call. */
export const WELCOME = /[\s\S]*curl -sS .*\n/;

/** Sends the request of the printed curl command. */
export async function firstCall(text: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const [, url, key, body] =
    /curl -sS (\S+) -H "Authorization: Bearer (\S+)" .* -d '([^']*)'/.exec(text) ?? [];
  const response = await fetch(String(url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: String(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
