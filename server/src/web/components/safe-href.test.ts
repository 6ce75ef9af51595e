import { describe, expect, it } from 'vitest';
import { safeHref } from './formatting.tsx';

describe('safeHref', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['http://example.com', 'http://example.com/'],
    ['HTTPS://EXAMPLE.com/"><script>', 'https://example.com/%22%3E%3Cscript%3E'],
  ])('lets %s through in its parsed form', (text, href) => {
    expect(safeHref(text)).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    '//example.com',
    '/a/b',
    'example.com',
    'https://',
    '',
    null,
  ])('refuses %j', (text) => {
    expect(safeHref(text)).toBeNull();
  });
});
