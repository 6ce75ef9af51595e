import { program } from './program.mjs';

/** Edge worker that runs the program for each request and responds with the program's output. */
export default {
  async fetch(_request, { BASE_URL, API_KEY }) {
    const seen = await program(BASE_URL, API_KEY).catch((error) => ({ failed: String(error.stack) }));
    return Response.json(seen);
  },
};
