import { describe, expect, it } from 'vitest';
import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { directionFactor, directionOf } from './direction.ts';

const said = (text: string) => {
  const direction = directionOf(text);
  return direction && `${direction.from} > ${direction.to}`;
};

describe('a direction', () => {
  it.each([
    ['pdf to markdown', 'pdf > markdown'],
    ['PDF to Markdown converter', 'pdf > markdown'],
    ['convert a scanned pdf to markdown with images', 'scanned pdf > markdown'],
    ['from notion to obsidian', 'notion > obsidian'],
    ['text to speech mcp server', 'text > speech'],
    ['mcp server pdf to markdown', 'pdf > markdown'],
    ['transcribe speech to text', 'speech > text'],
    ['turn figma designs into code', 'figma designs > code'],
    ['turn openapi spec into mcp tools', 'openapi spec > mcp tools'],
    ['html 2 pdf', 'html > pdf'],
    ['html→pdf', 'html > pdf'],
    ['openapi -> typescript types', 'openapi > typescript types'],
    ['ＰＤＦ => json', 'pdf > json'],
    ['pdf zu markdown', 'pdf > markdown'],
    ['pdf nach markdown', 'pdf > markdown'],
    ['pdf in markdown umwandeln', 'pdf > markdown'],
    ['convertir pdf a markdown', 'pdf > markdown'],
    ['pdf a markdown', 'pdf > markdown'],
    ['convertir word en pdf', 'word > pdf'],
    ['PDFからMarkdownへ', 'pdf > markdown'],
    ['PDFをMarkdownに変換', 'pdf > markdown'],
    ['音声 へ テキスト', '音声 > テキスト'],
    ['将pdf转换为markdown', 'pdf > markdown'],
    ['pdf 转 markdown', 'pdf > markdown'],
    ['语音转文字', '语音 > 文字'],
  ])('of %s is %s', (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  it.each([
    'to',
    'pdf to',
    'to markdown',
    'markdown',
    'how to write tests',
    'connect to postgres',
    'sandbox to run ai generated code',
    'agent to agent protocol',
    'end to end testing',
    'best agent to find flights',
    'chatbot to book flights',
    'build a website',
    'make a video',
    'query a postgres database',
    'top 2 tools',
    'suche nach fehlern',
    'search in slack',
    '消息转发机器人',
    '旋转图片',
    'こんにちは',
    '',
    'to to to',
  ])('is none in %j', (text) => {
    expect(said(text)).toBeNull();
  });

  it('turned around is the other direction', () => {
    const { from, to } = directionOf('pdf to markdown') ?? { from: '', to: '' };

    expect(said(`${to} to ${from}`)).toBe('markdown > pdf');
  });
});

describe('the factor of a listing for a search from markdown to slides', () => {
  const { same, other } = SEARCH_WEIGHTS.direction;
  const factorOf = directionFactor({ from: 'markdown', to: 'slides' });

  it.each([
    ['Turns Markdown into slides.', same],
    ['Markdown files become beautiful slides', same],
    ['Creates slides from Markdown', same],
    ['Turns anything into editable slides', same],
    ['Turns slides into Markdown.', other],
    ['Writes Markdown from slides', other],
    ['Converts Office files into clean Markdown', other],
    ['Converts web pages to Markdown', other],
    ['½½½½½½ pages turned into Markdown', other],
    ['Creates slides from ½½½½½½½½½½ Markdown', same],
    ['Reads Markdown from a folder and turns it into slides', same],
    ['Renders Markdown from your disk to slides', same],
    ['Talk to Markdown', 1],
    ['Grants agents access to Markdown files', 1],
    ['Markdown and its editor', 1],
    ['Slides', 1],
    [`Markdown ${'and so on '.repeat(10)} slides`, 1],
    ['', 1],
  ])('described as %j', (description, factor) => {
    expect(factorOf(['a name', description])).toBe(factor);
  });

  it('follows its name rather than its description', () => {
    expect(factorOf(['slides-to-markdown', 'Turns Markdown into slides'])).toBe(other);
  });
});
