import ts from 'typescript';

/** Doc comment that breaks a rule, with its line in the file. */
export interface CommentBreach {
  line: number;
  comment: string;
  rule: string;
}

/** Lists the doc comments of a file that break a rule. The extension of `path` decides how `text` is parsed. */
export function breachesOfDocComments(path: string, text: string): CommentBreach[] {
  return docCommentsIn(path, text).flatMap((comment) => {
    const broken = RULES.find(({ breaks }) => breaks(comment));
    return broken ? [{ line: comment.line, comment: comment.text, rule: broken.rule }] : [];
  });
}

/** Text of a doc comment, with the name and the kind of what it documents. */
interface DocComment {
  line: number;
  text: string;
  /** First paragraph of the text. */
  opening: string;
  name: string;
  isFunction: boolean;
}

/** Matches first words of an incomplete sentence: question words, pronouns, conjunctions, prepositions, participles. */
const OPENS_IN_MID_THOUGHT = new RegExp(
  `^(${[
    'What|Whatever|Where|Wherever|When|Whenever|Which|Whichever|Who|Whoever|Whom|Whose|Why|How|Whether',
    'It|Its|He|She|They|Them|Their|That|This|These|Those|Such|The same|Same',
    'And|Or|But|Nor|Not|So|As|Than|Then|Thus|If|While|Because|Since|Though|Although|Until|Unless|Once',
    'Of|For|From|To|With|Without|Through|Beside|Besides|Beyond|Between|Among|Out|In place',
    'In|At|By|On|After|Before|Above|Below',
    'Only|Also|Even|Else|Otherwise|Instead|Too|Likewise|Like|Always|Never|Still|Neither|Enough|Very|Long|Longer|Absent',
    'Somebody|Someone|Something|Anybody|Anyone|Anything|Nobody|Nothing|Everybody|Everyone|Everything',
    'Told|Said|Made|Done|Given|Left|Brought|Meant',
    'May|Can|Could|Would|Should|Is|Are|Was|Were|Has|Have|Had',
  ].join('|')})\\b(?!-)`,
);
/** Matches the beginning of a sentence: a capital letter, a number, code or a quotation. */
const OPENS_SENTENCE = /^[\p{Lu}\d`"'“]/u;
/** Matches a verb in the third person, rather than "Rows of …". */
const OPENS_WITH_VERB = /^[A-Z][a-z]*(-[a-z]+)*s(?=[\s:,])(?! (of|whose)\b)/;
/** Matches plural nouns that end like such a verb. */
const PLURAL_NOUN =
  /^(Accounts|Agents|Arguments|Artifacts|Attributes|Bodies|Bytes|Children|Clients|Columns|Conditions|Connections|Creators|Dependencies|Entries|Errors|Examples|Facts|Failures|Fields|Figures|Files|Generators|Headers|Ids|Items|Keys|Keywords|Lines|Listings|Members|Milliseconds|Minutes|Options|Pages|Parameters|Parents|Parts|Paths|Properties|Reasons|Relations|Repositories|Results|Rows|Seconds|Skills|Statements|Subjects|Texts|Values|Words)\b/;
/** Matches old-fashioned words; each has a common replacement ("has", "anyone who", "exactly", "certainly"). */
export const OLD_FASHIONED =
  /\b(bears|borne|whoever|whomever|thereof|therein|thereby|whereby|none but|(?:this|that) very|hence|albeit|lest|whilst|amongst|hereby|naught)\b/i;
/** Matches vague words, which words such as "a caller" or "certainly" replace. */
const VAGUE = /\b(surely|somebody|anybody)\b/i;
const LEAST_WORDS = 4;

const RULES: readonly { rule: string; breaks(comment: DocComment): boolean }[] = [
  {
    rule: 'begin with what it does or is',
    breaks: ({ text }) => OPENS_IN_MID_THOUGHT.test(text) || !OPENS_SENTENCE.test(text),
  },
  {
    rule: 'begin with a verb in the third person ("Returns", "Creates"), as it is a function',
    breaks: ({ text, isFunction }) => isFunction && (!OPENS_WITH_VERB.test(text) || PLURAL_NOUN.test(text)),
  },
  { rule: 'end the sentence with a full stop', breaks: ({ opening }) => !/\.[)"]?$/.test(opening) },
  { rule: `write at least ${LEAST_WORDS} words`, breaks: ({ text }) => wordsOf(text).length < LEAST_WORDS },
  { rule: 'say more than the name', breaks: repeatsName },
  {
    rule: 'use words of today',
    breaks: ({ text }) => [OLD_FASHIONED, VAGUE].some((words) => words.test(text.replace(/`[^`]*`/g, ''))),
  },
];

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));
}

/** Checks whether a text consists of the words of a name and articles, such as "Reads the open runs." of `readOpenRuns`. */
function repeatsName({ text, name }: DocComment): boolean {
  const stem = (word: string) => word.toLowerCase().replace(/[^\p{L}\d]|s$/gu, '');
  const said = wordsOf(text.replace(/\.$/, '')).map(stem);
  const named = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_]+/);
  const content = said.filter((word) => !['a', 'an', 'the'].includes(word));
  return content.join(' ') === named.map(stem).join(' ');
}

const PARSING = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** Finds the doc comments of a file. Leaves out text inside strings, and comments that contain only tags. */
function docCommentsIn(path: string, text: string): DocComment[] {
  if (!text.includes('/**')) return [];
  const file = ts.createSourceFile(path, text, PARSING);
  const documented = new Map<number, ts.Node>();
  const starts = new Set<number>();
  const literals: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateLiteralToken(node) ||
      ts.isRegularExpressionLiteral(node)
    )
      literals.push(node);
    // A node and its first child start with the same comments.
    if (!ts.isSourceFile(node) && !starts.has(node.pos)) {
      starts.add(node.pos);
      for (const { pos } of ts.getLeadingCommentRanges(text, node.pos) ?? [])
        if (!documented.has(pos)) documented.set(pos, node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...text.matchAll(/\/\*\*(?!\/)([\s\S]*?)\*\//g)]
    .filter(({ index }) => !literals.some((node) => node.getStart(file) <= index && index < node.end))
    .map(({ index, 1: content = '' }) => {
      const paragraphs = paragraphsOf(content);
      return {
        line: file.getLineAndCharacterOfPosition(index).line + 1,
        text: paragraphs.join(' '),
        opening: paragraphs[0] ?? '',
        ...subjectOf(documented.get(index), file),
      };
    })
    .filter(({ text: content }) => content !== '');
}

/** Splits a comment into paragraphs, without stars, a leading `@internal` and the tags that follow the text. */
function paragraphsOf(comment: string): string[] {
  return comment
    .replace(/^[ \t]*\*[ \t]?/gm, '')
    .trim()
    .replace(/^@internal\s+/, '')
    .replace(/(^|\n)\s*@\w[\s\S]*$/, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}

/** Returns the name of a documented node, and whether it is a function with a body. */
function subjectOf(node: ts.Node | undefined, file: ts.SourceFile): { name: string; isFunction: boolean } {
  if (node === undefined) return { name: '', isFunction: false };
  const [declaration] = ts.isVariableStatement(node) ? node.declarationList.declarations : [];
  const { name } = (declaration ?? node) as { name?: ts.Node };
  const value = declaration?.initializer ?? node;
  const isFunction =
    ts.isFunctionDeclaration(value) ||
    ts.isMethodDeclaration(value) ||
    ts.isArrowFunction(value) ||
    ts.isFunctionExpression(value);
  return { name: name?.getText(file) ?? '', isFunction };
}
