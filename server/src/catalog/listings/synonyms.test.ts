import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { queryWords } from './search-words.ts';
import { isStopWord } from './stop-words.ts';
import { parseSynonyms, readSynonyms, synonymKey, synonymsOf } from './synonyms.ts';

const OWN = fileURLToPath(new URL('../../../synonyms.json', import.meta.url));

/** Abbreviations, and German, Spanish, Chinese and Japanese words, by the English word. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  kubernetes: ['k8s'],
  database: ['db', 'datenbank', 'base de datos', '数据库', 'データベース'],
  javascript: ['js'],
  typescript: ['ts'],
  translation: ['übersetzer', 'übersetzung', 'dolmetscher', 'traductor', 'traducción', '翻译', '翻訳'],
  transcription: ['transkription', 'spracherkennung', 'transcripción', '转录', '语音识别', '文字起こし'],
  summary: ['zusammenfassung', 'resumen', '摘要', '要約'],
  weather: ['wetter', 'wettervorhersage', 'pronóstico del tiempo', '天气预报', '天気予報'],
  flight: ['flug', 'vuelos', '机票', '航空券'],
  recipe: ['rezepte', 'recetas', '菜谱', '料理'],
  calendar: ['kalender', 'termine', 'calendario', '日程', '予定'],
  email: ['correo electrónico', '电子邮件', 'メール'],
  spreadsheet: ['tabelle', 'tabellenkalkulation', 'hojas de cálculo', '表格', '表計算'],
  note: ['notizen', 'apuntes', '笔记', 'ノート'],
  diagram: ['diagramme', 'flussdiagramm', 'diagramas', '流程图', 'フローチャート'],
  'image generation': ['bildgenerierung', 'generar imágenes', '文生图', '画像生成'],
  'video editing': ['videoschnitt', 'editar vídeos', '视频编辑', '動画編集'],
  'browser automation': [
    'browserautomatisierung',
    'automatización del navegador',
    '浏览器自动化',
    'ブラウザ操作',
  ],
  scrape: ['auslesen', 'raspado', '爬虫', 'スクレイピング'],
  memory: ['gedächtnis', 'memoria a largo plazo', '长期记忆', '長期記憶'],
  resume: ['lebenslauf', 'currículum', '简历', '履歴書'],
  job: ['stellenangebote', 'ofertas de empleo', '招聘', '求人'],
  stock: ['aktienkurse', 'bolsa', '股票', '株価'],
  pentest: ['penetrationstest', 'pruebas de penetración', '渗透测试', '侵入テスト'],
  'unit tests': ['komponententests', 'pruebas unitarias', '单元测试', '単体テスト'],
  'smart home': ['hausautomation', 'domótica', '智能家居', 'スマートホーム'],
  law: ['gesetze', 'leyes', '法律', '法令'],
  workout: ['training log', 'fitness'],
  invoice: ['rechnungen', 'facturas', '发票', '請求書'],
  speech: ['sprache', 'voz', '语音', '音声'],
};

describe('synonyms', () => {
  it('replace each other within a group, in both directions, also those of several words', () => {
    const synonyms = parseSynonyms('[["DB", "database", "data base"], ["db", "dumbbell"]]', 'a test');
    const of = (...words: string[]) => synonyms.get(synonymKey(words));

    expect(of('db')).toEqual([['database'], ['data', 'base'], ['dumbbell']]);
    expect(of('database')).toEqual([['db'], ['data', 'base']]);
    expect(of('data', 'base')).toEqual([['db'], ['database']]);
    expect(of('data')).toBeUndefined();
  });

  it('of several words apply in any order', () => {
    const synonyms = parseSynonyms('[["web search", "search engine"]]', 'a test');

    expect(synonyms.get(synonymKey(['search', 'web']))).toEqual([['search', 'engine']]);
  });

  it('of a term are found by it, and do not find it', () => {
    const synonyms = parseSynonyms(
      '[["email", "mail"], { "term": ["email", "web inbox"], "finds": ["gmail", "google mail"] }]',
      'a test',
    );

    expect(synonyms.get(synonymKey(['emails']))).toEqual([['mail'], ['gmail'], ['google', 'mail']]);
    expect(synonyms.get(synonymKey(['web', 'inbox']))).toEqual([['gmail'], ['google', 'mail']]);
    expect(synonyms.get(synonymKey(['gmail']))).toBeUndefined();
  });

  it('apply to words without their accents, unless these have synonyms of their own', () => {
    const text =
      '[["imágenes", "pictures"], ["résumer", "summarize"], ["resume", "cv"], ["zählen", "count"], ["ガ", "カ"]]';
    const synonyms = parseSynonyms(text, 'a test');
    const of = (word: string) => synonymsOf(synonyms, [word]).map((words) => words.join(' '));

    // The word has to be found as it is written, too.
    expect(of('imagenes')).toEqual(['imágenes', 'pictures']);
    expect(of('imágenes')).toEqual(['pictures']);
    expect(of('pictures')).toEqual(['imágenes']);
    expect(of('resume')).toEqual(['cv']);
    expect(of('zahlen')).toEqual(['zählen', 'count']);
    expect(of('カ')).toEqual(['ガ']);
  });

  it('apply to all forms of a word, and have at most eight words', () => {
    const synonyms = parseSynonyms(
      '[["llm", "large language models"], ["fifo", "red green blue black white cyan teal pink mauve"]]',
      'x',
    );

    expect(synonyms.get(synonymKey(['large', 'language', 'model']))).toEqual([['llm']]);
    expect(synonyms.get(synonymKey(['llms']))).toEqual([['large', 'language', 'models']]);
    expect(synonyms.get('fifo')).toEqual([]);
  });

  it('are read from a file with the usual abbreviations, and with words for needs in four languages', async () => {
    const synonyms = readSynonyms(OWN);
    const keyOf = (text: string) => queryWords(text).filter((word) => !isStopWord(word));
    const check = ([english, text]: readonly [string, string]) => {
      const [one, other] = [keyOf(english), keyOf(text)];
      expect(synonyms.get(synonymKey(other))).toContainEqual(one);
      expect(synonyms.get(synonymKey(one))).toContainEqual(other);
    };
    const rows = Object.entries(NEEDS).flatMap(([english, texts]) =>
      texts.map((text) => [english, text] as const),
    );

    await expectEveryRow(rows, ([english, text]) => `${text} for ${english}`, check);
  });

  it('of the file mean the same without their stop words, which a search ignores', () => {
    const entries = JSON.parse(readFileSync(OWN, 'utf8')) as (
      | string[]
      | { term: string | string[]; finds: string[] }
    )[];
    const texts = entries.flatMap((entry) =>
      Array.isArray(entry) ? entry : [entry.term, entry.finds].flat(),
    );
    const shortened = texts.filter((text) => {
      const words = queryWords(text);
      return words.length > 1 && words.filter((word) => !isStopWord(word)).length < 2;
    });

    // "Computer use" would be "computer" alone, and every search for a computer would find desktop automation.
    expect(shortened).toEqual([]);
  });

  it('lead from the name of a product to its field, and not to other products', () => {
    const own = readSynonyms(OWN);
    const others = (word: string) => (own.get(word) ?? []).map((words) => words.join(' '));

    expect(others('hubspot')).toEqual(['crm']);
    expect(others('strava')).toContain('running');
    expect(others('strava')).not.toContain('garmin');
    expect(others('crm')).toEqual(expect.arrayContaining(['hubspot', 'salesforce']));
  });

  it.each([
    ['{', /a test is not valid JSON/],
    ['{}', /a test is not a valid list of synonyms: \/ must be array/],
    ['[["alone"], ["a", "!!!"]]', /\/0 must NOT have fewer than 2 items; \/1\/1 must match pattern/],
    ['["word"]', /\/0 must be array,object/],
    [
      '[{ "term": "email", "find": ["gmail"] }, { "term": "mail", "finds": [] }]',
      /\/0 must have required property 'finds'; \/0 must NOT have additional properties; \/1\/finds must NOT have fewer than 1 items/,
    ],
  ])('are refused with every problem and its position: %s', (text, problem) => {
    expect(() => parseSynonyms(text, 'a test')).toThrow(problem);
  });

  it('report the setting if its file does not exist', () => {
    expect(() => readSynonyms('/no/such/file.json')).toThrow(
      /^SYNONYMS_FILE cannot be read: ENOENT.*\. Set it to an existing file, or unset it to use/,
    );
  });
});
