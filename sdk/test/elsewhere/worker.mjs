import { program } from './program.mjs';

/** An edge worker: each request runs the program and is answered with what it saw. */
export default {
  async fetch(_request, { BASE_URL, API_KEY }) {
    const seen = await program(BASE_URL, API_KEY).catch((error) => ({ failed: String(error.stack) }));
    return Response.json(seen);
  },
};
