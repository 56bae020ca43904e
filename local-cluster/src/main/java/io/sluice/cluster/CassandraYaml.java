package io.sluice.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The cassandra.yaml of a local node. Everything that a local node does not need to change is as in
 * stock Cassandra.
 */
final class CassandraYaml {
  private CassandraYaml() {}

  /** Returns the text of the file. Values are in flow style, which is valid YAML. */
  static String of(ClusterSpec spec, NodePlan node, String seeds) {
    Map<String, Object> options = new LinkedHashMap<>();
    place(options, spec, node, seeds);
    directories(options, node);
    behaviour(options, spec);
    options.putAll(spec.config().yaml());
    StringBuilder text = new StringBuilder();
    options.forEach((key, value) -> text.append(key).append(": ").append(flow(value)).append('\n'));
    return text.toString();
  }

  /** Returns the text of the file from which GossipingPropertyFileSnitch reads a node's place. */
  static String rackdc(ClusterSpec spec, NodePlan node) {
    return "dc=" + spec.datacenter(node.index()) + "\nrack=rack1\n";
  }

  private static void place(
      Map<String, Object> options, ClusterSpec spec, NodePlan node, String seeds) {
    options.put("cluster_name", "sluice local");
    options.put("partitioner", spec.topology().partitioner().className());
    options.put("num_tokens", spec.topology().vnodes());
    options.put("initial_token", String.join(",", node.tokens()));
    options.put("auto_bootstrap", node.joins());
    options.put(
        "endpoint_snitch",
        spec.topology().datacenters() == 1 ? "SimpleSnitch" : "GossipingPropertyFileSnitch");
    options.put("listen_address", node.host());
    options.put("rpc_address", node.host());
    options.put("storage_port", node.storagePort());
    options.put("native_transport_port", node.port());
    options.put(
        "seed_provider",
        List.of(
            Map.of(
                "class_name",
                "org.apache.cassandra.locator.SimpleSeedProvider",
                "parameters",
                List.of(Map.of("seeds", seeds)))));
  }

  private static void directories(Map<String, Object> options, NodePlan node) {
    options.put("data_file_directories", List.of(node.dir().resolve("data").toString()));
    options.put("commitlog_directory", node.dir().resolve("commitlog").toString());
    options.put("saved_caches_directory", node.dir().resolve("saved_caches").toString());
    options.put("hints_directory", node.dir().resolve("hints").toString());
    options.put("cdc_raw_directory", node.dir().resolve("cdc_raw").toString());
  }

  private static void behaviour(Map<String, Object> options, ClusterSpec spec) {
    options.put("commitlog_sync", "periodic");
    options.put("concurrent_reads", spec.config().concurrentReads());
    if (spec.cassandra().startsWith("4.0")) {
      options.put("commitlog_sync_period_in_ms", 10_000);
      options.put("enable_materialized_views", true);
      options.put("enable_user_defined_functions", true);
    } else {
      options.put("commitlog_sync_period", "10000ms");
      options.put("materialized_views_enabled", true);
      options.put("user_defined_functions_enabled", true);
    }
    if (spec.config().auth()) {
      options.put("authenticator", "PasswordAuthenticator");
      options.put("authorizer", "CassandraAuthorizer");
      options.put("role_manager", "CassandraRoleManager");
    }
  }

  private static String flow(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(e -> flow(String.valueOf(e.getKey())) + ": " + flow(e.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(CassandraYaml::flow).collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    return "'" + value.toString().replace("'", "''") + "'";
  }
}
