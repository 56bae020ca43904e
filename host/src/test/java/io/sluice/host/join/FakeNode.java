package io.sluice.host.join;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** A JVM with the one required bean of a node; a file has its mode. */
public final class FakeNode {
  private static final long LIFE_MILLIS = 60_000;

  private FakeNode() {}

  /** The attribute of Cassandra's bean that is read. */
  public interface Mode {
    String getOperationMode();
  }

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    Mode mode =
        () -> {
          try {
            return Files.readString(file);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(
            new StandardMBean(mode, Mode.class),
            new ObjectName("org.apache.cassandra.db:type=StorageService"));
    Thread.sleep(LIFE_MILLIS);
  }
}
