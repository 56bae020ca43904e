package io.sluice.agent;

import io.sluice.agent.hook.AgentLog;
import io.sluice.agent.hook.JoinHook;
import io.sluice.agent.hook.PinHook;
import io.sluice.agent.hook.StageHook;
import io.sluice.agent.host.Libc;
import io.sluice.agent.pin.PinSettings;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the agent. In any doubt it logs one line with the reason and leaves the node
 * unchanged. It never keeps a node from starting.
 */
public final class SluiceAgent {
  /**
   * The system property that switches the agent off, whatever its arguments are: {@code
   * -Dsluice.agent.enabled=false}.
   */
  static final String ENABLED_PROPERTY = "sluice.agent.enabled";

  private SluiceAgent() {}

  /** Installs the agent. The JVM calls this before Cassandra's main method. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      String refusal = install(AgentArguments.parse(arguments), instrumentation);
      if (refusal != null) {
        AgentLog.warn(refusal + "; this node runs as without the agent", null);
      }
    } catch (Throwable e) {
      AgentLog.warn("cannot start; this node runs as without the agent", e);
    }
  }

  /** Installs the hooks, or returns why not. */
  private static @Nullable String install(AgentArguments arguments, Instrumentation instrumentation)
      throws IOException {
    if (!arguments.faults().isEmpty()) {
      return String.join("; ", arguments.faults());
    }
    if (!arguments.enabled()
        || System.getProperty(ENABLED_PROPERTY, "true").trim().equalsIgnoreCase("false")) {
      return "the agent is switched off";
    }
    String version = CassandraVersion.onClassPath();
    if (version == null) {
      return "there is no Cassandra on the class path";
    }
    String line = CassandraVersion.knownLine(version);
    if (line == null) {
      return "the agent does not support Cassandra " + version;
    }
    if (line.equals("4.0")) {
      OpenPackages.ofConcurrentTasks(instrumentation);
    }
    StageHook.prepare(
        new StageHook.Settings(
            arguments.ageLimitMillis(), arguments.nativeTransport(), arguments.hints()));
    PinSettings pin = arguments.pin();
    if (pin != null) {
      PinHook.prepare(pin);
    }
    if (arguments.join()) {
      JoinHook.prepare();
    }
    instrumentation.addTransformer(new ClassHooks(hooks(arguments)));
    if (arguments.merge()) {
      allowMerging();
    }
    return null;
  }

  /**
   * Allows the kernel to merge pages. If the kernel cannot, the rest of the agent works without.
   */
  private static void allowMerging() {
    try {
      Libc.load().allowMerging();
      AgentLog.info("the kernel may merge equal pages of this process (KSM)");
    } catch (IOException | RuntimeException | LinkageError e) {
      AgentLog.warn("equal pages of this process are not merged: " + e.getMessage(), null);
    }
  }

  private static List<ClassHook> hooks(AgentArguments arguments) {
    List<ClassHook> hooks = new ArrayList<>();
    hooks.add(new StageClassHook());
    if (arguments.hints()) {
      hooks.add(new RequestClassHook());
      hooks.add(new RangeClassHook());
      hooks.add(new MessageClassHook());
    }
    if (arguments.pin() != null) {
      hooks.add(new TrackerClassHook());
      hooks.add(new DeletionClassHook());
    }
    if (arguments.join()) {
      hooks.add(new ReceiverClassHook());
      hooks.add(new IncomingFileClassHook());
      hooks.add(new LogClassHook());
      hooks.add(WholeFileClassHook.ofLists());
      hooks.add(WholeFileClassHook.ofChecksums());
      hooks.add(new WriterClassHook());
      hooks.add(new SyncClassHook());
      hooks.add(new OutputClassHook());
      hooks.add(new CompactionClassHook());
    }
    return hooks;
  }
}
