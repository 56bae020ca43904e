package io.sluice.server;

import io.sluice.command.OneLineErrors;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.server.tool.Tools;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.Security;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * The commands of the host: {@code server}, {@code check}, {@code top}, {@code reload}, {@code
 * explain}, {@code advise} and {@code fleet}.
 */
@Command(
    name = "sluice",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = SluiceServer.Versions.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "A CQL proxy that keeps Cassandra's point reads fast while range scans run.",
      ""
    })
public final class SluiceServer {

  private static final String RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

  /** How many seconds the JVM caches the addresses of a name; 30 by default. */
  private static final String DNS_CACHE = "networkaddress.cache.ttl";

  private static final String DNS_CACHE_FALLBACK = "sun.net.inetaddr.ttl";

  /** One of how many buffers Netty observes for leaks, with a stack trace each; 128 by default. */
  private static final String LEAK_SAMPLING = "io.netty.leakDetection.samplingInterval";

  private SluiceServer() {}

  /**
   * Runs one command and ends the JVM.
   *
   * @param arguments the command and its arguments; exit codes: 0 success, 1 failure, 2 invalid
   *     command line
   */
  public static void main(String[] arguments) {
    // With TLS 1.2, a client could otherwise cause unlimited handshakes.
    setUnlessGiven(RENEGOTIATION, "true");
    // With Netty's default, the stack traces take 2 % of the processor time of forwarded reads.
    setUnlessGiven(LEAK_SAMPLING, "4096");
    // Names of other proxies and of nodes are looked up often, so the JVM's cache must be short.
    if (Security.getProperty(DNS_CACHE) == null && System.getProperty(DNS_CACHE_FALLBACK) == null) {
      Security.setProperty(DNS_CACHE, "5");
    }
    Thread.setDefaultUncaughtExceptionHandler(new Uncaught(Runtime.getRuntime()::halt));
    System.exit(commandLine(RunningProxy::start).execute(arguments));
  }

  private static void setUnlessGiven(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Returns the command line, for man pages and completion. Its commands cannot run. */
  public static CommandLine documentation() {
    return commandLine(
        (config, registry, waiting, view, tracer) -> {
          throw new UnsupportedOperationException("for documentation only");
        });
  }

  static CommandLine commandLine(RunningProxy.Starter starter) {
    CommandLine commands =
        new CommandLine(new SluiceServer())
            .addSubcommand(new ServeCommand(starter))
            .addSubcommand(new CheckCommand());
    Tools.commands().forEach(commands::addSubcommand);
    commands.setExecutionStrategy(SluiceServer::runAndFlush);
    return OneLineErrors.on(commands)
        .setExecutionExceptionHandler((thrown, command, parsed) -> failed(thrown, command));
  }

  /**
   * Flushes the output: picocli's writer flushes only at line ends, and the JVM ends without a
   * flush.
   */
  private static int runAndFlush(CommandLine.ParseResult parsed) {
    try {
      return new CommandLine.RunLast().execute(parsed);
    } finally {
      parsed.asCommandLineList().forEach(command -> command.getOut().flush());
    }
  }

  private static int failed(Exception thrown, CommandLine command) throws Exception {
    PrintWriter err = command.getErr();
    if (thrown instanceof InvalidSettings invalid) {
      err.println(invalid.getMessage() + " in the configuration:");
      invalid.descriptions().forEach(fault -> err.println("  " + fault));
    } else if (thrown instanceof IOException) {
      err.println("sluice: " + thrown.getMessage());
    } else {
      throw thrown;
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  static final class Versions implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"Sluice " + Resources.version()};
    }
  }
}
