"""Reads one row at HOST:PORT over TLS with the C++ driver, or tells why it does not.

Usage: client.py HOST PORT CA
"""

import asyncio
import sys

import acsylla

HOST, PORT, CA = sys.argv[1], int(sys.argv[2]), sys.argv[3]


async def main():
    with open(CA, encoding="ascii") as file:
        authority = file.read()
    cluster = acsylla.create_cluster(
        HOST,
        port=PORT,
        ssl_enabled=True,
        ssl_trusted_cert=authority,
        log_level="disabled",
    )
    try:
        session = await cluster.create_session()
        result = await session.query("SELECT key FROM system.local")
        print("read:", result.first().key)
        await session.close()
    except Exception as error:  # the error is what is told
        print(f"refused: {type(error).__name__} {error}")


asyncio.run(main())
