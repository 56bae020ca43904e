package io.sluice.cluster;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * The addresses, ports and folders of a node.
 *
 * @param index its number, from 0
 * @param host the loopback address at which it listens
 * @param port its native port
 * @param storagePort its storage port
 * @param tokens its initial tokens
 * @param joins whether it joins a running ring and streams data before it serves
 * @param dir its data, configuration and log
 */
record NodePlan(
    int index,
    String host,
    int port,
    int storagePort,
    List<String> tokens,
    boolean joins,
    Path dir) {

  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  Path log() {
    return dir.resolve("system.log");
  }

  Path rackdc() {
    return dir.resolve("cassandra-rackdc.properties");
  }

  Path jvmArgs() {
    return dir.resolve("jvm.args");
  }

  String name() {
    return "node " + (index + 1) + " (" + host + ":" + port + ")";
  }
}
