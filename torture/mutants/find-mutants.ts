import typescript from 'typescript';
import type { Mutant } from './mutant.ts';
import { isSql, sqlChanges } from './sql-mutants.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
};

type Found = Omit<Mutant, 'file' | 'line'>;

/**
 * Finds the mutants of a file: changed conditions, comparisons, arithmetic, booleans and statements of its code, and
 * changes of its SQL.
 */
export function findMutants(file: string, text: string): Mutant[] {
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.ES2023, true);
  const found: Found[] = [];
  const visit = (node: typescript.Node) => {
    found.push(...ofCode(node, source), ...ofText(node, source));
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found
    .filter(({ start, end, replacement }) => text.slice(start, end) !== replacement)
    .map((mutant) => ({
      file,
      line: source.getLineAndCharacterOfPosition(mutant.start).line + 1,
      ...mutant,
    }));
}

function swap(node: typescript.Node, source: typescript.SourceFile, replacement: string): Found {
  const [start, end] = [node.getStart(source), node.getEnd()];
  const before = source.text.slice(start, end).replace(/\s+/g, ' ').slice(0, 80);
  return { start, end, replacement, change: `${before} → ${replacement.slice(0, 80) || '(nothing)'}` };
}

function ofCode(node: typescript.Node, source: typescript.SourceFile): Found[] {
  if (typescript.isBinaryExpression(node)) {
    const other = OPERATORS[node.operatorToken.getText(source)];
    return other ? [swap(node.operatorToken, source, other)] : [];
  }
  if (typescript.isIfStatement(node)) return [negated(node.expression, source)];
  if (typescript.isConditionalExpression(node)) return [negated(node.condition, source)];
  if (typescript.isPrefixUnaryExpression(node) && node.operator === typescript.SyntaxKind.ExclamationToken)
    return [swap(node, source, node.operand.getText(source))];
  if (typescript.isThrowStatement(node)) return [swap(node, source, ';')];
  if (typescript.isExpressionStatement(node)) return [swap(node, source, ';')];
  if (node.kind === typescript.SyntaxKind.TrueKeyword) return [swap(node, source, 'false')];
  if (node.kind === typescript.SyntaxKind.FalseKeyword) return [swap(node, source, 'true')];
  return [];
}

function negated(condition: typescript.Expression, source: typescript.SourceFile): Found {
  return swap(condition, source, `!(${condition.getText(source)})`);
}

/** Finds the mutants of SQL text. Each piece of a template string is mutated separately, so `${…}` is never changed. */
function ofText(node: typescript.Node, source: typescript.SourceFile): Found[] {
  if (
    !typescript.isLiteralExpression(node) &&
    !typescript.isTemplateMiddleOrTemplateTail(node) &&
    !typescript.isTemplateHead(node)
  )
    return [];
  const start = node.getStart(source);
  const text = source.text.slice(start, node.getEnd());
  if (!isSql(text)) return [];
  return sqlChanges(text).map(({ at, length, replacement }) => {
    const inside = text.slice(at, at + length).replace(/[`'"]$|\$\{$/, '');
    return {
      start: start + at,
      end: start + at + inside.length,
      replacement,
      change: `${inside.replace(/\s+/g, ' ').trim().slice(0, 100)} → ${replacement.trim() || '(nothing)'}`,
    };
  });
}
