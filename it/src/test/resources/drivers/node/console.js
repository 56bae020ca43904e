'use strict';
// The console through the Node.js driver at HOST:PORT, line by line.
// Usage: console.js HOST PORT KEYSPACE TABLE...
// It reads these tables of system_proxy, changes a setting and changes it back, and ends scans of KEYSPACE.t.

const cassandra = require('cassandra-driver');

const [host, port, keyspace, ...tables] = process.argv.slice(2);
const setting = 'scheduling.mode';
const valueOf = 'SELECT value FROM system_proxy.settings WHERE key = ';

function say(what, seen) {
  console.log(`${what}: ${seen}`);
}

function names(result) {
  return result.columns.map((column) => column.name).join();
}

async function read(client) {
  for (const table of tables) {
    const cql = `SELECT * FROM system_proxy.${table}`;
    const simple = await client.execute(cql);
    const prepared = await client.execute(cql, [], { prepare: true });
    const paged = await client.execute(cql, [], { fetchSize: 2 });
    const same = names(simple) === names(prepared) && names(simple) === names(paged);
    say(table, same ? simple.columns.length : 'not the same columns');
  }
  const nodes = [];
  const query = 'SELECT node FROM system_proxy.queues';
  for await (const row of client.stream(query, [], { prepare: true, autoPage: true, fetchSize: 3 })) {
    nodes.push(row.node);
  }
  const whole = (await client.execute(query)).rows.map((row) => row.node);
  say('pages', nodes.join() === whole.join());
}

async function conditions(client) {
  const ranges = await client.execute("SELECT class FROM system_proxy.queues WHERE class = 'range'");
  say('where', [...new Set(ranges.rows.map((row) => row.class))].sort());
  say('bound', (await client.execute(`${valueOf}?`, [setting], { prepare: true })).first().value);
  const json = `SELECT JSON key, value FROM system_proxy.settings WHERE key = '${setting}'`;
  say('json', (await client.execute(json)).first().values()[0]);
}

async function change(client) {
  const update = 'UPDATE system_proxy.settings SET value = ? WHERE key = ?';
  await client.execute(update, ['observe', setting], { prepare: true });
  say('changed', (await client.execute(`${valueOf}'${setting}'`)).first().value);
  await client.execute(`DELETE FROM system_proxy.settings WHERE key = '${setting}'`);
  say('changed back', (await client.execute(`${valueOf}'${setting}'`)).first().value);
}

/** Returns the error of scans that were ended; the first ones may be over before. */
async function ended(client) {
  for (let i = 0; i < 20; i++) {
    const scans = Array.from({ length: 64 }, () => client.execute(`SELECT * FROM ${keyspace}.t`));
    const settled = Promise.allSettled(scans);
    await client.execute(`DELETE FROM system_proxy.requests WHERE keyspace_name = '${keyspace}'`);
    const failed = (await settled).find((each) => each.status === 'rejected');
    if (failed) {
      return failed.reason.message;
    }
  }
  return 'no scan';
}

async function main() {
  const client = new cassandra.Client({
    contactPoints: [`${host}:${port}`],
    localDataCenter: 'datacenter1',
    policies: {
      loadBalancing: new cassandra.policies.loadBalancing.AllowListPolicy(
        new cassandra.policies.loadBalancing.DCAwareRoundRobinPolicy('datacenter1'),
        [`${host}:${port}`],
      ),
    },
    socketOptions: { readTimeout: 20000, connectTimeout: 20000 },
  });
  await client.connect();
  await read(client);
  await conditions(client);
  await change(client);
  say('ended', await ended(client));
  await client.shutdown();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
