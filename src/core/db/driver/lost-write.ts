/**
 * Fault: postgres.js 3.4.9 writes to a socket that is gone, on a tick of its own, where no code can catch the
 *   TypeError. Steps: restart PostgreSQL under load. The process ends; it should fail the statements of that connection
 *   as lost.
 * Link: porsager/postgres#1066, porsager/postgres#1154, porsager/postgres#1208.
 * Gain: a restart of PostgreSQL does not end the process.
 * Delete it when nextWrite() of postgres.js checks that its socket is there.
 */
export const isLostWrite = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.message.includes("'write'") &&
  /postgres[/\\].*connection\.js/.test(error.stack ?? '')
