/**
 * Lets a child process of a test run our TypeScript as it is: `node --import <this file> main.ts`. Tests of whole
 * processes then never run yesterday's build.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import typescript from 'typescript';

// Node loads this file twice: as the --import that registers it, and on the thread of the hooks.
if (isMainThread) register(import.meta.url);

/** Node's hook: turns a .ts or .tsx file into JavaScript, types dropped unchecked. */
export async function load(url, context, nextLoad) {
  if (!/\.tsx?$/.test(url)) return nextLoad(url, context);
  const fileName = fileURLToPath(url);
  const { outputText } = typescript.transpileModule(await readFile(fileName, 'utf8'), {
    fileName,
    compilerOptions: {
      target: typescript.ScriptTarget.ES2023,
      module: typescript.ModuleKind.ESNext,
      jsx: typescript.JsxEmit.ReactJSX,
      jsxImportSource: 'preact',
      inlineSourceMap: true,
    },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
