import { h, type VNode } from 'preact';
import { expect, it } from 'vitest';
import { expectDrawable, NO_XML_TEXTS } from '../../../testing/pages/svg-drawings.ts';
import { renderMarkup } from './send-html.ts';

it.each(NO_XML_TEXTS)('writes %j so that an XML reader takes it, as text and as an attribute', (text) => {
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', width: 10, height: 10, 'aria-label': text };

  const svg: VNode = h('svg', attributes as object, h('title', {}, text), h('text', {}, text));

  expectDrawable(renderMarkup(svg));
});

it('changes no text that XML allows', () => {
  const text = 'a > b ]] > c \t é 機器人 🙂 \u{10ffff}';

  expect(renderMarkup(h('p', {}, text))).toBe(`<p>${text}</p>`);
  expect(renderMarkup(h('p', {}, ']]> & <b>'))).toBe('<p>]]&gt; &amp; &lt;b></p>');
  expect(renderMarkup(h('p', {}, 'a\ufffeb\ud800'))).toBe('<p>a\ufffdb\ufffd</p>');
});
