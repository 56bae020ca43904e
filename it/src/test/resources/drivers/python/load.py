"""A load of idempotent requests and scans through several proxies, until the input ends.

Usage: load.py ROWS KEYSPACE HOST:PORT...

KEYSPACE.t has the keys from 0 to ROWS. The driver repeats requests by its default policy.
"""

import sys
import threading
import time

from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.connection import DefaultEndPoint
from cassandra.policies import RoundRobinPolicy
from cassandra.query import SimpleStatement, tuple_factory

ROWS, KEYSPACE = int(sys.argv[1]), sys.argv[2]
PROXIES = [proxy.split(":") for proxy in sys.argv[3:]]
CLIENTS = 4
PAGES = (97, 1000)

# The pauses leave cores to proxies that start.
PAUSE_OF_CLIENT, PAUSE_OF_SCANNER = 0.005, 0.1

ending = threading.Event()
lock = threading.Lock()
counts = {"requests": 0, "scans": 0}
errors = []


def count(what):
    with lock:
        counts[what] += 1


def repeat(pause, action):
    n = 0
    while not ending.is_set():
        n += 1
        try:
            action(n)
        except Exception as error:  # each is reported
            said = f"{time.strftime('%H:%M:%S')} {type(error).__name__} {error}"[:200]
            print(said, file=sys.stderr, flush=True)
            with lock:
                errors.append(said)
        ending.wait(pause)


def client(session, read, write, number):
    def action(n):
        key = (n * 31 + number) % ROWS
        if n % 4 == 0:
            session.execute(write, (key, f"row {key}"))
        elif session.execute(read, (key,)).one()[0] != f"row {key}":
            raise AssertionError(f"another row than that of {key}")
        count("requests")

    repeat(PAUSE_OF_CLIENT, action)


def scanner(session, size):
    scan = SimpleStatement(f"SELECT k FROM {KEYSPACE}.t", fetch_size=size, is_idempotent=True)

    def action(_):
        keys = [row[0] for row in session.execute(scan)]
        if sorted(keys) != list(range(ROWS)):
            raise AssertionError(f"{len(keys)} rows, {len(set(keys))} of them different")
        count("scans")

    repeat(PAUSE_OF_SCANNER, action)


def main():
    profile = ExecutionProfile(
        load_balancing_policy=RoundRobinPolicy(), row_factory=tuple_factory, request_timeout=20
    )
    cluster = Cluster(
        [DefaultEndPoint(host, int(port)) for host, port in PROXIES],
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        connect_timeout=20,
    )
    session = cluster.connect()
    read = session.prepare(f"SELECT v FROM {KEYSPACE}.t WHERE k = ?")
    write = session.prepare(f"INSERT INTO {KEYSPACE}.t (k, v) VALUES (?, ?)")
    read.is_idempotent = write.is_idempotent = True
    threads = [
        threading.Thread(target=client, args=(session, read, write, number))
        for number in range(CLIENTS)
    ]
    threads += [threading.Thread(target=scanner, args=(session, size)) for size in PAGES]
    for thread in threads:
        thread.start()
    print("ready", flush=True)
    sys.stdin.read()
    ending.set()
    for thread in threads:
        thread.join()
    print(f"requests: {counts['requests']}")
    print(f"scans: {counts['scans']}")
    for error in errors:
        print(f"error: {error}")
    cluster.shutdown()


main()
