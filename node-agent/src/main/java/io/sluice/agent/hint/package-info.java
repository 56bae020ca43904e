/**
 * The hint that the proxy may send a node with a range read, and its path through the node.
 *
 * <p><b>Format.</b> The proxy adds one entry to the custom payload of a QUERY or EXECUTE request
 * (native protocol v4 and newer): key {@code sluice}, value 7 bytes, big endian:
 *
 * <pre>
 *   byte   format, 1
 *   u16    width: number of replicas' ranges that the whole read covers, 1..65535;
 *          0 if the proxy leaves it to the coordinator, which then uses its own concurrency
 *   u32    rows that the whole read may still need: its remaining work
 * </pre>
 *
 * Longer values are read up to the seventh byte. Another format or a shorter value is not a hint.
 * Any client can send the payload, so it does not affect point reads and never gives a range read
 * another priority. It can only change the order of range reads, within their age limit. The
 * coordinator forwards the same bytes to other replicas as the internode custom parameter {@code
 * sluice}, which nodes without the agent ignore.
 */
package io.sluice.agent.hint;
