package io.sluice.agent.classify;

import io.sluice.agent.hint.CurrentHint;
import io.sluice.agent.hint.Hint;
import io.sluice.agent.queue.Priority;
import io.sluice.agent.queue.TaskClass;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Classifies the tasks of the read stage, in Cassandra 4.0 to 6.0. Safe for any thread. */
public final class ReadTasks extends WrappedTasks {
  private static final String LOCAL_READ =
      "org.apache.cassandra.service.StorageProxy$LocalReadRunnable";
  private static final String SMALL_MESSAGE =
      "org.apache.cassandra.net.InboundMessageHandler$ProcessSmallMessage";
  private static final String LARGE_MESSAGE =
      "org.apache.cassandra.net.InboundMessageHandler$ProcessLargeMessage";

  /** The start of the names of classes that load a saved cache when the node starts. */
  private static final String CACHE_LOAD = "org.apache.cassandra.service.CacheService$";

  private static final String ADDRESSES = "org.apache.cassandra.utils.FBUtilities";

  private final ReadCommands commands = new ReadCommands();
  private final Deadlines deadlines = new Deadlines();
  private final ClassValue<Accessor> command = Accessor.ofField("command");
  private final ClassValue<Accessor> message = Accessor.ofField("message");
  private final ClassValue<Accessor> header = Accessor.ofField("header");
  private final ClassValue<Accessor> headerOf = Accessor.ofMethod("header");
  private final ClassValue<Accessor> payload = Accessor.ofField("payload");
  private final ClassValue<Accessor> from = Accessor.ofField("from");
  private final ClassValue<Accessor> verb = Accessor.ofField("verb");
  private final ClassValue<Accessor> customParams = Accessor.ofMethod("customParams");

  private final boolean hints;
  private volatile @Nullable Object ownAddress;

  /**
   * Creates a classifier.
   *
   * @param hints whether hints about range reads are used
   */
  public ReadTasks(boolean hints) {
    this.hints = hints;
  }

  @Override
  @Nullable Step known(Class<?> type) {
    switch (type.getName()) {
      case LOCAL_READ:
        return (task, deeper) -> localRead(task);
      case SMALL_MESSAGE:
        return (task, deeper) -> smallMessage(task);
      case LARGE_MESSAGE:
        return (task, deeper) -> largeMessage(task);
      default:
        return type.getName().startsWith(CACHE_LOAD) ? (task, deeper) -> cacheLoad() : null;
    }
  }

  /** Classifies the read of one cell or partition, for which the start of the node waits. */
  private static TaskClass cacheLoad() {
    return TaskClass.point(Priority.LOCAL_POINT, TaskClass.NO_DEADLINE);
  }

  private @Nullable TaskClass localRead(Object task) throws ReflectiveOperationException {
    Object read = command.get(task.getClass()).of(task);
    Hint hint = hints ? CurrentHint.get() : null;
    return commands.classify(read, true, deadlines.ofLocalRead(task), hint);
  }

  private @Nullable TaskClass smallMessage(Object task) throws ReflectiveOperationException {
    Object received = message.get(task.getClass()).of(task);
    Object head = header.get(received.getClass()).of(received);
    Object read = payload.get(received.getClass()).of(received);
    return commands.classify(read, isFromHere(head), deadlines.ofHeader(head), hintIn(head));
  }

  /**
   * Classifies a large message by its verb: Cassandra does not decode its payload before it runs.
   */
  private @Nullable TaskClass largeMessage(Object task) throws ReflectiveOperationException {
    Object head = headerOf.get(task.getClass()).of(task);
    long deadline = deadlines.ofHeader(head);
    switch (verb.get(head.getClass()).of(head).toString()) {
      case "READ_REQ":
        return TaskClass.point(
            isFromHere(head) ? Priority.LOCAL_POINT : Priority.REMOTE_POINT, deadline);
      case "RANGE_REQ":
        return ReadCommands.undecodedRange(deadline, hintIn(head));
      default:
        return null;
    }
  }

  private @Nullable Hint hintIn(Object head) throws ReflectiveOperationException {
    if (!hints) {
      return null;
    }
    Accessor parameters = customParams.get(head.getClass());
    return parameters.exists() ? Hint.in((Map<?, ?>) parameters.orNull(head)) : null;
  }

  private boolean isFromHere(Object head) throws ReflectiveOperationException {
    return from.get(head.getClass()).of(head).equals(ownAddress(head));
  }

  /**
   * Returns the node's own address. Reads it once, at the first message, when the address is final.
   */
  private Object ownAddress(Object head) throws ReflectiveOperationException {
    Object known = ownAddress;
    if (known == null) {
      Class<?> addresses = Class.forName(ADDRESSES, true, head.getClass().getClassLoader());
      Method own = Member.method(addresses, "getBroadcastAddressAndPort");
      known = own.invoke(null);
      if (known == null) {
        throw MissingMember.of("the node's own address");
      }
      ownAddress = known;
    }
    return known;
  }
}
