package io.sluice.ycsb;

import io.sluice.load.WorkloadFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import site.ycsb.Client;

/** The command {@code sluice ycsb}: YCSB's own client with Sluice's binding and workloads. */
public final class YcsbCommand {
  private static final String USAGE =
      """
      Usage: sluice ycsb load|run -P WORKLOAD -p hosts=HOST[,HOST] [YCSB OPTION...]

      Runs YCSB 0.17.0 with the binding io.sluice.ycsb.SluiceClient, on Sluice or on Cassandra:

        sluice ycsb load -P workloads/mix91 -p hosts=127.0.0.1 -threads 32
        sluice ycsb run  -P workloads/mix91 -p hosts=127.0.0.1 -threads 250 -s

      WORKLOAD is a file, or one of a, b, c, g, mix91, mix55, openloop.

        -p port=9042                       CQL port
        -p cassandra.keyspace=ycsb         created by load if it is missing
        -p cassandra.readconsistencylevel=QUORUM, cassandra.writeconsistencylevel=QUORUM
        -p cassandra.username=..., cassandra.password=..., cassandra.useSSL=false
        -p cassandra.readtimeoutmillis=20000, cassandra.coreconnections=1
        -p sluice.scan.mode=token-limit    or token-range, full-table, count
        -p sluice.scan.pagesize=0          rows in a page of a scan; 0 for the driver's default
        -p sluice.protocol=                3, 4 or 5; default: the highest that both sides support
        -p sluice.verify=false             check every answer; set it for load, too
        -p sluice.seed=1                   seed of arrivals, keys and lengths of the open loop
        -p sluice.replicationfactor=1      replication factor of a keyspace that load creates
        -p sluice.datacenter=              local data centre; default: that of the hosts

      -threads N, -target N, -s and -p anything else are YCSB's own.

      Each scan is one SELECT. Without sluice.verify, a row without all its fields is SHORT_READ, and
      missing rows are not noticed. Exit codes: 2 for wrong options or properties, 1 if the hosts
      cannot be reached or refuse the login, or if an answer was wrong (only with sluice.verify).
      """;

  private static final int WRONG_ANSWERS = 1;
  private static final Queue<Path> COPIES = new ConcurrentLinkedQueue<>();

  private YcsbCommand() {}

  /**
   * Runs YCSB, which ends the JVM. Exit codes: 2 wrong usage or settings, 1 no connection or wrong
   * answers.
   */
  public static void main(String[] args) {
    boolean known = args.length > 1 && (args[0].equals("load") || args[0].equals("run"));
    if (!known) {
      boolean asked = args.length > 0 && (args[0].equals("--help") || args[0].equals("-h"));
      (asked ? System.out : System.err).print(USAGE);
      System.exit(asked ? 0 : 2);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(YcsbCommand::atExit, "sluice-exit"));
    Client.main(checked(List.of(args)).toArray(new String[0]));
  }

  /**
   * Removes the copies of workloads. After wrong answers, replaces the exit code of YCSB's client,
   * which is 0 for any answers: only a halt can, and it skips the JVM's own removal of files.
   */
  private static void atExit() {
    for (Path copy : COPIES) {
      try {
        Files.deleteIfExists(copy);
      } catch (IOException e) {
        System.err.println("sluice: cannot remove " + copy + ": " + e.getMessage());
      }
    }
    if (Verification.anyWrong()) {
      System.out.flush();
      System.err.flush();
      Runtime.getRuntime().halt(WRONG_ANSWERS);
    }
  }

  /** Returns the arguments for YCSB's client. Ends the JVM if no thread could start with them. */
  private static List<String> checked(List<String> args) {
    try {
      List<String> forYcsb = forYcsb(args, YcsbCommand::file);
      StartCheck.run(YcsbProperties.of(forYcsb));
      return forYcsb;
    } catch (UncheckedIOException | IllegalArgumentException e) {
      throw end(2, e);
    } catch (StartCheck.Refused e) {
      throw end(e.exitCode(), e);
    }
  }

  private static IllegalStateException end(int exitCode, Exception reason) {
    System.err.println("sluice: " + reason.getMessage());
    System.exit(exitCode);
    return new IllegalStateException(reason);
  }

  /** Finds the file of a workload by name. */
  interface Workloads {
    String file(String name);
  }

  /** Returns the arguments for YCSB's client. */
  static List<String> forYcsb(List<String> args, Workloads workloads) {
    List<String> out = new ArrayList<>();
    out.add(args.get(0).equals("load") ? "-load" : "-t");
    out.add("-db");
    out.add(SluiceClient.class.getName());
    for (int i = 1; i < args.size(); i++) {
      out.add(args.get(i - 1).equals("-P") ? workloads.file(args.get(i)) : args.get(i));
    }
    return out;
  }

  private static String file(String name) {
    try {
      if (Files.isRegularFile(Path.of(name))) {
        return name;
      }
      Properties workload = WorkloadFiles.read(name);
      Path copy = Files.createTempFile("sluice-workload-", ".properties");
      COPIES.add(copy);
      try (Writer out = Files.newBufferedWriter(copy, StandardCharsets.UTF_8)) {
        workload.store(out, null);
      }
      return copy.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
