"""What the Python driver sees at HOST:PORT, line by line.

Usage: client.py HOST PORT KEYSPACE [USER PASSWORD | CA]

With CA, a PEM file, it reads one row over TLS, or tells why it does not.
"""

import ssl
import sys
import threading
import time

from cassandra import ConsistencyLevel
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.policies import WhiteListRoundRobinPolicy
from cassandra.query import (
    BatchStatement,
    BatchType,
    SimpleStatement,
    dict_factory,
    tuple_factory,
)

HOST, PORT, KEYSPACE = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def say(what, seen):
    print(f"{what}: {seen}", flush=True)


def attempt(what, action):
    try:
        result = action()
        if hasattr(result, "column_names"):
            say(what, (result.column_names, [tuple(row) for row in result]))
        else:
            say(what, result)
    except Exception as error:  # the error is what is compared
        code = getattr(error, "error_code", "")
        say(what, f"{type(error).__name__} {code} {error}")


def connect(version, compression, **more):
    profile = ExecutionProfile(
        load_balancing_policy=WhiteListRoundRobinPolicy([HOST]),
        consistency_level=ConsistencyLevel.LOCAL_QUORUM,
        row_factory=tuple_factory,
        request_timeout=20,
    )
    return Cluster(
        [HOST],
        port=PORT,
        protocol_version=version,
        compression=compression,
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        connect_timeout=20,
        control_connection_timeout=20,
        **more,
    )


def agree(session):
    """Waits until all nodes have the schema: this session is connected to one of them only."""
    for _ in range(200):
        versions = {
            str(row[0])
            for table in ("system.local", "system.peers_v2")
            for row in session.execute(f"SELECT schema_version FROM {table}")
        }
        if len(versions) == 1:
            return
        time.sleep(0.05)


def change(session, what, cql):
    attempt(what, lambda: session.execute(cql))
    agree(session)


def schema(session):
    change(
        session,
        "keyspace",
        f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} WITH replication ="
        " {'class': 'SimpleStrategy', 'replication_factor': 1}",
    )
    change(
        session,
        "table",
        f"CREATE TABLE IF NOT EXISTS {KEYSPACE}.t"
        " (p int, c int, v text, l list<text>, m map<text, int>, PRIMARY KEY (p, c))",
    )
    change(
        session, "counters", f"CREATE TABLE IF NOT EXISTS {KEYSPACE}.n (k text PRIMARY KEY, n counter)"
    )


def statements(session):
    attempt("use", lambda: session.set_keyspace(KEYSPACE))
    attempt("insert", lambda: session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, 'a')"))
    attempt(
        "values",
        lambda: session.execute(
            "INSERT INTO t (p, c, v, l, m) VALUES (%s, %s, %s, %s, %s)",
            (1, 2, "it's", ["x", "y"], {"a": 1}),
        ),
    )
    attempt("read", lambda: session.execute("SELECT * FROM t WHERE p = 1"))
    attempt("json", lambda: session.execute("SELECT JSON p, c, v FROM t WHERE p = 1"))
    insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)")
    say("variables", [column.name for column in insert.column_metadata])
    say("routing key", insert.routing_key_indexes)
    outcomes = execute_concurrent_with_args(
        session, insert, [(2, c, f"row {c}") for c in range(50)], concurrency=20
    )
    say("concurrent", sum(1 for ok, _ in outcomes if ok))
    read = session.prepare("SELECT c, v FROM t WHERE p = ? AND c > ?")
    attempt("prepared", lambda: session.execute(read, (2, 45)))
    attempt("key missing", lambda: session.execute(read, (None, 1)))
    attempt("if not exists", lambda: session.execute("INSERT INTO t (p, c) VALUES (1, 1) IF NOT EXISTS"))
    attempt("count", lambda: session.execute("SELECT count(*) FROM t WHERE p = 2"))


def batches(session):
    insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)")
    for kind in (BatchType.LOGGED, BatchType.UNLOGGED):
        batch = BatchStatement(kind)
        batch.add(insert, (3, 1, "one"))
        batch.add(SimpleStatement("INSERT INTO t (p, c, v) VALUES (3, 2, %s)"), ("two",))
        attempt(f"batch {kind}", lambda b=batch: session.execute(b))
    count = session.prepare("UPDATE n SET n = n + ? WHERE k = ?")
    batch = BatchStatement(BatchType.COUNTER)
    batch.add(count, (1, "a"))
    batch.add(count, (2, "a"))
    attempt("counters", lambda: session.execute(batch))
    attempt("read", lambda: session.execute("SELECT * FROM t WHERE p = 3"))
    attempt("counter", lambda: session.execute("SELECT n > 0 FROM n"))


def pages(session):
    statement = SimpleStatement("SELECT c, v FROM t WHERE p = 2", fetch_size=13)
    result = session.execute(statement)
    while True:
        say("page", (len(result.current_rows), result.has_more_pages, result.current_rows[0]))
        state = result.paging_state
        if not result.has_more_pages:
            break
        result = session.execute(statement, paging_state=state)
    attempt("all", lambda: len(list(session.execute(SimpleStatement("SELECT * FROM t", fetch_size=7)))))


def errors(session):
    for cql in (
        "SELEC 1",
        "SELECT * FROM nothing",
        "SELECT nothing FROM t",
        "SELECT * FROM t WHERE v = 'x'",
        f"CREATE TABLE {KEYSPACE}.t (k int PRIMARY KEY)",
        "INSERT INTO t (p) VALUES (1)",
    ):
        attempt("error", lambda c=cql: session.execute(c))


def tracing_and_payload(session, version):
    future = session.execute_async("SELECT v FROM t WHERE p = 2 AND c = 1", trace=True)
    future.result()
    trace = future.get_query_trace(max_wait=10)
    say("trace", (trace.request_type, trace.parameters.get("query"), len(trace.events) > 0))
    if version >= 4:
        future = session.execute_async("SELECT v FROM t WHERE p = 2 AND c = 1", custom_payload={"k": b"v"})
        future.result()
        say("payload", future.custom_payload)
    aggregate = session.execute_async("SELECT sum(c) FROM t")
    aggregate.result()
    say("warnings", aggregate.warnings)


def metadata(cluster, session):
    say("cluster", cluster.metadata.cluster_name)
    say("partitioner", cluster.metadata.partitioner)
    say("here", [h.release_version for h in cluster.metadata.all_hosts() if h.endpoint.port == PORT][:1])
    keyspace = cluster.metadata.keyspaces[KEYSPACE]
    say("tables", sorted(keyspace.tables))
    say("table", keyspace.tables["t"].as_cql_query())
    session.row_factory = dict_factory
    session.row_factory = tuple_factory


def events(cluster, session):
    seen = threading.Event()
    connection = cluster.control_connection._connection
    connection.register_watchers({"SCHEMA_CHANGE": lambda event: event.get("table") == "watched" and seen.set()})
    session.execute(f"CREATE TABLE {KEYSPACE}.watched (k int PRIMARY KEY)")
    agree(session)
    say("event", seen.wait(10))
    say("known", "watched" in cluster.metadata.keyspaces[KEYSPACE].tables)
    session.execute(f"DROP TABLE {KEYSPACE}.watched")
    agree(session)


def main():
    for version, compression in ((3, False), (4, "lz4"), (5, False), (5, "lz4")):
        say("version", (version, compression))
        cluster = connect(version, compression)
        try:
            session = cluster.connect()
            schema(session)
            statements(session)
            batches(session)
            pages(session)
            errors(session)
            tracing_and_payload(session, version)
            metadata(cluster, session)
            if version == 4:
                events(cluster, session)
        finally:
            cluster.shutdown()
    cluster = Cluster([HOST], port=PORT, connect_timeout=20)
    cluster.connect()
    say("negotiated", cluster.protocol_version)
    cluster.shutdown()


def authenticated():
    user, password = sys.argv[4], sys.argv[5]

    def role(name, secret):
        return connect(5, False, auth_provider=PlainTextAuthProvider(name, secret))

    for name, secret in ((user, password), (user, "wrong"), ("nobody", "x")):
        cluster = role(name, secret)
        try:
            session = cluster.connect()
            attempt("role", lambda: session.execute("SELECT cluster_name FROM system.local"))
        except Exception as error:
            for cause in getattr(error, "errors", {}).values():
                say("refused", f"{type(cause).__name__} {cause}")
        finally:
            cluster.shutdown()


def encrypted():
    context = ssl.create_default_context(cafile=sys.argv[4])
    cluster = connect(5, False, ssl_context=context)
    try:
        session = cluster.connect()
        attempt("read", lambda: session.execute("SELECT key FROM system.local"))
    except Exception as error:
        say("refused", error)
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    {4: main, 5: encrypted, 6: authenticated}[len(sys.argv)]()
