"""The console through the Python driver at HOST:PORT, line by line.

Usage: console.py HOST PORT KEYSPACE TABLE...

It reads these tables of system_proxy, changes a setting and changes it back, and ends scans of KEYSPACE.t.
"""

import sys

from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import WhiteListRoundRobinPolicy
from cassandra.query import SimpleStatement, tuple_factory

HOST, PORT, KEYSPACE, TABLES = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
SETTING = "scheduling.mode"
VALUE = "SELECT value FROM system_proxy.settings WHERE key = "


def say(what, seen):
    print(f"{what}: {seen}", flush=True)


def tables(session):
    for table in TABLES:
        cql = f"SELECT * FROM system_proxy.{table}"
        simple = session.execute(cql)
        prepared = session.execute(session.prepare(cql))
        paged = session.execute(SimpleStatement(cql, fetch_size=2))
        list(paged)
        same = simple.column_names == prepared.column_names == paged.column_names
        say(table, len(simple.column_names) if same else "not the same columns")
    paged = session.execute(SimpleStatement("SELECT node FROM system_proxy.queues", fetch_size=3))
    whole = session.execute("SELECT node FROM system_proxy.queues")
    say("pages", list(paged) == list(whole) and paged.has_more_pages is False)


def conditions(session):
    rows = session.execute("SELECT class FROM system_proxy.queues WHERE class = 'range'")
    say("where", sorted({row[0] for row in rows}))
    bound = session.prepare(VALUE + "?")
    say("bound", session.execute(bound, (SETTING,)).one()[0])
    json = f"SELECT JSON key, value FROM system_proxy.settings WHERE key = '{SETTING}'"
    say("json", session.execute(json).one()[0])


def setting(session):
    change = session.prepare("UPDATE system_proxy.settings SET value = ? WHERE key = ?")
    session.execute(change, ("observe", SETTING))
    say("changed", session.execute(f"{VALUE}'{SETTING}'").one()[0])
    session.execute(f"DELETE FROM system_proxy.settings WHERE key = '{SETTING}'")
    say("changed back", session.execute(f"{VALUE}'{SETTING}'").one()[0])


def ended(session):
    """Returns the error of scans that were ended; the first ones may be over before."""
    for _ in range(20):
        scans = [session.execute_async(f"SELECT * FROM {KEYSPACE}.t") for _ in range(64)]
        session.execute(f"DELETE FROM system_proxy.requests WHERE keyspace_name = '{KEYSPACE}'")
        for scan in scans:
            try:
                scan.result()
            except Exception as error:  # the error is what is shown
                return error
    return "no scan"


def main():
    profile = ExecutionProfile(
        load_balancing_policy=WhiteListRoundRobinPolicy([HOST]),
        row_factory=tuple_factory,
        request_timeout=20,
    )
    cluster = Cluster(
        [HOST], port=PORT, execution_profiles={EXEC_PROFILE_DEFAULT: profile}, connect_timeout=20
    )
    session = cluster.connect()
    tables(session)
    conditions(session)
    setting(session)
    say("ended", ended(session))
    cluster.shutdown()


main()
