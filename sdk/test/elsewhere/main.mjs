/** Runs the program in Deno or Bun, with a base URL and a key as arguments, and prints its result. */
import { program } from './program.mjs';

const [baseUrl, apiKey] = globalThis.Deno?.args ?? process.argv.slice(2);
console.log(JSON.stringify(await program(baseUrl, apiKey)));
