#!/bin/bash
# Writes cassandra.yaml from the environment variables of the official image, then replaces itself
# with Cassandra. Any other command is run unchanged.
set -euo pipefail
[ "${1:-cassandra}" = cassandra ] || exec "$@"

own=$(hostname -i | cut -d ' ' -f 1)
listen=${CASSANDRA_LISTEN_ADDRESS:-auto}
[ "$listen" != auto ] || listen=$own
broadcast=${CASSANDRA_BROADCAST_ADDRESS:-$listen}
data=/var/lib/cassandra
heap=${MAX_HEAP_SIZE:-512M}

cat >/etc/cassandra/cassandra.yaml <<END
cluster_name: '${CASSANDRA_CLUSTER_NAME:-Test Cluster}'
num_tokens: ${CASSANDRA_NUM_TOKENS:-16}
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: ${CASSANDRA_ENDPOINT_SNITCH:-SimpleSnitch}
listen_address: $listen
broadcast_address: $broadcast
rpc_address: ${CASSANDRA_RPC_ADDRESS:-0.0.0.0}
broadcast_rpc_address: ${CASSANDRA_BROADCAST_RPC_ADDRESS:-$broadcast}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: '${CASSANDRA_SEEDS:-$broadcast}'
commitlog_sync: periodic
commitlog_sync_period: 10000ms
data_file_directories: ['$data/data']
commitlog_directory: $data/commitlog
saved_caches_directory: $data/saved_caches
hints_directory: $data/hints
cdc_raw_directory: $data/cdc_raw
END
printf 'dc=%s\nrack=%s\n' "${CASSANDRA_DC:-datacenter1}" "${CASSANDRA_RACK:-rack1}" \
  >/etc/cassandra/cassandra-rackdc.properties

jamm=(/opt/cassandra/lib/jamm-*.jar)
# Splits the options at blanks; quotes in them have no effect.
# shellcheck disable=SC2086
exec java "-javaagent:${jamm[0]}" "-Xms$heap" "-Xmx$heap" ${HEAP_NEWSIZE:+"-Xmn$HEAP_NEWSIZE"} \
  @/opt/cassandra/conf/jvm17-server.options \
  -Djava.security.manager=allow \
  -Dcassandra.config=file:///etc/cassandra/cassandra.yaml \
  -Dlogback.configurationFile=/opt/cassandra/conf/logback.xml \
  -Dcassandra.storagedir=$data -Dcassandra.logdir=$data -Dcassandra-foreground=yes \
  -Dcassandra.jmx.local.port=7199 \
  ${JVM_AGENT_OPTS:-} ${JVM_OPTS:-} ${JVM_EXTRA_OPTS:-} \
  -cp '/etc/cassandra:/opt/cassandra/lib/*' org.apache.cassandra.service.CassandraDaemon
