/** Deno and Bun: runs the program with the two arguments and prints what it saw. */
import { program } from './program.mjs';

const [baseUrl, apiKey] = globalThis.Deno?.args ?? process.argv.slice(2);
console.log(JSON.stringify(await program(baseUrl, apiKey)));
