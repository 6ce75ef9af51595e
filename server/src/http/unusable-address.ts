/** An address that the server was told to listen on. */
interface ListeningAddress {
  readonly host: string;
  readonly port: number;
}

/** What an operator can do about each system error. `HOST` and `PORT` stand for the names of the two variables. */
const ADVICE: Readonly<Record<string, (address: ListeningAddress) => string>> = {
  EADDRINUSE: () => 'Stop what listens there, or set PORT to another',
  EADDRNOTAVAIL: () =>
    'Set HOST to an address of this machine, such as 127.0.0.1 (only from here) or 0.0.0.0 (all of its addresses)',
  ENOTFOUND: () => 'Set HOST to an address of this machine, or to a name that it can look up',
  EAI_AGAIN: () => 'Set HOST to an address of this machine, or to a name that it can look up',
  EACCES: ({ port }) =>
    `Set PORT to 1024 or above, or give the user that starts the server the right to listen on ${port}`,
};

/**
 * Explains why the server cannot listen and what to do: `unusableAddress(error, config)`, or with the prefix of the variables that
 * name the address, such as `METRICS_`.
 */
export function unusableAddress(error: NodeJS.ErrnoException, address: ListeningAddress, prefix = ''): Error {
  const { host, port } = address;
  const [HOST, PORT] = [`${prefix}HOST`, `${prefix}PORT`];
  const advice = ADVICE[error.code ?? '']?.(address).replace(/\b(HOST|PORT)\b/, `${prefix}$1`);
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} of ${host} is in use. ${advice}.`);
  const reason = `${HOST} ${host}, ${PORT} ${port} cannot be listened on: ${error.message}.`;
  return new Error(advice === undefined ? reason : `${reason} ${advice}.`);
}
