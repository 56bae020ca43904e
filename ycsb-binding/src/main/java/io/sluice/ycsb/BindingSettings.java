package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import io.sluice.load.Endpoint;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The properties of the binding. Those without {@code sluice.} are those of YCSB's own binding.
 *
 * @param endpoint the target and its driver settings
 * @param keyspace the keyspace
 * @param replicas replication factor of a keyspace that the load phase creates
 * @param reads consistency level of reads and scans
 * @param writes consistency level of writes
 * @param tracing whether every request is traced
 * @param mode CQL form of scans
 * @param pageSize rows in a page of a scan; 0 for the driver's default
 * @param verify whether rows are written with a checksum and every answer is checked
 * @param loading whether this is YCSB's load phase
 * @param fields number of fields of a whole row
 * @param keys the loaded keys
 * @param mayGrow whether the workload adds rows while it runs
 */
record BindingSettings(
    Endpoint endpoint,
    String keyspace,
    int replicas,
    ConsistencyLevel reads,
    ConsistencyLevel writes,
    boolean tracing,
    ScanMode mode,
    int pageSize,
    boolean verify,
    boolean loading,
    int fields,
    LoadedKeys keys,
    boolean mayGrow) {

  /**
   * Reads the properties. Throws an {@link IllegalArgumentException} that names the first invalid
   * one.
   */
  static BindingSettings of(Properties given) {
    Source from = new Source(given);
    long records = from.number("recordcount", 0, 0, Long.MAX_VALUE);
    long first = from.number("insertstart", 0, 0, Long.MAX_VALUE);
    return new BindingSettings(
        endpoint(from),
        from.text("cassandra.keyspace", "ycsb"),
        (int) from.number("sluice.replicationfactor", 1, 1, 100),
        consistency(from, "cassandra.readconsistencylevel"),
        consistency(from, "cassandra.writeconsistencylevel"),
        from.flag("cassandra.tracing", false),
        mode(from),
        (int) from.number("sluice.scan.pagesize", 0, 0, 1_000_000),
        from.flag("sluice.verify", false),
        !from.flag("dotransactions", true),
        (int) from.number("fieldcount", 10, 1, 10_000),
        new LoadedKeys(
            first,
            from.number("insertcount", records - first, 0, Long.MAX_VALUE),
            (int) from.number("zeropadding", 1, 1, 100),
            !from.text("insertorder", "hashed").equals("hashed")),
        !from.text("insertproportion", "0").matches("0(\\.0*)?"));
  }

  private static Endpoint endpoint(Source from) {
    int port = (int) from.number("port", 9042, 1, 65_535);
    List<InetSocketAddress> hosts =
        Arrays.stream(from.required("hosts").split(","))
            .map(host -> address(host.strip(), port))
            .toList();
    String user = from.optional("cassandra.username");
    return new Endpoint(
        hosts,
        from.optional("sluice.datacenter"),
        protocol(from),
        user == null ? null : new Endpoint.Login(user, from.required("cassandra.password")),
        from.flag("cassandra.useSSL", false),
        Duration.ofMillis(from.number("cassandra.readtimeoutmillis", 20_000, 1, 3_600_000)),
        (int) from.number("cassandra.coreconnections", 1, 1, 1000),
        4096);
  }

  private static InetSocketAddress address(String host, int port) {
    int colon = host.lastIndexOf(':');
    boolean own = colon >= 0 && colon == host.indexOf(':');
    String name = own ? host.substring(0, colon) : host;
    String number = own ? host.substring(colon + 1) : Integer.toString(port);
    if (name.isEmpty() || !number.matches("[0-9]{1,5}") || !isPort(Integer.parseInt(number))) {
      throw new IllegalArgumentException("hosts: '" + host + "' is not HOST or HOST:PORT");
    }
    return new InetSocketAddress(name, Integer.parseInt(number));
  }

  private static boolean isPort(int number) {
    return number >= 1 && number <= 65_535;
  }

  private static @Nullable String protocol(Source from) {
    String version = from.optional("sluice.protocol");
    if (version == null) {
      return null;
    }
    String name = version.toUpperCase(Locale.ROOT);
    String full = name.startsWith("V") ? name : "V" + name;
    if (Arrays.stream(DefaultProtocolVersion.values()).noneMatch(v -> v.name().equals(full))) {
      throw new IllegalArgumentException("sluice.protocol: '" + version + "' is not 3, 4 or 5");
    }
    return full;
  }

  private static ConsistencyLevel consistency(Source from, String property) {
    String level = from.text(property, "QUORUM");
    try {
      return DefaultConsistencyLevel.valueOf(level.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          property + ": '" + level + "' is not a consistency level", e);
    }
  }

  private static ScanMode mode(Source from) {
    String mode = from.text("sluice.scan.mode", ScanMode.TOKEN_LIMIT.property());
    return ScanMode.of(mode)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "sluice.scan.mode: '" + mode + "' is none of " + ScanMode.all()));
  }

  /** Looks up properties one by one. */
  private record Source(Properties given) {
    @Nullable String optional(String name) {
      String value = given.getProperty(name);
      return value == null || value.isBlank() ? null : value.strip();
    }

    String text(String name, String otherwise) {
      String value = optional(name);
      return value == null ? otherwise : value;
    }

    String required(String name) {
      String value = optional(name);
      if (value == null) {
        throw new IllegalArgumentException(name + ": missing; give it as -p " + name + "=...");
      }
      return value;
    }

    boolean flag(String name, boolean otherwise) {
      String value = text(name, Boolean.toString(otherwise)).toLowerCase(Locale.ROOT);
      if (!value.equals("true") && !value.equals("false")) {
        throw new IllegalArgumentException(name + ": '" + value + "' is not true or false");
      }
      return value.equals("true");
    }

    long number(String name, long otherwise, long min, long max) {
      String value = text(name, Long.toString(otherwise));
      if (!value.matches("-?[0-9]{1,18}")
          || Long.parseLong(value) < min
          || Long.parseLong(value) > max) {
        throw new IllegalArgumentException(
            name + ": '" + value + "' is not a number from " + min + " to " + max);
      }
      return Long.parseLong(value);
    }
  }
}
