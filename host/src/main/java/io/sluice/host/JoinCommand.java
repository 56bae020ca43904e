package io.sluice.host;

import io.sluice.host.join.JmxPort;
import io.sluice.host.join.Join;
import io.sluice.host.join.Join.WriteBack;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command {@code host join}. */
@Command(
    name = "join",
    description = {
      "Lets dirty pages stay in memory longer while a node joins. Restores the settings when the"
          + " node is NORMAL, at Ctrl-C and at SIGTERM, and if its mode cannot be read for ten"
          + " minutes.",
      "After kill -9, the next 'apply', 'join' or 'undo' restores them."
    },
    mixinStandardHelpOptions = true)
final class JoinCommand implements Callable<Integer> {
  private static final long MINUTES_OF_YEAR = 525_600;

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();
  @Mixin private Choices choices = new Choices();

  @ArgGroup(multiplicity = "1")
  private Node node = new Node();

  /** The options that name a node. */
  static final class Node {
    @Option(names = "--pid", paramLabel = "PID", description = "process id of the node")
    private @Nullable Long pid;

    @Option(
        names = "--service",
        paramLabel = "NAME",
        description = "systemd unit that runs the node, now or later")
    private @Nullable String service;
  }

  @ArgGroup(exclusive = false)
  private @Nullable Jmx jmx;

  /** The options for the port of a node's JMX. */
  static final class Jmx {
    @Option(
        names = "--jmx",
        required = true,
        paramLabel = "HOST:PORT",
        description = "JMX address of the node (default: attach to its JVM)")
    private String address = "";

    @ArgGroup(exclusive = false)
    private @Nullable Login login;

    @Option(names = "--jmx-tls", description = "use TLS for --jmx; --jmx-trust implies it")
    private boolean tls;

    @Option(
        names = "--jmx-trust",
        paramLabel = "FILE",
        description =
            "PEM file with the authorities that may issue the certificate of --jmx (default: those"
                + " that the JVM trusts)")
    private @Nullable Path trust;

    JmxPort port() throws IOException {
      Login given = login;
      return new JmxPort(
          address,
          given == null ? null : new JmxPort.Login(given.user, firstLine(given.passwordFile)),
          trust == null
              ? (tls ? new JmxPort.Tls(List.of()) : null)
              : new JmxPort.Tls(certificates(trust)));
    }
  }

  /** The options for the login at a port. */
  static final class Login {
    @Option(
        names = "--jmx-user",
        required = true,
        paramLabel = "NAME",
        description = "user for --jmx, if it asks for a login")
    private String user = "";

    @Option(
        names = "--jmx-password-file",
        required = true,
        paramLabel = "FILE",
        description = "file whose first line is the password of --jmx-user")
    private Path passwordFile = Path.of("");
  }

  @Option(
      names = "--dirty-background-ratio",
      paramLabel = "PERCENT",
      description =
          "percent of free memory and page cache that may be dirty before the kernel writes"
              + " (default: ${DEFAULT-VALUE})")
  private int background = 40;

  @Option(
      names = "--dirty-ratio",
      paramLabel = "PERCENT",
      description = "percent at which writers must wait (default: ${DEFAULT-VALUE})")
  private int ratio = 60;

  @Option(
      names = "--expire-seconds",
      paramLabel = "S",
      description = "age at which the kernel writes a page (default: ${DEFAULT-VALUE})")
  private int expire = 120;

  @Option(
      names = "--interval-seconds",
      paramLabel = "S",
      description = "interval at which the kernel looks for such pages (default: ${DEFAULT-VALUE})")
  private int interval = 5;

  @Option(
      names = "--limit-minutes",
      paramLabel = "M",
      description = "restore the settings after this time in any case (default: ${DEFAULT-VALUE})")
  private long limitMinutes = 1440;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (limitMinutes < 1 || limitMinutes > MINUTES_OF_YEAR) {
      throw new IllegalArgumentException("--limit-minutes must be 1 to " + MINUTES_OF_YEAR);
    }
    JmxPort port = jmx == null ? null : jmx.port();
    PrintWriter out = command.commandLine().getOut();
    boolean joined =
        new Join(place.tree(), out::println)
            .run(
                new Join.Target(node.pid, node.service, port),
                new WriteBack(background, ratio, expire, interval),
                choices.namesScheduler() ? choices.options() : null,
                60_000 * limitMinutes);
    return joined ? 0 : 1;
  }

  private static String firstLine(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      String line = reader.readLine();
      if (line == null || line.isEmpty()) {
        throw new IllegalArgumentException("--jmx-password-file: no first line in " + file);
      }
      return line;
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("--jmx-password-file: there is no file " + file, e);
    }
  }

  private static List<? extends Certificate> certificates(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      List<? extends Certificate> all =
          List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
      if (all.isEmpty()) {
        throw new IllegalArgumentException("--jmx-trust: no certificate in " + file);
      }
      return all;
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("--jmx-trust: there is no file " + file, e);
    } catch (CertificateException e) {
      throw new IllegalArgumentException("--jmx-trust: no certificate in " + file, e);
    }
  }
}
