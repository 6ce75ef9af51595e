// Runs PostGraphile 5 on the directory's own tables, in a separate process. The parent process sends the database URL and
// gets the origin of the server.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

// PostGraphile 5 requires Node 22 only for this function. Polyfill it, because the benchmark also runs on Node 20.
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

async function serve({ databaseUrl, sessions }) {
  const service = makePgService({
    connectionString: databaseUrl,
    schemas: ['public'],
    poolConfig: { max: sessions },
  });
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [service],
    grafserv: { graphiql: false, websockets: false, watch: false },
  });
  const server = createServer();
  await instance.createServ(grafserv).addTo(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}` };
}

process.once('message', (order) => {
  serve(order).then(
    (answer) => process.send(answer),
    (error) => process.send({ error: error.stack }),
  );
});
