// Collects the examples of how each endpoint is called with the SDK, from the SDK's doc comments: `node sdk-examples.mjs
// TARGET`. An `@example` documents a method, and the code of the method contains the endpoint that it calls.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';

const SOURCES = new URL('../../sdk/src/resources/', import.meta.url);
const { paths } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));

function descendants(node) {
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child, ...descendants(child)));
  return children;
}

/** Returns the code of every `@example` of a method, in order. */
function examplesOf(method) {
  const examples = ts.getJSDocTags(method).filter(({ tagName }) => tagName.text === 'example');
  return examples.map((tag) =>
    tag
      .getText()
      .replace(/^@example\s*/, '')
      .replaceAll(/^ *\* ?/gm, '')
      .trim(),
  );
}

/** Returns the string constants of a file by name, without the id in the query of some paths. */
function constantsOf(source) {
  const textOf = ({ initializer }) =>
    initializer && ts.isAsExpression(initializer) ? initializer.expression : initializer;
  const constants = descendants(source).filter(
    (node) => ts.isVariableDeclaration(node) && node.initializer && ts.isStringLiteral(textOf(node)),
  );
  return Object.fromEntries(
    constants.map((node) => [node.name.getText(), textOf(node).text.replace(/&.*/, '')]),
  );
}

/** Finds the functions that implement an interface for a client: those whose first parameter is `call`. */
function bindingsOf(source) {
  const functions = descendants(source).filter(
    (node) => ts.isArrowFunction(node) || ts.isFunctionDeclaration(node),
  );
  return functions.filter(({ parameters, type }) => parameters[0]?.name.getText() === 'call' && type);
}

/**
 * Finds the endpoint that a method calls: in the code of the method itself, or the only one that all methods of the
 * function share. Returns undefined if the contract no longer has it, because the SDK's types are generated later.
 */
function operationOf(binding, method, constants) {
  const isCall = (node) => ts.isCallExpression(node) && node.expression.getText() === 'call';
  const property = descendants(binding).find(
    (node) => ts.isPropertyAssignment(node) && node.name.getText() === method && node.initializer.parameters,
  );
  const own = property ? descendants(property).filter(isCall) : [];
  const calls = own.length > 0 ? own : descendants(binding).filter(isCall);
  if (calls.length !== 1)
    throw new Error(`${binding.type.getText()}.${method} calls ${calls.length} endpoints`);
  const [verb, path] = calls[0].arguments.map((part) => constants[part.getText()] ?? part.text);
  return paths[path]?.[verb]?.operationId;
}

/** Lists every method of a file that calls an endpoint, with its examples. */
function methodsOf(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(new URL(file, SOURCES), 'utf8'),
    ts.ScriptTarget.ES2023,
    true,
  );
  const constants = constantsOf(source);
  const interfaces = new Map(
    source.statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node]),
  );
  return bindingsOf(source).flatMap((binding) => {
    const methods = interfaces.get(binding.type.getText())?.members.filter(ts.isMethodSignature) ?? [];
    return methods.map((method) => ({
      operationId: operationOf(binding, method.name.getText(), constants),
      examples: examplesOf(method),
    }));
  });
}

const files = readdirSync(SOURCES).filter((file) => /^[a-z-]+\.ts$/.test(file));
const methods = files.sort().flatMap(methodsOf);
const operationIds = Object.values(paths).flatMap((item) =>
  Object.values(item).flatMap(({ operationId }) => operationId ?? []),
);
const examples = operationIds.map((operationId) => [
  operationId,
  methods.filter((method) => method.operationId === operationId).flatMap((method) => method.examples),
]);

const target = process.argv[2];
mkdirSync(dirname(target), { recursive: true });
writeFileSync(
  target,
  `// Generated from openapi.yaml and the SDK by generate/sdk-examples.mjs. Don't edit it.

/** Calls of each endpoint with the SDK's \`client\`, as its documentation shows them. */
export const SDK_EXAMPLES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(examples), null, 2)};
`,
);
