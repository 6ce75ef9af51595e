import { expect } from 'vitest';
import { SCRIPT_PATH } from '../../src/web/components/assets.ts';

/** Texts that try to inject HTML or scripts. */
export const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '" onfocus="alert(1)" autofocus="',
  '</title></textarea></style><svg onload=alert(1)>',
  '<!-- <a href="javascript:alert(1)">',
  'javascript:alert(1)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\u2028</script>{{constructor}}',
];

/** Parses the tags of a document with their attributes; throws at a `<` that begins no known tag. */
function tagsOf(document: string): { tag: string; attributes: Map<string, string> }[] {
  const tags = [];
  for (const [, rest = ''] of document.matchAll(/<([^<]*)/g)) {
    const found =
      /^\/?([a-z][a-z0-9]*|!doctype html)((?:\s+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"]*")?)*)\s*\/?>/.exec(rest);
    if (!found) throw new Error(`no tag of ours: <${rest.slice(0, 60)}`);
    const attributes = [...(found[2] ?? '').matchAll(/([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g)];
    tags.push({
      tag: found[1] ?? '',
      attributes: new Map(attributes.map(([, name = '', value = '']) => [name.toLowerCase(), value])),
    });
  }
  return tags;
}

/** Returns the text of all script elements, which is empty in our pages. */
function scriptsOf(document: string): string {
  return [...document.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text]) => text).join('');
}

/** Fails if a document contains a tag, handler or link that could run or load foreign content. */
export function expectHarmless(document: string): void {
  expect(scriptsOf(document)).toBe('');
  for (const { tag, attributes } of tagsOf(document)) {
    // The only script is our own file; its element is empty.
    if (tag === 'script') expect(attributes.get('src') ?? SCRIPT_PATH).toBe(SCRIPT_PATH);
    expect(['img', 'style', 'iframe', 'object', 'base', 'textarea']).not.toContain(tag);
    for (const [name, value] of attributes) {
      expect(name).not.toMatch(/^on|^style$|^autofocus$|^srcdoc$/);
      if (name === 'href' || name === 'action') expect(value).toMatch(/^(\/|#|https?:\/\/)/);
    }
    const href = attributes.get('href') ?? '';
    const isOutside = tag === 'a' && /^https?:/.test(href);
    if (isOutside) expect(attributes.get('rel')).toBe('nofollow noopener ugc');
  }
}
