'use strict';
// What the Node.js driver sees at HOST:PORT, line by line.
// Usage: client.js HOST PORT KEYSPACE [USER PASSWORD | CA]
// With CA, a PEM file, it reads one row over TLS, or tells why it does not.

const cassandra = require('cassandra-driver');
const fs = require('node:fs');

const [host, port, keyspace, user, password] = process.argv.slice(2);
const { consistencies, protocolVersion } = cassandra.types;

function say(what, seen) {
  const text = JSON.stringify(seen, (key, value) => (typeof value === 'bigint' ? `${value}` : value));
  console.log(`${what}: ${text}`);
}

async function attempt(what, action) {
  try {
    const result = await action();
    if (result instanceof cassandra.types.ResultSet) {
      say(what, {
        columns: (result.columns || []).map((c) => [c.name, c.type.code]),
        rows: (result.rows || []).map((row) => row.values()),
        warnings: result.info.warnings,
      });
    } else {
      say(what, result);
    }
  } catch (error) {
    say(what, [error.name, error.code, error.message]);
  }
}

function connect(maxVersion, more) {
  return new cassandra.Client({
    contactPoints: [`${host}:${port}`],
    localDataCenter: 'datacenter1',
    protocolOptions: { maxVersion },
    policies: {
      loadBalancing: new cassandra.policies.loadBalancing.AllowListPolicy(
        new cassandra.policies.loadBalancing.DCAwareRoundRobinPolicy('datacenter1'),
        [`${host}:${port}`],
      ),
    },
    queryOptions: { consistency: consistencies.localQuorum },
    socketOptions: { readTimeout: 20000, connectTimeout: 20000 },
    ...more,
  });
}

/** Waits until all nodes have the schema: this client is connected to one of them only. */
async function agree(client) {
  for (let i = 0; i < 200; i++) {
    const versions = new Set();
    for (const table of ['local', 'peers']) {
      const result = await client.execute(`SELECT schema_version FROM system.${table}`);
      result.rows.forEach((row) => versions.add(`${row.schema_version}`));
    }
    if (versions.size === 1) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function schema(client) {
  for (const cql of [
    `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    `CREATE TABLE IF NOT EXISTS ${keyspace}.t (p int, c int, v text, PRIMARY KEY (p, c))`,
    `CREATE TABLE IF NOT EXISTS ${keyspace}.n (k text PRIMARY KEY, n counter)`,
  ]) {
    await attempt('change', () => client.execute(cql));
    await agree(client);
  }
}

async function statements(client) {
  const t = `${keyspace}.t`;
  await attempt('insert', () => client.execute(`INSERT INTO ${t} (p, c, v) VALUES (1, 1, 'a')`));
  await attempt('read', () => client.execute(`SELECT * FROM ${t} WHERE p = 1`));
  await attempt('json', () => client.execute(`SELECT JSON * FROM ${t} WHERE p = 1`));
  const insert = `INSERT INTO ${t} (p, c, v) VALUES (?, ?, ?)`;
  const rows = Array.from({ length: 40 }, (_, c) => [2, c, `row ${c}`]);
  const done = await Promise.all(rows.map((values) => client.execute(insert, values, { prepare: true })));
  say('concurrent', done.length);
  const read = `SELECT c, v FROM ${t} WHERE p = ? AND c > ?`;
  await attempt('prepared', () => client.execute(read, [2, 35], { prepare: true }));
  await attempt('named', () =>
    client.execute(`SELECT c FROM ${t} WHERE p = :p AND c = :c`, { p: 2, c: 3 }, { prepare: true }),
  );
  await attempt('unset', () => client.execute(insert, [1, 5, cassandra.types.unset], { prepare: true }));
  await attempt('lwt', () => client.execute(`INSERT INTO ${t} (p, c) VALUES (1, 1) IF NOT EXISTS`));
}

async function batches(client) {
  const t = `${keyspace}.t`;
  const queries = [
    { query: `INSERT INTO ${t} (p, c, v) VALUES (?, ?, ?)`, params: [3, 1, 'one'] },
    { query: `INSERT INTO ${t} (p, c, v) VALUES (?, ?, ?)`, params: [3, 2, 'two'] },
  ];
  await attempt('logged', () => client.batch(queries, { prepare: true }));
  await attempt('unlogged', () => client.batch(queries, { prepare: true, logged: false }));
  await attempt('counters', () =>
    client.batch([{ query: `UPDATE ${keyspace}.n SET n = n + ? WHERE k = ?`, params: [1, 'a'] }], {
      prepare: true,
      counter: true,
    }),
  );
  await attempt('read', () => client.execute(`SELECT * FROM ${t} WHERE p = 3`));
}

async function pages(client) {
  const query = `SELECT c FROM ${keyspace}.t WHERE p = ?`;
  let state;
  do {
    const page = await client.execute(query, [2], { prepare: true, fetchSize: 11, pageState: state });
    say('page', [page.rows.length, page.rows[0].c, page.pageState !== null]);
    state = page.pageState;
  } while (state);
  let count = 0;
  for await (const row of client.stream(`SELECT * FROM ${keyspace}.t`, [], { prepare: true, autoPage: true, fetchSize: 5 })) {
    count += row.p >= 1 ? 1 : 0;
  }
  say('stream', count);
}

async function errors(client) {
  for (const cql of [
    'SELEC 1',
    `SELECT * FROM ${keyspace}.nothing`,
    `SELECT nothing FROM ${keyspace}.t`,
    `SELECT * FROM ${keyspace}.t WHERE v = 'x'`,
    `CREATE TABLE ${keyspace}.t (k int PRIMARY KEY)`,
  ]) {
    await attempt('error', () => client.execute(cql));
  }
}

async function details(client, version) {
  const query = `SELECT v FROM ${keyspace}.t WHERE p = 2 AND c = 1`;
  const traced = await client.execute(query, [], { traceQuery: true });
  const trace = await client.metadata.getTrace(traced.info.traceId);
  say('trace', [trace.requestType, trace.parameters.query, trace.events.length > 0]);
  if (version >= protocolVersion.v4) {
    const paid = await client.execute(query, [], { customPayload: { k: Buffer.from('v') } });
    say('payload', Object.keys(paid.info.customPayload || {}));
  }
  const table = await client.metadata.getTable(keyspace, 't');
  say('metadata', table.columns.map((c) => c.name).sort());
  say('release', client.hosts.values().filter((h) => h.address === `${host}:${port}`).map((h) => h.cassandraVersion));
}

async function system(client) {
  for (const cql of [
    "SELECT key, cluster_name FROM system.local WHERE key = 'local'",
    "SELECT key FROM system.local WHERE key = 'other'",
    'SELECT count(*) FROM system.local',
    'SELECT JSON key FROM system.local',
    'select "cluster_name", partitioner from "system"."local"',
  ]) {
    await attempt('system', () => client.execute(cql));
    await attempt('system prepared', () => client.execute(cql, [], { prepare: true }));
  }
}

async function events(client) {
  await client.metadata.refreshKeyspaces();
  const known = client.metadata.keyspaces[keyspace] !== undefined;
  await client.execute(`CREATE KEYSPACE ${keyspace}_seen WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
  await agree(client);
  let seen = false;
  for (let i = 0; i < 100 && !seen; i++) {
    seen = client.metadata.keyspaces[`${keyspace}_seen`] !== undefined;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  say('event', [known, seen]);
  await client.execute(`DROP KEYSPACE ${keyspace}_seen`);
  await agree(client);
}

async function main() {
  for (const version of [protocolVersion.v3, protocolVersion.v4, protocolVersion.v5]) {
    const client = connect(version, {});
    await client.connect();
    say('version', client.controlConnection.protocolVersion);
    await schema(client);
    await statements(client);
    await batches(client);
    await pages(client);
    await errors(client);
    await details(client, version);
    await system(client);
    if (version === protocolVersion.v4) {
      await events(client);
    }
    await client.shutdown();
  }
}

async function authenticated() {
  for (const [name, secret] of [[user, password], [user, 'wrong'], ['nobody', 'x']]) {
    const authProvider = new cassandra.auth.PlainTextAuthProvider(name, secret);
    const client = connect(protocolVersion.v4, { authProvider });
    try {
      await client.connect();
      await attempt('role', () => client.execute('SELECT cluster_name FROM system.local'));
    } catch (error) {
      Object.values(error.innerErrors || { error }).forEach((e) => say('refused', [e.name, e.code, e.message]));
    }
    await client.shutdown();
  }
}

async function encrypted() {
  const sslOptions = { ca: [fs.readFileSync(user)], rejectUnauthorized: true };
  const client = connect(protocolVersion.v4, { sslOptions });
  try {
    await client.connect();
    await attempt('read', () => client.execute('SELECT key FROM system.local'));
  } catch (error) {
    Object.values(error.innerErrors || { error }).forEach((e) => say('refused', [e.name, e.code, e.message]));
  }
  await client.shutdown();
}

const asked = password ? authenticated : user ? encrypted : main;
asked().catch((error) => {
  console.log(`failed: ${error.stack}`);
  process.exit(1);
});
