/**
 * The hint that the proxy may send a node with a range read, and its way through the node.
 *
 * <p><b>Format.</b> The proxy adds one entry to the custom payload of a QUERY or EXECUTE request
 * (native protocol v4 and newer): key {@code sluice}, value 7 bytes, big endian:
 *
 * <pre>
 *   byte   format, 1
 *   u16    width: how many replicas' ranges the whole read is sent to, 1..65535;
 *          0 where the proxy leaves that to the coordinator, whose own concurrency then stands for it
 *   u32    rows that the whole read may still need, its remaining work
 * </pre>
 *
 * Longer values are read up to the seventh byte; another format, or a shorter value, is no hint.
 * Any client can send the payload, so it says nothing about point reads and never takes a range
 * read out of the range lane: it can only change the order among range reads, within their age
 * limit. The coordinator hands the same bytes on to other replicas as the internode custom
 * parameter {@code sluice}, which nodes without the agent carry along unread.
 */
package io.sluice.agent.hint;
