import { expect } from 'vitest';

/** Fails if an XML text has an unclosed element, a bare `&` or `<`, or an unquoted attribute. */
export function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const rest = xml.replace(
    /<\?xml[^>]*\?>|<(\/?)([a-zA-Z][a-zA-Z\d:]*)((?:\s+[a-zA-Z][a-zA-Z\d:-]*="[^"<]*")*)\s*(\/?)>|[^<]+/g,
    (token, close: string | undefined, name: string | undefined, _attributes, selfClosed) => {
      expect(token.replaceAll(/&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);/gi, '')).not.toContain('&');
      if (name === undefined) return '';
      if (close) expect(open.pop()).toBe(name);
      else if (!selfClosed) open.push(name);
      return '';
    },
  );
  expect(rest).toBe('');
  expect(open).toEqual([]);
}
